internal import SHA256

/// Computes the SHA-256 of several contents in turn.
struct ResettableSHA256Hasher: ~Copyable {
    private var hasher: SHA256Hasher? = SHA256Hasher()

    init() {}

    mutating func update(bytes: [UInt8]) { hasher?.update(bytes: bytes) }

    /// Returns the digest in hexadecimal of the bytes since the last reset, and resets the hasher.
    mutating func hexDigestAndReset() -> String {
        guard let finished = hasher.take() else { preconditionFailure("always there between calls") }
        hasher = SHA256Hasher()
        return finished.hexDigest()
    }

    /// Returns the digest in hexadecimal of several strings. Each is preceded by its length, so that different lists
    /// cannot give the same input.
    static func hexDigest(of values: [String]) -> String {
        var digest = ResettableSHA256Hasher()
        for value in values { digest.update(bytes: Array("\(value.utf8.count):\(value)".utf8)) }
        return digest.hexDigestAndReset()
    }
}
