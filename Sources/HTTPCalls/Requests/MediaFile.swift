public import MultipartBody

/// A file to be sent as a part of a form: its content, type, name and duration.
public struct MediaFile: Sendable {
    /// The content.
    public var content: MultipartContent
    /// The media type, such as `image/jpeg`.
    public var mediaType: String
    /// The file name that is sent, such as `image.jpg`.
    public var filename: String
    /// The duration of audio in seconds; `nil` for images, or if it is unknown.
    public var durationSeconds: Double?

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - mediaType: The media type.
    ///   - filename: The file name that is sent.
    ///   - durationSeconds: The duration of audio in seconds.
    public init(content: MultipartContent, mediaType: String, filename: String, durationSeconds: Double? = nil) {
        self.content = content
        self.mediaType = mediaType
        self.filename = filename
        self.durationSeconds = durationSeconds
    }

    /// Whether the media type is audio.
    public var isAudio: Bool { mediaType.hasPrefix("audio/") }

    /// Returns a form that contains `fields` and the file.
    ///
    /// - Parameters:
    ///   - partName: The name of the part that contains the file.
    ///   - fields: The other fields.
    ///   - filename: The file name to send; `nil` for the file's.
    /// - Throws: ``CallError/Code/invalidItem`` if the form is invalid, for example because of the media type.
    public func makeMultipartBody(
        partName: String, fields: [FormField] = [], filename: String? = nil
    ) throws(CallError) -> RequestBody {
        let fields = fields.map { MultipartPart.field(name: $0.name, value: $0.value) }
        let file = MultipartPart.file(
            name: partName, filename: filename ?? self.filename, mediaType: mediaType, content: content)
        do { return .multipart(try MultipartForm(parts: fields + [file])) } catch {
            throw CallError(code: .invalidItem, message: error.message, cause: error)
        }
    }

    /// Checks that the file is a JPEG, for a backend that accepts no other format.
    ///
    /// - Parameter purpose: The backend's use of the file, such as `analyzed`.
    /// - Throws: ``CallError/Code/invalidItem``.
    package func requireJPEG(for purpose: String) throws(CallError) {
        guard mediaType == "image/jpeg" else {
            throw CallError(
                code: .invalidItem, message: "only a JPEG image can be \(purpose), not \(mediaType)")
        }
    }
}
