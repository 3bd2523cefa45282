// `unsafe`: hands the address of the bytes to libcrypto.

internal import CLibCrypto

/// Digests, by the system's libcrypto.
enum Digest {
    /// SHA-256 in lower-case hexadecimal.
    static func sha256(_ bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        let status = unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
        precondition(status == 1, "libcrypto has no SHA-256")
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
