#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The parts of a request that may be secret. A server may repeat them, and its messages are stored and shown.
///
/// | part | redacted |
/// |---|---|
/// | the token | always |
/// | the query of the URL, with its `?` | always |
/// | a value of the query | if it has 8 bytes or more |
/// | a path segment, and each piece between `= : ; , @` | if it has 16 bytes or more, or 8 with a digit |
///
/// Names of calls such as `upload`, `v1` and `profile-image` are shorter and stay readable. A shorter secret is
/// redacted only as part of the whole query, because replacing it everywhere would garble words.
struct RequestSecrets: Sendable {
    private struct Part: Hashable {
        /// The text as it was sent.
        var text: String
        var placeholder: String
    }

    private var parts: Set<Part> = []

    init() {}

    /// Collects the secrets of a URL.
    init(_ url: URL) {
        let segments = url.path(percentEncoded: true).split(separator: "/")
        let pieces = segments + segments.flatMap { $0.split { "=:;,@".contains($0) } }
        for piece in pieces.map(String.init) where Self.isLongEnough(piece) {
            parts.insert(Part(text: piece, placeholder: "<path>"))
        }
        if let query = url.query(percentEncoded: true), !query.isEmpty {
            parts.formUnion(RequestSecrets(query: query).parts)
        }
    }

    /// Collects the secrets of a query, given without its `?`.
    init(query: String) {
        parts.insert(Part(text: "?" + query, placeholder: "?<query>"))
        for item in query.split(separator: "&") {
            let value = item.firstIndex(of: "=").map { item[item.index(after: $0)...] } ?? item
            if value.utf8.count >= 8 { parts.insert(Part(text: String(value), placeholder: "<query>")) }
        }
    }

    private static func isLongEnough(_ piece: String) -> Bool {
        let text = decoded(piece).utf8
        return text.count >= 16 || text.count >= 8 && text.contains { (0x30...0x39).contains($0) }
    }

    /// Adds the token of the request.
    mutating func insert(_ token: BearerToken) {
        parts.insert(Part(text: token.secret, placeholder: token.description))
    }

    func union(_ other: RequestSecrets) -> RequestSecrets {
        var union = self
        union.parts.formUnion(other.parts)
        return union
    }

    /// Returns `text` with each secret replaced by a placeholder, in all encodings in which servers repeat it.
    func redactedText(from text: String) -> String {
        var bytes = Array(text.utf8)
        // The longest first, because a long form may contain a shorter one.
        let forms = parts.flatMap { part in Self.forms(of: part.text).map { (Array($0.utf8), part.placeholder) } }
        for (form, placeholder) in forms.sorted(by: { ($0.0.count, $1.1) > ($1.0.count, $0.1) }) {
            bytes.replace(form, with: Array(placeholder.utf8))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the text as sent, percent-decoded and percent-encoded again, each also escaped for HTML.
    private static func forms(of text: String) -> Set<String> {
        var forms: Set = [text]
        for encoded in [text, text.replacing("+", with: "%20")] {
            forms.formUnion([decoded(encoded), Endpoint.percentEncoded(decoded(encoded))])
        }
        return forms.union(forms.map(escapedForHTML))
    }

    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            // `UInt8(_:radix:)` would also accept a single digit, or a sign as in `+5`.
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            bytes.append(digits.count == 2 ? UInt8(digits[0] << 4 | digits[1]) : byte)
            if digits.count == 2 { rest.removeFirst(2) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func escapedForHTML(_ text: String) -> String {
        [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}
