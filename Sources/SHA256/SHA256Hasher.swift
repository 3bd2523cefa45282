// `unsafe`: owns libcrypto's context, and passes it the address of bytes for the length of a call.

internal import CLibCrypto

/// Computes a SHA-256 by the system's libcrypto.
@safe package struct SHA256Hasher: ~Copyable {
    /// Owned; freed in `deinit`.
    private let context: OpaquePointer

    package init() {
        guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256")
        }
        unsafe self.context = context
    }

    /// Creates a hasher that has already hashed `bytes`.
    package init(hashing bytes: [UInt8]) {
        self.init()
        update(bytes: bytes)
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package mutating func update(bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe update(bytes: $0) } }

    package mutating func update(bytes: RawSpan) { unsafe bytes.withUnsafeBytes { unsafe update(bytes: $0) } }

    private func update(bytes: UnsafeRawBufferPointer) {
        let status = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(status == 1)
    }

    /// Returns the 32 bytes of the digest.
    package consuming func digestBytes() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let status = unsafe EVP_DigestFinal_ex(context, &digest, nil)
        precondition(status == 1)
        return digest
    }

    /// Returns the digest in lower-case hexadecimal.
    package consuming func hexDigest() -> String {
        digestBytes().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
