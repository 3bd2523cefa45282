/// A complete form: the fields with their values, and the files.
struct ReceivedForm: Sendable {
    struct Field: Hashable, Sendable, Codable {
        var name: String
        var value: String
    }

    struct File: Hashable, Sendable {
        var name: String
        var filename: String
        /// The media type; `nil` if there is none.
        var mediaType: String?
        /// The size in bytes.
        var size: Int64
        /// The SHA-256 in hexadecimal.
        var sha256: String
        /// The content; empty if it was not kept.
        var content: [UInt8]
    }

    var fields: [Field] = []
    var files: [File] = []

    /// Returns the value of the only field with the given name, or `nil` if there is none or more than one.
    func uniqueFieldValue(named name: String) -> String? {
        let values = fields.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }
}

/// Builds a form from the chunks of its body.
struct FormReader: ~Copyable {
    /// The limits of a form.
    struct Limits: Sendable {
        /// The maximum size of one file in bytes.
        var maxFileBytes: Int64
        /// Whether the files' content is kept. Otherwise it is only counted and hashed.
        var keepsFileContent: Bool
    }

    /// The maximum size of all fields together in bytes. The contracts' fields have a few words.
    static let maxFieldBytes = 1 << 20

    private var parser: MultipartParser
    private let limits: Limits
    private var fileHasher = ResettableSHA256Hasher()
    private var form = ReceivedForm()
    private var partHeader: PartHeader?
    /// The content of the current part, if it is a field or if files are kept.
    private var partContent: [UInt8] = []
    private var fileByteCount: Int64 = 0
    private var totalFieldBytes = 0

    init(boundary: String, limits: Limits) {
        parser = MultipartParser(boundary: boundary)
        self.limits = limits
    }

    mutating func parseChunk(_ bytes: some Collection<UInt8>) throws(FormError) {
        parser.appendChunk(bytes)
        while let event = try parser.nextEvent() {
            switch event {
            case .partHeader(let header): self.partHeader = header
            case .partContent(let bytes): try appendPartContent(bytes)
            case .partEnd: try finishPart()
            }
        }
    }

    /// Returns the form at the end of the body.
    ///
    /// - Throws: ``FormError`` with the code `truncated`.
    consuming func finishForm() throws(FormError) -> ReceivedForm {
        try parser.requireEndOfForm()
        return form
    }

    private mutating func appendPartContent(_ bytes: [UInt8]) throws(FormError) {
        if partHeader?.filename == nil {
            totalFieldBytes += bytes.count
            guard totalFieldBytes <= Self.maxFieldBytes else {
                throw FormError(
                    code: .fieldsTooLong, message: "the form's fields have more than \(Self.maxFieldBytes) bytes")
            }
            partContent += bytes
            return
        }
        fileByteCount += Int64(bytes.count)
        guard fileByteCount <= limits.maxFileBytes else {
            throw FormError(code: .fileTooLarge, message: "a file has more than \(limits.maxFileBytes) bytes")
        }
        fileHasher.update(bytes: bytes)
        if limits.keepsFileContent { partContent += bytes }
    }

    private mutating func finishPart() throws(FormError) {
        guard let partHeader else { preconditionFailure("a part's end follows its header") }
        if let filename = partHeader.filename {
            form.files.append(
                .init(
                    name: partHeader.name, filename: filename, mediaType: partHeader.mediaType, size: fileByteCount,
                    sha256: fileHasher.hexDigestAndReset(),
                    content: partContent))
        } else if let value = String(validating: partContent, as: UTF8.self) {
            form.fields.append(.init(name: partHeader.name, value: value))
        } else {
            throw FormError(code: .malformed, message: "a field's value is no UTF-8")
        }
        (partContent, fileByteCount) = ([], 0)
    }
}
