#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension CallError: LocalizedError {
    /// The text that `localizedDescription` returns: the server's own message, or else the sentence of the service's
    /// specification, or else ``message``.
    public var errorDescription: String? {
        if let text = serverMessage?.message, !text.isEmpty { return text }
        return userMessage ?? message
    }
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
