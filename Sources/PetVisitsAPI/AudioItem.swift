public import MediaPrep
public import Uploading

extension PetVisitsClient {
    /// An audio item to be uploaded, with its media type and duration.
    public struct AudioItem: Sendable {
        /// The item.
        public let uploadItem: UploadItem

        /// Creates an audio item from an item.
        ///
        /// - Parameter item: The item.
        /// - Throws: `invalid-item` if the media type is not audio.
        public init(_ item: UploadItem) throws(UploadError) {
            guard item.isAudio else {
                throw UploadError(
                    code: .invalidItem, message: "a visit accepts only a recording, not \(item.mediaType)")
            }
            self.uploadItem = item
        }

        /// Creates an audio item from prepared audio, with the type and the duration that were found in it.
        ///
        /// - Parameter audio: The prepared audio.
        /// - Throws: `invalid-item` if its media type is not audio, for example because of a video track;
        ///   `source-changed` if its file cannot be read or has changed.
        /// - Complexity: O(*n*) in the size of the audio, which is read into memory.
        public init(_ audio: PreparedAudio) throws(UploadError) {
            try self.init(try UploadItem(audio))
        }
    }
}
