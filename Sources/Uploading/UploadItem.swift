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
    public var type: String
    /// What it is sent as: `image.jpg`, `recording.m4a`, or the file's own name where a person asks for that.
    public var filename: String
    /// For a recording, how long it plays, in seconds.
    public var duration: Double?
    /// What is to be said of this item besides what is said of all: form fields, in order.
    public var fields: [FormField]

    /// An item in a file that was prepared.
    ///
    /// It is sent if it still is what it was: the same file, and the same bytes.
    public init(
        _ name: String, path: [UInt8], version: FileContent.Version, sha256: String, type: String, filename: String,
        duration: Double? = nil, fields: [FormField] = []
    ) {
        let check: @Sendable () -> any ContentCheck = { DigestCheck(expecting: sha256) }
        self.name = name
        content = .file(FileContent(path: path, version: version, makeCheck: check))
        self.sha256 = sha256
        self.type = type
        self.filename = filename
        self.duration = duration
        self.fields = fields
    }

    /// An item in memory.
    public init(
        _ name: String, _ bytes: [UInt8], type: String, filename: String, duration: Double? = nil,
        fields: [FormField] = []
    ) {
        var digest = Digest()
        digest.add(bytes)
        self.name = name
        content = .bytes(bytes)
        sha256 = digest.hexadecimal()
        self.type = type
        self.filename = filename
        self.duration = duration
        self.fields = fields
    }

    /// Whether it is a recording.
    public var isAudio: Bool { type.hasPrefix("audio/") }

    /// The value of the first field of that name; nil for none.
    public func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// A form that holds `fields`, and the item as the file `part`.
    ///
    /// - Parameters:
    ///   - part: the name of the part that holds the file.
    ///   - fields: the form's other fields.
    ///   - filename: what to send it as, if not as its `filename`.
    /// - Throws: `source-changed` if its file can't be read, or isn't what was prepared.
    public func form(
        part: String, fields: [FormField], filename: String? = nil
    ) throws(UploadError) -> HTTPRequest.Body {
        let fields = fields.map { MultipartPart.field($0.name, $0.value) }
        let file = MultipartPart.file(part, filename: filename ?? self.filename, type: type, content: content)
        do { return .multipart(try MultipartBody(fields + [file])) } catch {
            throw UploadError(.sourceChanged, error.message, cause: error)
        }
    }
}

/// Something that an item is made of, and that its result is told of.
public protocol UploadSource: Sendable {
    /// What is to be sent.
    var item: UploadItem { get }
}

extension UploadItem: UploadSource {
    /// Itself.
    public var item: UploadItem { self }
}

/// A field of a form.
public struct FormField: Hashable, Sendable {
    /// What the form calls it.
    public var name: String
    /// What it holds.
    public var value: String

    /// A field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// Says whether a file's bytes have the digest that they had.
private final class DigestCheck: ContentCheck {
    private let digest = Mutex<Digest?>(Digest())
    private let expected: String

    init(expecting expected: String) { self.expected = expected }

    func add(_ bytes: RawSpan) { digest.withLock { $0?.add(bytes) } }

    func isMatch() -> Bool { digest.withLock { $0.take()?.hexadecimal() == expected } }
}
