internal import Uploading

/// SHA-256 of content as it comes.
struct ResettableSHA256Hasher: ~Copyable {
    private var hasher: SHA256Hasher? = SHA256Hasher()

    init() {}

    mutating func update(bytes: [UInt8]) { hasher?.update(bytes: bytes) }

    /// In hexadecimal, of all since the last time; and begins anew.
    mutating func hexDigestAndReset() -> String {
        guard let finished = hasher.take() else { preconditionFailure("always there between calls") }
        hasher = SHA256Hasher()
        return finished.hexDigest()
    }

    /// Of these values, none of which can pass for a part of another.
    static func hexDigest(of values: [String]) -> String {
        var digest = ResettableSHA256Hasher()
        for value in values { digest.update(bytes: Array("\(value.utf8.count):\(value)".utf8)) }
        return digest.hexDigestAndReset()
    }
}
