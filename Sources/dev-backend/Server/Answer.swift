internal import FlyingFox

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What is answered to a request.
struct Answer: Sendable {
    var status: Int
    var headers: [String: String] = [:]
    /// JSON.
    var body: [UInt8]

    init(status: Int, headers: [String: String] = [:], body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    init(_ value: some Encodable, status: Int = 200, keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys) {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = keys
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The values are our own, and none of them can't be written.
        self.init(status: status, body: Array((try? encoder.encode(value)) ?? Data()))
    }

    init(refusing refusal: Refusal) {
        self.init(refusal, status: refusal.status)
        headers = refusal.headers
    }

    /// The status in words (RFC 9110, section 15).
    var reason: String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 400: "Bad Request"
        case 401: "Unauthorized"
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

    var response: HTTPResponse {
        var headers = HTTPHeaders()
        headers[.contentType] = "application/json"
        for (name, value) in self.headers { headers[HTTPHeader(name)] = value }
        return HTTPResponse(
            statusCode: HTTPStatusCode(status, phrase: reason), headers: headers, body: Data(body))
    }
}

/// Why a request is refused. Thrown within a transaction, it undoes it.
struct Refusal: Error {
    var status: Int
    /// A stable kebab-case name.
    var code: String?
    /// A sentence for a person.
    var message: String
    /// One sentence for each value that isn't valid.
    var errors: [String]?
    var headers: [String: String] = [:]

    init(_ status: Int, _ code: String?, _ message: String, errors: [String]? = nil) {
        (self.status, self.code, self.message, self.errors) = (status, code, message, errors)
    }

    static let notFound = Refusal(404, "not-found", "There is nothing here.")
    static let unauthorized = Refusal(401, "unauthorized", "A valid token is needed.")
}

extension Refusal: Encodable {
    private enum Key: String, CodingKey { case error, message, code, errors }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(true, forKey: .error)
        try container.encode(message, forKey: .message)
        try container.encode(code, forKey: .code)
        try container.encodeIfPresent(errors, forKey: .errors)
    }
}
