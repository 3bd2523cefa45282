/// A secret that says who sends. It never shows itself: not printed, dumped nor interpolated.
public struct BearerToken: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// The secret.
    package let secret: String

    /// A token; white space around it is dropped.
    ///
    /// - Returns: nil if nothing remains, or something that can't stand in a header (RFC 6750, section 2.1: visible
    ///   ASCII).
    public init?(_ text: String) {
        var bytes = text.utf8[...]
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        secret = String(decoding: bytes, as: UTF8.self)
    }

    /// A placeholder.
    public var description: String { "<token>" }
    /// A placeholder.
    public var debugDescription: String { description }
    /// Nothing within.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Knows the token, and gets a new one when the old is refused.
public protocol TokenProvider: Sendable {
    /// The token to send with; nil for none.
    ///
    /// - Parameter rejected: one that the server has just answered with 401, nil at first. Asked once for each request
    ///   so; to give the same again, or nil, is to have no other.
    func token(replacing rejected: BearerToken?) async throws -> BearerToken?
}

extension BearerToken: TokenProvider {
    /// Itself at first; there is no other.
    public func token(replacing rejected: BearerToken?) -> BearerToken? { rejected == nil ? self : nil }
}
