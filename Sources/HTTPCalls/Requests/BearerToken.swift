/// A bearer token (RFC 6750). Printing, dumping or interpolating it shows only a placeholder.
public struct BearerToken: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    private static let placeholder = "<token>"

    /// The token itself.
    package let secret: String

    /// Creates a token from text. White space around it is removed.
    ///
    /// - Parameter text: The token, for example the content of a file.
    /// - Returns: `nil` if the text is empty, contains anything but visible ASCII (RFC 6750, section 2.1), or is the
    ///   placeholder that stands for tokens in texts.
    /// - Complexity: O(*n*) in the length of the text.
    public init?(_ text: String) {
        var bytes = text.utf8[...]
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        secret = String(decoding: bytes, as: UTF8.self)
        if secret == Self.placeholder { return nil }
    }

    /// Calls a closure with the token itself, to send it or to store it.
    ///
    /// The scope marks the only places where a secret leaves the type: do not print, log or keep the text elsewhere.
    ///
    /// - Parameter body: Receives the token as text: visible ASCII without spaces.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    public func withSecret<Result, Failure: Error>(
        _ body: (String) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(secret)
    }

    /// A placeholder.
    public var description: String { Self.placeholder }
    /// A placeholder.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
