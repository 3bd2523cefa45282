internal import FlyingFox
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A request and the state of reading its body.
struct IncomingRequest: Sendable {
    /// The maximum size in bytes of all bodies except those for `/upload`. A prepared image has less than 1 MiB, and
    /// the audio of a consultation 30 MiB.
    static let maxBodyBytes: Int64 = 64 << 20

    let httpRequest: HTTPRequest
    private let bodyProgress = BodyReadProgress()

    init(_ request: HTTPRequest) { self.httpRequest = request }

    var method: String { httpRequest.method.rawValue }
    var path: String { httpRequest.path }
    var contentLength: Int64 { Int64(httpRequest.bodySequence.count ?? 0) }
    var idempotencyKey: String? { self["Idempotency-Key"] }

    /// Returns the value of the first field of the query with a name, or `nil` if there is none.
    func queryValue(named name: String) -> String? { httpRequest.query.first { $0.name == name }?.value }

    /// Returns a number of the query.
    ///
    /// - Throws: `invalid-query` if the value is not a number in the range.
    func queryNumber(named name: String, in range: ClosedRange<Int>, default: Int) throws -> Int {
        guard let text = queryValue(named: name) else { return `default` }
        guard let number = Int(text), range.contains(number) else {
            throw ErrorResponse(status: 400, code: "invalid-query", message: "\(name) is invalid: \(text).")
        }
        return number
    }

    subscript(header: String) -> String? { httpRequest.headers[HTTPHeader(header)] }

    /// The bearer token; `nil` if there is none.
    var bearerToken: String? {
        guard let value = self["Authorization"], value.lowercased().hasPrefix("bearer ") else { return nil }
        return String(value.dropFirst(7))
    }

    /// Reads and discards the rest of the body, because responding earlier would end the connection. A body above
    /// ``maxBodyBytes`` is not read.
    func drainBody() async throws {
        guard contentLength <= Self.maxBodyBytes else { return }
        try await forEachBodyChunk { _ in }
    }

    /// Passes the rest of the body to `body` in chunks. A count of its own is needed: FlyingFox's sequence starts
    /// counting again with each iteration, and would wait forever for bytes that were already read.
    private func forEachBodyChunk(_ body: (Data) throws -> Void) async throws {
        guard bodyProgress.bytesRead.load(ordering: .relaxed) < contentLength else { return }
        for try await chunk in httpRequest.bodySequence {
            let read = bodyProgress.bytesRead.add(Int64(chunk.count), ordering: .relaxed).newValue
            try body(chunk)
            if read >= contentLength { return }
        }
    }

    /// Decodes the body as JSON.
    ///
    /// - Returns: The value, and the digest of the method, the path and the body.
    func decodeJSON<Value: Decodable>(
        _ type: Value.Type, keyStrategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
    ) async throws -> (value: Value, digest: String) {
        guard mediaType == "application/json" else {
            throw ErrorResponse(status: 415, code: "not-json", message: "The body must be application/json.")
        }
        // The contracts need no larger JSON.
        guard contentLength <= 1 << 20 else {
            throw ErrorResponse(status: 413, code: "too-large", message: "The body has more than 1048576 bytes.")
        }
        var body = Data()
        try await forEachBodyChunk { body += $0 }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = keyStrategy
        do {
            return (
                try decoder.decode(type, from: body),
                ResettableSHA256Hasher.hexDigest(of: [method, path, String(decoding: body, as: UTF8.self)])
            )
        } catch {
            throw ErrorResponse(status: 400, code: "invalid-json", message: "The body does not have the expected form.")
        }
    }

    /// Reads the body as a form and keeps the files' content.
    func readForm() async throws -> (form: ReceivedForm, digest: String) {
        guard contentLength <= Self.maxBodyBytes else {
            throw ErrorResponse(
                status: 413, code: "too-large", message: "The body has more than \(Self.maxBodyBytes) bytes.")
        }
        return try await readForm(limits: FormReader.Limits(maxFileBytes: Self.maxBodyBytes, keepsFileContent: true))
    }

    /// Reads the body as a form.
    ///
    /// - Returns: The form, and a digest of the method, the path and the parts, which does not depend on the boundary.
    func readForm(limits: FormReader.Limits) async throws -> (form: ReceivedForm, digest: String) {
        guard mediaType == "multipart/form-data", let multipartBoundary else {
            throw ErrorResponse(
                status: 415, code: "not-multipart", message: "The body must be multipart/form-data with a boundary.")
        }
        do {
            var reader = FormReader(boundary: multipartBoundary, limits: limits)
            try await forEachBodyChunk { try reader.parseChunk($0) }
            let form = try reader.finishForm()
            let fields = form.fields.flatMap { ["field", $0.name, $0.value] }
            let files = form.files.flatMap { ["file", $0.name, $0.filename, $0.mediaType ?? "", $0.sha256] }
            return (form, ResettableSHA256Hasher.hexDigest(of: [method, path] + fields + files))
        } catch let error as FormError {
            throw ErrorResponse(
                status: error.code == .fileTooLarge ? 413 : 400, code: error.code.rawValue,
                message: "The form can't be read: \(error).")
        }
    }

    private var contentTypeComponents: [Substring] {
        (self["Content-Type"] ?? "").split(separator: ";", omittingEmptySubsequences: false)
    }

    private var mediaType: String { (contentTypeComponents.first ?? "").filter { $0 != " " }.lowercased() }

    /// The boundary of the `Content-Type` header: 1 to 70 characters, optionally quoted (RFC 2046, section 5.1.1).
    private var multipartBoundary: String? {
        for parameter in contentTypeComponents.dropFirst() {
            let parameter = parameter.drop { $0 == " " }
            guard parameter.prefix(9).lowercased() == "boundary=" else { continue }
            var value = parameter.dropFirst(9)
            if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
            let isAllowed = value.utf8.allSatisfy { (33...126).contains($0) || $0 == 32 }
            return isAllowed && (1...70).contains(value.utf8.count) ? String(value) : nil
        }
        return nil
    }
}

/// The number of bytes of a body that were read.
private final class BodyReadProgress: Sendable {
    let bytesRead = Atomic<Int64>(0)
}
