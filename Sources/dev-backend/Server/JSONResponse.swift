internal import FlyingFox

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A response, with a JSON body unless a header says otherwise.
struct JSONResponse: Sendable {
    var status: Int
    var headers: [String: String] = [:]
    /// The JSON text, or the page.
    var body: [UInt8]

    init(status: Int, headers: [String: String] = [:], body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    init(
        encoding value: some Encodable, status: Int = 200,
        keyStrategy: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys
    ) {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = keyStrategy
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding cannot fail, because all values are of this program's own types.
        self.init(status: status, body: Array((try? encoder.encode(value)) ?? Data()))
    }

    /// Returns a page as a proxy shows it instead of the backend's response.
    static func htmlPage(status: Int) -> JSONResponse {
        var response = JSONResponse(status: status, body: [])
        response.headers["Content-Type"] = "text/html"
        response.body = Array("<html><body><h1>\(status) \(response.reasonPhrase)</h1></body></html>".utf8)
        return response
    }

    init(error: ErrorResponse) {
        self.init(encoding: error, status: error.status)
        headers = error.headers
    }

    /// The reason phrase (RFC 9110, section 15).
    var reasonPhrase: String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 409: "Conflict"
        case 411: "Length Required"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: "Unknown"
        }
    }

    var httpResponse: HTTPResponse {
        var headers = HTTPHeaders()
        headers[.contentType] = "application/json"
        for (name, value) in self.headers { headers[HTTPHeader(name)] = value }
        return HTTPResponse(
            statusCode: HTTPStatusCode(status, phrase: reasonPhrase), headers: headers, body: Data(body))
    }
}

/// The response to a rejected request. Throwing it in a transaction rolls the transaction back.
struct ErrorResponse: Error {
    var status: Int
    /// A stable kebab-case name.
    var code: String?
    /// A message for the user.
    var message: String
    /// The validation errors, one sentence for each invalid value.
    var validationErrors: [String]?
    var headers: [String: String] = [:]

    init(status: Int, code: String?, message: String, validationErrors: [String]? = nil) {
        (self.status, self.code, self.message, self.validationErrors) = (status, code, message, validationErrors)
    }

    static let notFound = ErrorResponse(status: 404, code: "not-found", message: "There is nothing here.")
    static let forbidden = ErrorResponse(status: 403, code: "forbidden", message: "Your role may not do this.")
    static let unauthorized = ErrorResponse(status: 401, code: "unauthorized", message: "A valid token is required.")
}

extension ErrorResponse: Encodable {
    private enum Key: String, CodingKey { case error, message, code, errors }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(true, forKey: .error)
        try container.encode(message, forKey: .message)
        try container.encode(code, forKey: .code)
        try container.encodeIfPresent(validationErrors, forKey: .errors)
    }
}
