// `unsafe`: owns a C context, and passes it the address of bytes for the length of a call.

internal import CSHA256

/// Computes a SHA-256 by Nettle, or by CommonCrypto on Apple platforms.
@safe package struct SHA256Hasher: ~Copyable {
    /// Owned; freed in `deinit`.
    private let context: OpaquePointer

    package init() {
        guard let context = unsafe prep_sha256_create() else { preconditionFailure("memory is exhausted") }
        unsafe self.context = context
    }

    /// Creates a hasher that has already hashed `bytes`.
    package init(hashing bytes: [UInt8]) {
        self.init()
        update(bytes: bytes)
    }

    deinit { unsafe prep_sha256_destroy(context) }

    package mutating func update(bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe update(bytes: $0) } }

    package mutating func update(bytes: RawSpan) { unsafe bytes.withUnsafeBytes { unsafe update(bytes: $0) } }

    private func update(bytes: UnsafeRawBufferPointer) {
        unsafe prep_sha256_update(context, bytes.baseAddress, bytes.count)
    }

    /// Returns the 32 bytes of the digest.
    package consuming func digestBytes() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        unsafe prep_sha256_finish(context, &digest)
        return digest
    }

    /// Returns the digest in lower-case hexadecimal.
    package consuming func hexDigest() -> String {
        digestBytes().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
