internal import SystemSupport

/// A field or a file of a form.
public struct MultipartPart: Sendable {
    /// The name of the field. Any text is allowed: characters that a header cannot contain are escaped.
    public var name: String
    /// The file name that is sent, escaped like `name`; `nil` for a field.
    public var filename: String?
    /// The media type; `nil` for a field.
    public var mediaType: String?
    /// The content.
    public var content: MultipartContent

    /// Returns a text field.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: The text. Its line ends are sent as CR LF, as browsers do.
    public static func field(name: String, value: String) -> MultipartPart {
        MultipartPart(name: name, content: .bytes(value.utf8.normalizingLineEndings()))
    }

    /// Returns a file.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - filename: The file name that is sent to the server.
    ///   - mediaType: The media type, such as `image/jpeg`.
    ///   - content: The content.
    public static func file(
        name: String, filename: String, mediaType: String, content: MultipartContent
    ) -> MultipartPart {
        MultipartPart(name: name, filename: filename, mediaType: mediaType, content: content)
    }
}

/// The content of a part.
public enum MultipartContent: Sendable {
    /// Content in memory.
    case bytes([UInt8])
    /// Content in a file, which is read while it is sent.
    case file(FileContent)

    /// The length of the content in bytes. For a file it is the size at the time of preparation.
    public var byteCount: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(let file): file.version.size
        }
    }
}
