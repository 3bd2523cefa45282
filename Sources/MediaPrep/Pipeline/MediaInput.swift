#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What is to be prepared: a file, or bytes with a name.
public struct MediaInput: Sendable {
    /// Where its bytes are.
    private enum InputSource: Sendable {
        case url(URL)
        case path([UInt8])
        case bytes([UInt8])
    }

    private let source: InputSource
    /// How messages call it; its ending is compared with the content. Nil for bytes without a name.
    public var name: String?
    /// The media type that somebody said it has, to compare; nil if nobody did.
    public var declaredType: String?

    /// The file that a `file:` URL names; one of another kind is `unreadable`.
    public init(url file: URL) {
        source = .url(file)
        name = file.isFileURL ? file.path : file.absoluteString
    }

    /// The file at a path of bytes, which need not be UTF-8, without a final zero.
    public init(path: [UInt8]) {
        source = .path(path)
        name = String(decoding: path, as: UTF8.self)
    }

    /// An image's or a recording's bytes. They are copied here, and not again.
    public init(data: Data, name: String?, declaredType: String? = nil) {
        source = .bytes([UInt8](data))
        self.name = name
        self.declaredType = declaredType
    }

    /// Bytes that are in memory as long as this value is.
    var inMemoryByteCount: Int {
        if case .bytes(let bytes) = source { bytes.count } else { 0 }
    }

    /// - Throws: `unreadable`, `not-a-regular-file`.
    func openFile() throws(MediaError) -> SourceFile {
        switch source {
        case .url(let url): try SourceFile(url, name: name)
        case .path(let path): try SourceFile(path: path, name: name)
        case .bytes(let bytes): SourceFile(bytes, name: name)
        }
    }
}
