#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension UploadError: LocalizedError {
    /// The sentence: what `localizedDescription` returns.
    public var errorDescription: String? { message }
}

extension TransportError: LocalizedError {
    /// The sentence: what `localizedDescription` returns.
    public var errorDescription: String? { message }
}

#if !canImport(Darwin)
    public import MultipartBody

    // On Apple's systems its own module does this, where Foundation costs nothing.
    extension MultipartError: LocalizedError {
        /// The sentence: what `localizedDescription` returns.
        public var errorDescription: String? { message }
    }
#endif
