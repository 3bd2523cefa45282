/// A form that was read whole: fields with their values, files with what is known of them.
struct Form: Sendable {
    struct Field: Hashable, Sendable, Codable {
        var name: String
        var value: String
    }

    struct File: Hashable, Sendable {
        var name: String
        var filename: String
        /// The media type; nil if none was given.
        var type: String?
        /// Bytes.
        var size: Int64
        /// In hexadecimal.
        var sha256: String
        /// The content; empty if it wasn't kept.
        var content: [UInt8]
    }

    var fields: [Field] = []
    var files: [File] = []

    /// The value of the only field of that name; nil if there is none, or more than one.
    func field(_ name: String) -> String? {
        let values = fields.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }
}

/// Builds a form from the chunks of its body.
struct FormReader: ~Copyable {
    /// What a body may hold.
    struct Limits: Sendable {
        /// Bytes of one file.
        var file: Int64
        /// Whether files' contents are kept, rather than counted and digested.
        var keepsContent: Bool
    }

    /// Of all fields together; the contracts' are of a few words.
    static let maxFieldBytes = 1 << 20

    private var parser: MultipartParser
    private let limits: Limits
    private var digest = ContentDigest()
    private var form = Form()
    private var header: PartHeader?
    /// The part's content, for a field or where it is kept.
    private var content: [UInt8] = []
    private var size: Int64 = 0
    private var fieldBytes = 0

    init(boundary: String, limits: Limits) {
        parser = MultipartParser(boundary: boundary)
        self.limits = limits
    }

    mutating func feed(_ bytes: some Collection<UInt8>) throws(FormError) {
        parser.feed(bytes)
        while let event = try parser.next() {
            switch event {
            case .part(let header): self.header = header
            case .content(let bytes): try add(bytes)
            case .endOfPart: try endPart()
            }
        }
    }

    /// The form, at the body's end.
    consuming func finish() throws(FormError) -> Form {
        try parser.finish()
        return form
    }

    private mutating func add(_ bytes: [UInt8]) throws(FormError) {
        if header?.filename == nil {
            fieldBytes += bytes.count
            guard fieldBytes <= Self.maxFieldBytes else {
                throw FormError(.fieldsTooLong, "the form's fields have more than \(Self.maxFieldBytes) bytes")
            }
            content += bytes
            return
        }
        size += Int64(bytes.count)
        guard size <= limits.file else {
            throw FormError(.fileTooLarge, "a file has more than \(limits.file) bytes")
        }
        digest.add(bytes)
        if limits.keepsContent { content += bytes }
    }

    private mutating func endPart() throws(FormError) {
        guard let header else { preconditionFailure("a part's end follows its header") }
        if let filename = header.filename {
            form.files.append(
                .init(
                    name: header.name, filename: filename, type: header.type, size: size, sha256: digest.finish(),
                    content: content))
        } else if let value = String(validating: content, as: UTF8.self) {
            form.fields.append(.init(name: header.name, value: value))
        } else {
            throw FormError(.malformed, "a field's value is no UTF-8")
        }
        (content, size) = ([], 0)
    }
}
