internal import AudioProbe
internal import MultipartBody
public import MediaPrep
public import Uploading

extension UploadItem {
    /// Creates an item from a prepared image, sent as `image.jpg`, because its own name may be a patient's name.
    ///
    /// - Parameters:
    ///   - image: The prepared image.
    ///   - name: The caller's name for the item, which is never sent.
    ///   - fields: The form fields of this item.
    /// - Complexity: O(*n*) in the size of the image, for the SHA-256.
    public init(_ image: PreparedImage, name: String = "image", fields: [FormField] = []) {
        self.init(name: name, bytes: Array(image.data), mediaType: "image/jpeg", filename: "image.jpg", fields: fields)
    }

    /// Creates an item from prepared audio, sent as `recording.m4a` or with another file extension. The audio is read
    /// into memory. If it does not fit there, write it to a file and use
    /// `UploadItem.init(name:path:version:sha256:mediaType:filename:durationSeconds:fields:)`.
    ///
    /// - Parameters:
    ///   - audio: The prepared audio.
    ///   - name: The caller's name for the item, which is never sent.
    ///   - fields: The form fields of this item.
    /// - Throws: `source-changed` if its file cannot be read or has changed.
    /// - Complexity: O(*n*) in the size of the audio.
    public init(_ audio: PreparedAudio, name: String = "recording", fields: [FormField] = []) throws(UploadError) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(audio.byteCount)
        do { try audio.forEachChunk { bytes += $0 } } catch {
            throw UploadError(
                code: .sourceChanged, message: (error as? MediaError)?.message ?? "the recording can't be read")
        }
        let type = audio.report.mediaType
        self.init(
            name: name, bytes: bytes, mediaType: type.mimeType, filename: "recording.\(type.fileExtension)",
            durationSeconds: audio.report.recording.duration?.seconds, fields: fields)
    }
}
