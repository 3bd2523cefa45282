internal import Foundation
public import HTTPCalls

/// A call of a client, the responses to its requests, and the requests as they are recorded.
public struct RecordedCall<Client: Sendable>: Sendable, CustomStringConvertible {
    /// The name of the client's function, which may be followed by a space and a remark.
    public var description: String
    /// The responses.
    public var answers: [TransportResponse]
    /// The requests, as ``TransportRequest/transcript``.
    public var requests: [String]
    /// Performs the call.
    public var perform: @Sendable (Client) async throws -> Void

    /// Creates a call with one request.
    ///
    /// - Parameters:
    ///   - name: The name of the client's function, which may be followed by a space and a remark.
    ///   - json: The JSON with which the request is answered.
    ///   - request: The request.
    ///   - perform: Performs the call.
    public init(
        _ name: String, _ json: String, _ request: String, perform: @escaping @Sendable (Client) async throws -> Void
    ) {
        self.init(name, answers: [.json(json)], requests: [request], perform: perform)
    }

    /// Creates a call with several requests.
    ///
    /// - Parameters:
    ///   - name: The name of the client's function, which may be followed by a space and a remark.
    ///   - answers: The responses.
    ///   - requests: The requests.
    ///   - perform: Performs the call.
    public init(
        _ name: String, answers: [TransportResponse], requests: [String],
        perform: @escaping @Sendable (Client) async throws -> Void
    ) {
        (description, self.answers, self.requests, self.perform) = (name, answers, requests, perform)
    }

    /// The name of the client's function.
    public var name: String { String(description.prefix { $0 != " " }) }
}

/// The sources of a module, for tests that must cover all of it.
public enum ModuleSource {
    /// Returns the names of the public functions with `async` in the extensions of a client.
    ///
    /// - Parameters:
    ///   - module: The module's name.
    ///   - excluded: The beginnings of the names of files that have other types.
    public static func asyncFunctions(in module: String, except excluded: [String] = []) throws -> Set<String> {
        // The declaration ends before its body.
        let declaration = #/public func (\w+)([^{]*)/#
        let matches = try files(of: module, except: excluded).flatMap { $0.matches(of: declaration) }
        return Set(matches.filter { $0.2.contains(" async ") }.map { String($0.1) })
    }

    /// Returns the names of the public structures that can be decoded and encoded.
    ///
    /// - Parameter module: The module's name.
    public static func codableStructures(in module: String) throws -> Set<String> {
        let declaration = #/public struct (\w+)(?:<[^>]*>)?:([^{]*)/#
        let matches = try files(of: module).flatMap { $0.matches(of: declaration) }
        return Set(matches.filter { $0.2.contains(#/\bCodable\b/#) }.map { String($0.1) })
    }

    private static func files(of module: String, except excluded: [String] = []) throws -> [String] {
        let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/\(module)")
        let paths = FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") && !excluded.contains(where: $0.hasPrefix) }.map {
            try String(contentsOf: directory.appending(path: $0), encoding: .utf8)
        }
    }
}

/// Returns the transcript of a request to ``HTTPCalls/Endpoint/test``.
///
/// - Parameters:
///   - line: The method, and the path with its query.
///   - hasToken: Whether the request has the token ``secret``.
///   - fields: Header fields in addition to those of all requests.
///   - json: The body, if it is JSON.
///   - form: The parts of the body if it is a form, each as its header and its content.
public func recorded(
    _ line: String, hasToken: Bool = true, fields: [String] = [], json: String? = nil,
    form: [(header: String, content: String)] = []
) -> String {
    var lines = [line, "host: backend.test"]
    if hasToken { lines.append("authorization: Bearer \(secret)") }
    lines += ["accept: application/json"] + fields
    if let json { return (lines + ["content-type: application/json", "", json]).joined(separator: "\n") }
    if form.isEmpty { return lines.joined(separator: "\n") }
    let parts = form.map { "--B\r\n\($0.header.replacing("\n", with: "\r\n"))\r\n\r\n\($0.content)\r\n" }
    return (lines + ["content-type: multipart/form-data; boundary=B", "", parts.joined() + "--B--\r\n"])
        .joined(separator: "\n")
}
