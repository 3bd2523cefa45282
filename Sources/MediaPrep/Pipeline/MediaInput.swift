#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An input to prepare: a file, or bytes in memory.
public struct MediaInput: Sendable {
    /// The location of the bytes.
    private enum InputSource: Sendable {
        case url(URL)
        case path([UInt8])
        case bytes([UInt8])
    }

    private let source: InputSource
    /// The name for messages. Its extension is compared with the content. `nil` for unnamed bytes.
    public var name: String?
    /// The media type that was declared for the input, to be compared with the content; `nil` if there is none.
    public var declaredType: String?

    /// Creates an input from a `file:` URL. Preparing a URL of another scheme fails with
    /// ``MediaError/Code/unreadable``.
    ///
    /// - Parameter file: The URL.
    public init(url file: URL) {
        source = .url(file)
        name = file.isFileURL ? file.path : file.absoluteString
    }

    /// Creates an input from a file system path.
    ///
    /// - Parameter path: The path's bytes, which need not be UTF-8, without a terminating zero.
    public init(path: [UInt8]) {
        source = .path(path)
        name = String(decoding: path, as: UTF8.self)
    }

    /// Creates an input from the bytes of an image or audio file. The bytes are copied once, here.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file.
    ///   - name: The name for messages, or `nil`.
    ///   - declaredType: The media type that was declared for the data, or `nil`.
    public init(data: Data, name: String?, declaredType: String? = nil) {
        source = .bytes([UInt8](data))
        self.name = name
        self.declaredType = declaredType
    }

    /// The number of bytes that this value keeps in memory.
    var inMemoryByteCount: Int {
        if case .bytes(let bytes) = source { bytes.count } else { 0 }
    }

    /// Opens the input.
    ///
    /// - Throws: ``MediaError/Code/unreadable`` or ``MediaError/Code/notARegularFile``.
    func openFile() throws(MediaError) -> SourceFile {
        switch source {
        case .url(let url): try SourceFile(url, name: name)
        case .path(let path): try SourceFile(path: path, name: name)
        case .bytes(let bytes): SourceFile(bytes, name: name)
        }
    }
}
