internal import AudioProbe
public import HTTPCalls
public import MediaPrep
internal import MultipartBody
public import PetVisitsAPI
public import SymptomSentryAPI
public import Uploading

extension MediaFile {
    /// Creates a file from a prepared image, sent as `image.jpg`, because its own name may be a patient's name.
    ///
    /// - Parameter image: The prepared image.
    public init(_ image: PreparedImage) {
        self.init(content: .bytes(Array(image.data)), mediaType: "image/jpeg", filename: "image.jpg")
    }

    /// Creates a file from prepared audio, sent as `recording.m4a` or with another file extension. The audio is read
    /// into memory. If it does not fit there, write it to a file and use `MultipartContent.file`.
    ///
    /// - Parameter audio: The prepared audio.
    /// - Throws: `source-changed` if its file cannot be read or has changed.
    /// - Complexity: O(*n*) in the size of the audio.
    public init(_ audio: PreparedAudio) throws(CallError) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(audio.byteCount)
        do { try audio.forEachChunk { bytes += $0 } } catch {
            throw CallError(
                code: .sourceChanged, message: (error as? MediaError)?.message ?? "the recording can't be read")
        }
        let type = audio.report.mediaType
        self.init(
            content: .bytes(bytes), mediaType: type.mimeType, filename: "recording.\(type.fileExtension)",
            durationSeconds: audio.report.recording.duration?.seconds)
    }
}

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
    public init(_ audio: PreparedAudio, name: String = "recording", fields: [FormField] = []) throws(CallError) {
        let file = try MediaFile(audio)
        guard case .bytes(let bytes) = file.content else { preconditionFailure("prepared audio is read into memory") }
        self.init(
            name: name, bytes: bytes, mediaType: file.mediaType, filename: file.filename,
            durationSeconds: file.durationSeconds, fields: fields)
    }
}

extension PetVisitsClient.AudioItem {
    /// Creates an audio item from prepared audio, with the type and the duration that were found in it.
    ///
    /// - Parameter audio: The prepared audio.
    /// - Throws: `invalid-item` if its media type is not audio, for example because of a video track; `source-changed`
    ///   if its file cannot be read or has changed.
    /// - Complexity: O(*n*) in the size of the audio, which is read into memory.
    public init(_ audio: PreparedAudio) throws(CallError) { try self.init(try MediaFile(audio)) }
}

extension SymptomSentryClient {
    /// The options with which the app prepares images: JPEG with a quality of 80.
    public static var imageOptions: ImageOptions { ImageOptions(quality: 80) }
}
