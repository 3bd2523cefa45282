public import MediaPrep
public import Uploading

extension PetVisitsClient {
    /// A recording to be sent, with what is said of it: its media type, and how long it plays.
    public struct AudioItem: Sendable {
        /// What is sent.
        public let uploadItem: UploadItem

        /// The recording that an item holds.
        ///
        /// - Throws: `invalid-item` if it is something else.
        public init(_ item: UploadItem) throws(UploadError) {
            guard item.isAudio else {
                throw UploadError(code: .invalidItem, message: "a visit takes a recording, and not \(item.mediaType)")
            }
            self.uploadItem = item
        }

        /// A recording as it was prepared, with its type and duration as they were found in it.
        ///
        /// - Throws: `invalid-item` if it has moving pictures; `source-changed` if its file can't be read, or isn't
        ///   what was prepared.
        public init(_ audio: PreparedAudio) throws(UploadError) {
            try self.init(try UploadItem(audio))
        }
    }
}
