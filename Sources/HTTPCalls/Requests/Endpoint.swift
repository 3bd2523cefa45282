#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The absolute `http` or `https` URL of a backend or of one of its calls.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    private let url: URL
    /// Whether the URL is plain http to a name below `localhost`. Only a transport that always resolves such names to
    /// the loopback address may send to it.
    let requiresLoopbackResolution: Bool
    /// The secrets in the original URL, in queries and in redirects. Segments appended by ``appendingPathSegments(_:)``
    /// are not included: they are names of calls and ids.
    let secrets: RequestSecrets

    /// Creates an endpoint from a URL.
    ///
    /// - Parameters:
    ///   - text: An absolute URL: `https`, or `http` to this machine.
    ///   - allowsPlainHTTP: Whether `http` to other machines is allowed, so that the content can be read in transit.
    /// - Throws: ``CallError/Code/invalidURL`` if the text is not such a URL or contains user information or a
    ///   fragment; ``CallError/Code/insecureURL`` for `http` to another machine.
    public init(_ text: String, allowsPlainHTTP: Bool = false) throws(CallError) {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), let host = url.host(), !host.isEmpty,
            ["http", "https"].contains(scheme)
        else {
            throw CallError(
                code: .invalidURL, message: "the URL must be absolute, and begin with https:// or http://")
        }
        guard url.user() == nil, url.password() == nil, url.fragment() == nil else {
            throw CallError(code: .invalidURL, message: "the URL must not contain a user, password or fragment")
        }
        guard (1...65_535).contains(url.port ?? 443) else {
            throw CallError(code: .invalidURL, message: "the port of the URL is invalid: 1 to 65535 are possible")
        }
        // Normalized, because the journal identifies uploads by the URL's text.
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        parts?.scheme = scheme
        let lowercased = parts?.host?.lowercased()
        parts?.host = lowercased
        if parts?.port == (scheme == "https" ? 443 : 80) { parts?.port = nil }
        self.url = parts?.url ?? url
        secrets = RequestSecrets(self.url)
        requiresLoopbackResolution = scheme == "http" && !allowsPlainHTTP && Self.isLocalhostSubdomain(host)
        guard scheme == "https" || allowsPlainHTTP || Self.isLoopbackHost(host) else {
            throw CallError(
                code: .insecureURL,
                message: "\(host) is another machine, and everyone on the network path can read plain HTTP: use https")
        }
    }

    /// Creates an endpoint derived from another.
    ///
    /// - Parameter secrets: The secrets to hide in addition to those of `other`.
    private init(_ url: URL, like other: Endpoint, secrets: RequestSecrets = RequestSecrets()) {
        self.url = url
        requiresLoopbackResolution = other.requiresLoopbackResolution
        self.secrets = secrets.union(other.secrets)
    }

    /// Returns whether both endpoints have the same URL. The secrets are not compared.
    public static func == (lhs: Endpoint, rhs: Endpoint) -> Bool {
        (lhs.url, lhs.requiresLoopbackResolution) == (rhs.url, rhs.requiresLoopbackResolution)
    }

    /// Hashes the URL.
    public func hash(into hasher: inout Hasher) { hasher.combine(url) }

    /// `http` or `https`.
    package var scheme: String { url.scheme ?? "" }

    /// The host, with its port unless that is the scheme's.
    package var authority: String {
        (url.host(percentEncoded: true).map { $0.contains(":") && !$0.hasPrefix("[") ? "[\($0)]" : $0 } ?? "")
            + (url.port.map { ":\($0)" } ?? "")
    }

    /// The path, percent-encoded and at least `/`, with the query.
    package var pathAndQuery: String {
        let path = url.path(percentEncoded: true)
        return (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
    }

    /// Whether the host is this machine.
    package var isLoopback: Bool { Self.isLoopbackHost(url.host() ?? "") }

    /// The URL.
    public var description: String { url.absoluteString }

    /// Returns the endpoint with path segments appended: `https://host/v1` and `api`, `login` give
    /// `https://host/v1/api/login`. A query stays at the end.
    ///
    /// - Parameter segments: The segments, unescaped. All characters but RFC 3986's unreserved ones are
    ///   percent-encoded.
    public func appendingPathSegments(_ segments: String...) -> Endpoint {
        let (base, query) = textAndQuery
        let path = segments.reduce(base) { base, segment in
            base + (base.hasSuffix("/") ? "" : "/") + Self.percentEncoded(segment)
        }
        return Endpoint(URL(string: path + query) ?? url, like: self)
    }

    /// Returns the endpoint with the query `?name=value&…`, or the endpoint itself if there are no fields. They follow
    /// those that the endpoint has.
    ///
    /// - Parameter fields: The fields, unescaped.
    public func appendingQuery(_ fields: [FormField]) -> Endpoint {
        let query = fields.map { "\(Self.percentEncoded($0.name))=\(Self.percentEncoded($0.value))" }.joined(
            separator: "&")
        let (base, earlier) = textAndQuery
        let separator = earlier.isEmpty ? "?" : earlier.hasSuffix("?") || earlier.hasSuffix("&") ? "" : "&"
        guard !query.isEmpty, let url = URL(string: base + earlier + separator + query) else { return self }
        return Endpoint(url, like: self, secrets: RequestSecrets(query: query))
    }

    /// The URL without its query, and the query with its `?`, which is empty if there is none.
    private var textAndQuery: (base: String, query: String) {
        let text = url.absoluteString
        let end = text.firstIndex(of: "?") ?? text.endIndex
        return (String(text[..<end]), String(text[end...]))
    }

    /// Returns the target of a redirect, or `nil` if it is invalid or has another origin (RFC 9110, section 4.3.1).
    ///
    /// - Parameter location: The value of the `Location` header.
    func sameOriginRedirect(to location: String) -> Endpoint? {
        guard let target = URL(string: location, relativeTo: url)?.absoluteURL, origin(of: target) == origin(of: url),
            target.user() == nil, target.password() == nil
        else { return nil }
        return Endpoint(target, like: self, secrets: RequestSecrets(target))
    }

    private func origin(of url: URL) -> [String] {
        let scheme = url.scheme?.lowercased() ?? ""
        return [scheme, url.host()?.lowercased() ?? "", String(url.port ?? (scheme == "https" ? 443 : 80))]
    }

    /// The unreserved characters of RFC 3986, section 2.3.
    private static let unreservedCharacters = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    static func percentEncoded(_ text: String) -> String {
        text.utf8.map { byte in
            unreservedCharacters.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    /// Returns whether the host is in 127.0.0.0/8, is ::1, or is a name that RFC 6761, section 6.3, reserves for them.
    private static func isLoopbackHost(_ host: String) -> Bool {
        let host = host.lowercased().trimmingPrefix("[")
        if host == "localhost" || isLocalhostSubdomain(String(host)) || host == "::1" || host == "::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        // The numbers must be in canonical decimal form: `+1` makes a host name, and resolvers read `010` as octal 8.
        return numbers.count == 4 && numbers[0] == "127"
            && numbers.allSatisfy { number in UInt8(number).map { String($0) == number } ?? false }
    }

    private static func isLocalhostSubdomain(_ host: String) -> Bool { host.lowercased().hasSuffix(".localhost") }
}
