internal import FlyingFox
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A request on its way through the server: what it asks for, and its body, checked as it is read.
struct Call: Sendable {
    /// The largest body of all but `/upload`; a photograph as it is sent has less than 1 MiB, a consultation's recording 30.
    static let maxBodyBytes: Int64 = 64 << 20

    let request: HTTPRequest
    private let progress = BodyProgress()

    init(_ request: HTTPRequest) { self.request = request }

    var method: String { request.method.rawValue }
    var path: String { request.path }
    var length: Int64 { Int64(request.bodySequence.count ?? 0) }
    var idempotencyKey: String? { self["Idempotency-Key"] }

    subscript(header: String) -> String? { request.headers[HTTPHeader(header)] }

    /// The token that it carries; nil for none.
    var token: String? {
        guard let value = self["Authorization"], value.lowercased().hasPrefix("bearer ") else { return nil }
        return String(value.dropFirst(7))
    }

    /// Reads the body and forgets it: an answer that comes before would end the connection.
    func drain() async throws {
        guard length <= Self.maxBodyBytes else { return }
        try await forEachChunk { _ in }
    }

    /// Reads what wasn't yet read of the body. FlyingFox's own sequence begins to count anew each time, and would wait for ever
    /// for bytes that have come.
    private func forEachChunk(_ take: (Data) throws -> Void) async throws {
        guard progress.count.load(ordering: .relaxed) < length else { return }
        for try await chunk in request.bodySequence {
            let read = progress.count.add(Int64(chunk.count), ordering: .relaxed).newValue
            try take(chunk)
            if read >= length { return }
        }
    }

    /// The body as JSON.
    ///
    /// - Returns: the value, and the body's digest.
    func json<Value: Decodable>(
        _ type: Value.Type, keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
    ) async throws -> (value: Value, digest: String) {
        guard mediaType == "application/json" else {
            throw Refusal(415, "not-json", "The body is to be application/json.")
        }
        // Deep or long JSON is for nothing here.
        guard length <= 1 << 20 else { throw Refusal(413, "too-large", "The body has more than 1048576 bytes.") }
        var body = Data()
        try await forEachChunk { body += $0 }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = keys
        do {
            return (
                try decoder.decode(type, from: body),
                ContentDigest.of([method, path, String(decoding: body, as: UTF8.self)])
            )
        } catch {
            throw Refusal(400, "invalid-json", "The body isn't what is expected here.")
        }
    }

    /// The body as a form, whose files are kept.
    func form() async throws -> (form: Form, digest: String) {
        guard length <= Self.maxBodyBytes else {
            throw Refusal(413, "too-large", "The body has more than \(Self.maxBodyBytes) bytes.")
        }
        return try await form(FormReader.Limits(file: Self.maxBodyBytes, keepsContent: true))
    }

    /// The body as a form.
    ///
    /// - Returns: the form, and a digest of all that it says, the boundary left out.
    func form(_ limits: FormReader.Limits) async throws -> (form: Form, digest: String) {
        guard mediaType == "multipart/form-data", let boundary else {
            throw Refusal(415, "not-multipart", "The body is to be multipart/form-data with a boundary.")
        }
        do {
            var reader = FormReader(boundary: boundary, limits: limits)
            try await forEachChunk { try reader.feed($0) }
            let form = try reader.finish()
            let fields = form.fields.flatMap { ["field", $0.name, $0.value] }
            let files = form.files.flatMap { ["file", $0.name, $0.filename, $0.type ?? "", $0.sha256] }
            return (form, ContentDigest.of([method, path] + fields + files))
        } catch let error as FormError {
            throw Refusal(
                error.code == .fileTooLarge ? 413 : 400, error.code.rawValue, "The form can't be read: \(error).")
        }
    }

    private var contentType: [Substring] {
        (self["Content-Type"] ?? "").split(separator: ";", omittingEmptySubsequences: false)
    }

    private var mediaType: String { (contentType.first ?? "").filter { $0 != " " }.lowercased() }

    /// RFC 2046, section 5.1.1: 1 to 70 characters, quoted if need be.
    private var boundary: String? {
        for parameter in contentType.dropFirst() {
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

/// How many of a body's bytes were read.
private final class BodyProgress: Sendable {
    let count = Atomic<Int64>(0)
}
