internal import Uploading

/// SHA-256 of content as it comes.
struct ContentDigest: ~Copyable {
    private var digest: Digest? = Digest()

    init() {}

    mutating func add(_ bytes: [UInt8]) { digest?.add(bytes) }

    /// In hexadecimal, of all since the last time; and begins anew.
    mutating func finish() -> String {
        guard let finished = digest.take() else { preconditionFailure("always there between calls") }
        digest = Digest()
        return finished.hexadecimal()
    }

    /// Of these values, none of which can pass for a part of another.
    static func of(_ values: [String]) -> String {
        var digest = ContentDigest()
        for value in values { digest.add(Array("\(value.utf8.count):\(value)".utf8)) }
        return digest.finish()
    }
}
