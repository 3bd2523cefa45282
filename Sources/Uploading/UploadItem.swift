public import HTTPCalls
public import MultipartBody
internal import SHA256
internal import Synchronization
public import SystemSupport

/// A prepared file to be uploaded.
public struct UploadItem: Sendable {
    /// The caller's name for the item, which reports show for duplicates. It is never sent.
    public var name: String
    /// The content.
    public var content: MultipartContent
    /// The SHA-256 of the content in lower-case hexadecimal.
    public var sha256: String
    /// The SHA-256 digests of the files that earlier versions prepared from the same source with the same options.
    /// If one of them was uploaded, the item is not sent again.
    public var earlierDigests: [String] = []
    /// Whether the content still exists. If not, the upload only reports the result that the journal has.
    package var isAvailable = true
    /// The media type, such as `image/jpeg`.
    public var mediaType: String
    /// The file name that is sent: `image.jpg`, `recording.m4a`, or the file's own name if the user asks for it.
    public var filename: String
    /// The duration of audio in seconds; `nil` for images, or if it is unknown.
    public var durationSeconds: Double?
    /// The form fields of this item, in order, in addition to those of the destination.
    public var fields: [FormField]

    /// Creates an item from a prepared file. The upload fails with `CallError.Code.sourceChanged` if the file has
    /// been replaced or its bytes have changed.
    ///
    /// - Parameters:
    ///   - name: The caller's name for the item, which is never sent.
    ///   - path: The path as bytes, without a terminating zero.
    ///   - version: The version of the prepared file.
    ///   - sha256: The SHA-256 of the file in lower-case hexadecimal.
    ///   - mediaType: The media type.
    ///   - filename: The file name that is sent.
    ///   - durationSeconds: The duration of audio in seconds.
    ///   - fields: The form fields of this item.
    public init(
        name: String, path: [UInt8], version: FileVersion, sha256: String, mediaType: String,
        filename: String,
        durationSeconds: Double? = nil, fields: [FormField] = []
    ) {
        let check: @Sendable () -> any ContentVerifier = { SHA256Verifier(expectedDigest: sha256) }
        self.name = name
        content = .file(FileContent(path: path, version: version, makeVerifier: check))
        self.sha256 = sha256
        self.mediaType = mediaType
        self.filename = filename
        self.durationSeconds = durationSeconds
        self.fields = fields
    }

    /// Creates an item from bytes in memory.
    ///
    /// - Parameters:
    ///   - name: The caller's name for the item, which is never sent.
    ///   - bytes: The content.
    ///   - mediaType: The media type.
    ///   - filename: The file name that is sent.
    ///   - durationSeconds: The duration of audio in seconds.
    ///   - fields: The form fields of this item.
    /// - Complexity: O(*n*) in the number of bytes, for the SHA-256.
    public init(
        name: String, bytes: [UInt8], mediaType: String, filename: String, durationSeconds: Double? = nil,
        fields: [FormField] = []
    ) {
        self.name = name
        content = .bytes(bytes)
        sha256 = SHA256Hasher(hashing: bytes).hexDigest()
        self.mediaType = mediaType
        self.filename = filename
        self.durationSeconds = durationSeconds
        self.fields = fields
    }

    /// The item without its name, digests and fields, for the calls of a service.
    public var mediaFile: MediaFile {
        MediaFile(content: content, mediaType: mediaType, filename: filename, durationSeconds: durationSeconds)
    }

    /// Whether the media type is audio.
    public var isAudio: Bool { mediaFile.isAudio }

    /// Returns the value of the first field with the given name, or `nil` if there is none.
    ///
    /// - Parameter name: The name of the field.
    /// - Complexity: O(*n*) in the number of fields.
    public func fieldValue(named name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Returns a form that contains `fields` and the item as a file. The item's own fields are not added.
    ///
    /// - Parameters:
    ///   - partName: The name of the part that contains the file.
    ///   - fields: The other fields.
    ///   - filename: The file name to send; `nil` for the item's.
    /// - Throws: `CallError.Code.invalidItem` if the form is invalid, for example because of the media type.
    public func makeMultipartBody(
        partName: String, fields: [FormField], filename: String? = nil
    ) throws(CallError) -> RequestBody {
        try mediaFile.makeMultipartBody(partName: partName, fields: fields, filename: filename)
    }
}

/// A value that can be uploaded as an item, and is passed back with its result.
public protocol UploadItemConvertible: Sendable {
    /// The item to upload.
    var uploadItem: UploadItem { get }
}

extension UploadItem: UploadItemConvertible {
    /// The item itself.
    public var uploadItem: UploadItem { self }
}

/// Verifies that a file's bytes have the expected SHA-256.
private final class SHA256Verifier: ContentVerifier {
    private let hasher = Mutex<SHA256Hasher?>(SHA256Hasher())
    private let expectedDigest: String

    init(expectedDigest: String) { self.expectedDigest = expectedDigest }

    func update(bytes: RawSpan) { hasher.withLock { $0?.update(bytes: bytes) } }

    func matchesExpectedContent() -> Bool { hasher.withLock { $0.take()?.hexDigest() == expectedDigest } }
}
