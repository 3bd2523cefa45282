extension HTTPClient {
    /// The timeouts of requests.
    public struct Timeouts: Hashable, Sendable {
        /// The timeout of an API call. The default is 30 s.
        public var apiCall = Duration.seconds(30)
        /// The timeout of an upload, to which 1 s is added for each 32 KiB of its body. The default is 300 s.
        public var upload = Duration.seconds(300)

        /// The time for which a request that must not be sent twice goes on after its task is cancelled, so that its
        /// outcome becomes known. The default is 0: it ends at once.
        public var cancellation = Duration.zero

        /// Creates timeouts of 30 s for API calls and 300 s for uploads.
        public init() {}

        /// Returns the timeout of a request with a body. A slow network, of 256 kbit/s, also sends hundreds of
        /// megabytes within it.
        ///
        /// - Parameters:
        ///   - body: The body.
        ///   - isUpload: Whether the body contains an item; `nil` if a form does.
        package func timeout(for body: RequestBody, isUpload: Bool? = nil) -> Duration {
            let isForm = if case .multipart = body { true } else { false }
            return isUpload ?? isForm ? upload + .seconds(body.contentLength >> 15) : apiCall
        }
    }
}
