public import MultipartBody
internal import Synchronization

/// One file to be sent, as it was prepared.
public struct UploadItem: Sendable {
    /// What the caller calls it: shown where another item is the same, and never sent.
    public var name: String
    /// What it holds.
    public var content: MultipartContent
    /// The SHA-256 of what it holds, in lower-case hexadecimal.
    public var sha256: String
    /// The SHA-256s of what earlier versions of the program prepared from the same source with the same options. An
    /// upload of one of them counts as this item's: it is not sent again.
    public var earlierDigests: [String] = []
    /// Its media type, such as `image/jpeg`.
    public var mediaType: String
    /// What it is sent as: `image.jpg`, `recording.m4a`, or the file's own name where a person asks for that.
    public var filename: String
    /// For a recording, how long it plays, in seconds.
    public var durationSeconds: Double?
    /// What is to be said of this item besides what is said of all: form fields, in order.
    public var fields: [FormField]

    /// An item in a file that was prepared.
    ///
    /// It is sent if it still is what it was: the same file, and the same bytes.
    public init(
        name: String, path: [UInt8], version: FileContent.FileVersion, sha256: String, mediaType: String,
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

    /// An item in memory.
    public init(
        name: String, bytes: [UInt8], mediaType: String, filename: String, durationSeconds: Double? = nil,
        fields: [FormField] = []
    ) {
        var digest = SHA256Hasher()
        digest.update(bytes: bytes)
        self.name = name
        content = .bytes(bytes)
        sha256 = digest.hexDigest()
        self.mediaType = mediaType
        self.filename = filename
        self.durationSeconds = durationSeconds
        self.fields = fields
    }

    /// Whether it is a recording.
    public var isAudio: Bool { mediaType.hasPrefix("audio/") }

    /// The value of the first field of that name; nil for none.
    public func fieldValue(named name: String) -> String? { fields.first { $0.name == name }?.value }

    /// A form that holds `fields`, and the item as the file `partName`.
    ///
    /// - Parameters:
    ///   - partName: the name of the part that holds the file.
    ///   - fields: the form's other fields.
    ///   - filename: what to send it as, if not as its `filename`.
    /// - Throws: `source-changed` if its file can't be read, or isn't what was prepared.
    public func multipartBody(
        partName: String, fields: [FormField], filename: String? = nil
    ) throws(UploadError) -> HTTPRequest.Body {
        let fields = fields.map { MultipartPart.field(name: $0.name, value: $0.value) }
        let file = MultipartPart.file(
            name: partName, filename: filename ?? self.filename, mediaType: mediaType, content: content)
        do { return .multipart(try MultipartForm(parts: fields + [file])) } catch {
            throw UploadError(code: .sourceChanged, message: error.message, cause: error)
        }
    }
}

/// Something that an item is made of, and that its result is told of.
public protocol UploadItemConvertible: Sendable {
    /// What is to be sent.
    var uploadItem: UploadItem { get }
}

extension UploadItem: UploadItemConvertible {
    /// Itself.
    public var uploadItem: UploadItem { self }
}

/// A field of a form.
public struct FormField: Hashable, Sendable {
    /// What the form calls it.
    public var name: String
    /// What it holds.
    public var value: String

    /// A field.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// Says whether a file's bytes have the digest that they had.
private final class SHA256Verifier: ContentVerifier {
    private let hasher = Mutex<SHA256Hasher?>(SHA256Hasher())
    private let expectedDigest: String

    init(expectedDigest: String) { self.expectedDigest = expectedDigest }

    func update(bytes: RawSpan) { hasher.withLock { $0?.update(bytes: bytes) } }

    func matchesExpectedContent() -> Bool { hasher.withLock { $0.take()?.hexDigest() == expectedDigest } }
}
