/// The boundary between the parts of a body (RFC 2046, section 5.1.1).
struct MultipartBoundary {
    /// The boundary without the two leading hyphens.
    let text: String

    /// Returns a boundary of 128 random bits from the system. The chance that it occurs in 2 GB of content is 2^-97.
    static func makeRandom() -> MultipartBoundary {
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<32).map { _ in String(UInt8.random(in: 0..<16, using: &generator), radix: 16) }
        return MultipartBoundary(text: digits.joined())
    }

    private init(text: String) { self.text = text }

    /// Creates a boundary from 1 to 70 characters that RFC 2046 allows and that need no quotes in the `Content-Type`
    /// header.
    ///
    /// - Throws: ``MultipartError/Code/invalidBoundary``.
    init(validating text: String) throws(MultipartError) {
        let isAllowed: (UInt8) -> Bool = { $0.isASCIILetterOrDigit || "'+-._".utf8.contains($0) }
        guard (1...70).contains(text.utf8.count), text.utf8.allSatisfy(isAllowed) else {
            throw MultipartError(
                code: .invalidBoundary, message: "a boundary is 1 to 70 letters, digits or characters of '+-._")
        }
        self.text = text
    }
}
