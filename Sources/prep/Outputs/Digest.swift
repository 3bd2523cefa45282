// `unsafe`: libcrypto's context, and the address of the bytes that it is given.

internal import CLibCrypto

/// A SHA-256 in the making, by the system's libcrypto.
@safe struct Digest: ~Copyable {
    /// Owned, and freed with this value.
    private let context: OpaquePointer

    init() {
        guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256")
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    mutating func add(_ bytes: [UInt8]) {
        let status = unsafe EVP_DigestUpdate(context, bytes, bytes.count)
        precondition(status == 1)
    }

    /// The digest in lower-case hexadecimal.
    consuming func hexadecimal() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        let status = unsafe EVP_DigestFinal_ex(context, &digest, nil)
        precondition(status == 1)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
