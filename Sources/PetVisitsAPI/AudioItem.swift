public import HTTPCalls

extension PetVisitsClient {
    /// Audio to be uploaded, with its media type and duration.
    public struct AudioItem: Sendable {
        /// The file.
        public let file: MediaFile

        /// Creates an audio item from a file.
        ///
        /// - Parameter file: The file.
        /// - Throws: `invalid-item` if the media type is not audio.
        public init(_ file: MediaFile) throws(CallError) {
            guard file.isAudio else {
                throw CallError(
                    code: .invalidItem, message: "a visit accepts only a recording, not \(file.mediaType)")
            }
            self.file = file
        }
    }
}
