#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension UploadError: LocalizedError {
    /// The message, which `localizedDescription` returns.
    public var errorDescription: String? { message }
}

extension TransportError: LocalizedError {
    /// The message, which `localizedDescription` returns.
    public var errorDescription: String? { message }
}

extension SecretStoreError: LocalizedError {
    /// The message, which `localizedDescription` returns.
    public var errorDescription: String? { message }
}

#if !canImport(Darwin)
    public import MultipartBody

    // On Apple's systems MultipartBody itself declares this conformance, because importing Foundation is free there.
    extension MultipartError: LocalizedError {
        /// The message, which `localizedDescription` returns.
        public var errorDescription: String? { message }
    }
#endif
