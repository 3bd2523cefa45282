internal import AudioProbe
internal import MultipartBody
public import MediaPrep
public import Uploading

extension UploadItem {
    /// A prepared image, sent as `image.jpg`: its own name may be a patient's.
    public init(_ image: PreparedImage, name: String = "image", fields: [FormField] = []) {
        self.init(name: name, bytes: Array(image.data), mediaType: "image/jpeg", filename: "image.jpg", fields: fields)
    }

    /// A prepared recording, sent as `recording.m4a` or the like. It is in memory: one that has no room there is
    /// written to a file first, and named by its path.
    ///
    /// - Throws: `source-changed` if its file can't be read, or isn't what was prepared.
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
