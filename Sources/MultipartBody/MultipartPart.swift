/// A field or a file of a form.
public struct MultipartPart: Sendable {
    /// What the form calls it. Any text: what can't stand in a header is escaped.
    public var name: String
    /// For a file, the name that it is sent under, likewise; nil for a field.
    public var filename: String?
    /// The media type; nil for a field.
    public var mediaType: String?
    /// What it holds.
    public var content: MultipartContent

    /// A field with a text, whose line ends are sent as CR LF as a browser does.
    public static func field(name: String, value: String) -> MultipartPart {
        MultipartPart(name: name, content: .bytes(value.utf8.normalizingLineEndings()))
    }

    /// A file.
    ///
    /// - Parameters:
    ///   - filename: what the server is told that it is called.
    ///   - mediaType: its media type, such as `image/jpeg`.
    public static func file(
        name: String, filename: String, mediaType: String, content: MultipartContent
    ) -> MultipartPart {
        MultipartPart(name: name, filename: filename, mediaType: mediaType, content: content)
    }
}

/// What a part holds.
public enum MultipartContent: Sendable {
    /// In memory.
    case bytes([UInt8])
    /// In a file, read while it is sent.
    case file(FileContent)

    /// How much it holds, in bytes.
    public var byteCount: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(let file): file.version.size
        }
    }
}
