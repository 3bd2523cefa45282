#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where a backend is: an absolute URL of `http` or `https`.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    private let url: URL
    /// Whether it is of plain http, to a name below `localhost`: only a transport that pins it may send there.
    let requiresLoopbackResolution: Bool
    /// What the user's URL, queries and redirects brought. The parts that are appended are names of calls, and ids.
    let secrets: RequestSecrets

    /// The URL that `text` holds.
    ///
    /// - Throws: `invalid-url` if it is none, holds a user's name or a fragment; `insecure-url` for plain `http` to
    ///   another machine.
    /// - Parameters:
    ///   - text: an absolute URL of `https`, or of `http` to this machine.
    ///   - allowsPlainHTTP: whether what is sent may be read on its way.
    public init(_ text: String, allowsPlainHTTP: Bool = false) throws(UploadError) {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), let host = url.host(), !host.isEmpty,
            ["http", "https"].contains(scheme)
        else {
            throw UploadError(
                code: .invalidURL, message: "the URL must be absolute, and begin with https:// or http://")
        }
        guard url.user() == nil, url.password() == nil, url.fragment() == nil else {
            throw UploadError(code: .invalidURL, message: "the URL must hold no user, password or fragment")
        }
        // One place has one name: what was sent there is known by it.
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        parts?.scheme = scheme
        let lowercased = parts?.host?.lowercased()
        parts?.host = lowercased
        if parts?.port == (scheme == "https" ? 443 : 80) { parts?.port = nil }
        self.url = parts?.url ?? url
        secrets = RequestSecrets(self.url)
        requiresLoopbackResolution = scheme == "http" && !allowsPlainHTTP && Self.isLocalhostSubdomain(host)
        guard scheme == "https" || allowsPlainHTTP || Self.isLoopbackHost(host) else {
            throw UploadError(
                code: .insecureURL,
                message: "\(host) is another machine, and http lets everyone on the way read along: use https")
        }
    }

    /// - Parameter secrets: what may be secret besides what is in `other`.
    private init(_ url: URL, like other: Endpoint, secrets: RequestSecrets = RequestSecrets()) {
        self.url = url
        requiresLoopbackResolution = other.requiresLoopbackResolution
        self.secrets = secrets.union(other.secrets)
    }

    /// Whether both are the same URL, whatever they were made from.
    public static func == (lhs: Endpoint, rhs: Endpoint) -> Bool {
        (lhs.url, lhs.requiresLoopbackResolution) == (rhs.url, rhs.requiresLoopbackResolution)
    }

    /// Hashes the URL.
    public func hash(into hasher: inout Hasher) { hasher.combine(url) }

    /// Whether it is this machine.
    var isLoopback: Bool { Self.isLoopbackHost(url.host() ?? "") }

    /// The URL.
    public var description: String { url.absoluteString }

    /// The endpoint of a path below this one: `/api/login` below `https://host/v1` is `https://host/v1/api/login`.
    ///
    /// - Parameter segments: the parts of the path, as they are to arrive: what they hold besides is escaped.
    public func appendingPathSegments(_ segments: String...) -> Endpoint {
        Endpoint(
            segments.reduce(url) { url, segment in
                let base = url.absoluteString
                return URL(string: base + (base.hasSuffix("/") ? "" : "/") + Self.percentEncoded(segment)) ?? url
            }, like: self)
    }

    /// The endpoint with a query, `?name=value&…`; itself where there are no fields.
    public func appendingQuery(_ fields: [FormField]) -> Endpoint {
        let query = fields.map { "\(Self.percentEncoded($0.name))=\(Self.percentEncoded($0.value))" }.joined(
            separator: "&")
        guard !query.isEmpty, let url = URL(string: "\(url.absoluteString)?\(query)") else { return self }
        return Endpoint(url, like: self, secrets: RequestSecrets(query: query))
    }

    /// Where a redirect leads: nil if that is another origin (RFC 9110, section 4.3.1), or nowhere.
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

    /// RFC 3986, section 2.3.
    private static let unreservedCharacters = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    static func percentEncoded(_ text: String) -> String {
        text.utf8.map { byte in
            unreservedCharacters.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    /// 127.0.0.0/8, ::1, and the names that RFC 6761, section 6.3, keeps for them.
    private static func isLoopbackHost(_ host: String) -> Bool {
        let host = host.lowercased().trimmingPrefix("[")
        if host == "localhost" || isLocalhostSubdomain(String(host)) || host == "::1" || host == "::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        // As a number is written: `+1` is a part of a name, and resolvers read `010` as 8.
        return numbers.count == 4 && numbers[0] == "127"
            && numbers.allSatisfy { number in UInt8(number).map { String($0) == number } ?? false }
    }

    private static func isLocalhostSubdomain(_ host: String) -> Bool { host.lowercased().hasSuffix(".localhost") }
}
