internal import AudioProbe
internal import ImageCodecs

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A file to prepare: opened once, recognised by its content, and read as its kind needs.
package struct SourceFile: ~Copyable {
    /// What a file turns out to be.
    package enum DetectedKind: Sendable {
        /// A picture: whether it can be read, `ImagePreparer` says.
        case image
        /// Sound, or a format of sound or film that is refused by its name.
        case audio
    }

    /// How to come by its bytes again.
    enum ByteSource: Sendable {
        /// A path of bytes.
        case path([UInt8])
        /// They are in memory.
        case bytes([UInt8])
    }

    /// Its bytes.
    private(set) var reader: BufferedFileReader
    /// For messages; nil for bytes without a name.
    let name: String?
    let byteSource: ByteSource

    /// The file at a path of bytes, which need not be UTF-8, without a final zero.
    ///
    /// - Throws: `unreadable`, `not-a-regular-file`.
    package init(path: [UInt8]) throws(MediaError) {
        try self.init(path: path, name: String(decoding: path, as: UTF8.self))
    }

    /// The file at a path of bytes, which messages call `name`.
    init(path: [UInt8], name: String?) throws(MediaError) {
        byteSource = .path(path)
        self.name = name
        do throws(AudioError) {
            reader = try BufferedFileReader(path: path)
        } catch {
            throw MediaError(error, fileName: name)
        }
    }

    /// The file that a `file:` URL names.
    ///
    /// - Throws: `unreadable`, for a URL of another kind too; `not-a-regular-file`.
    package init(_ url: URL) throws(MediaError) {
        try self.init(url, name: url.isFileURL ? url.path : url.absoluteString)
    }

    /// The file that a `file:` URL names, which messages call `name`.
    init(_ url: URL, name: String?) throws(MediaError) {
        guard url.isFileURL else {
            throw MediaError(
                .unreadable, verdict: .failed, stage: .read, fileName: name, message: "the URL does not name a file")
        }
        try self.init(path: Array(url.path.utf8), name: name)
    }

    /// Bytes in memory.
    init(_ bytes: [UInt8], name: String? = nil) {
        reader = BufferedFileReader(bytes: bytes)
        self.name = name
        byteSource = .bytes(bytes)
    }

    /// Bytes of the file.
    package var byteCount: Int { reader.byteCount }
    /// Which file it was when it was opened; nil for bytes in memory.
    var fileVersion: FileVersion? { reader.fileVersion }

    /// The bytes without the name.
    consuming func takeReader() -> BufferedFileReader { reader }

    /// What it is.
    ///
    /// - Throws: `unrecognized-format` for what is no media; what reading throws.
    package mutating func detectKind() throws(MediaError) -> DetectedKind {
        try withReader { (reader) throws(AudioError) in
            switch try FormatDetector(detectingIn: &reader) {
            case .audioContainer, .unsupportedFormat: .audio
            case .image: .image
            // Some images are known to the image decoders alone. An empty file is theirs to refuse too.
            case .unrecognized
            where ImageFormat.hasImageSignature(try reader.bytes(at: 0, count: min(64, reader.byteCount)) ?? []):
                .image
            case .unrecognized:
                throw AudioError(
                    .unrecognizedFormat, offset: 0,
                    message: "the content is neither an image nor a recording known here")
            case .nonAudio(title: let title):
                throw AudioError(
                    .unrecognizedFormat, offset: 0, message: "the content is \(title), neither an image nor a recording"
                )
            }
        }
    }

    /// All bytes, or the first `count`.
    ///
    /// - Parameter limit: a file of more is refused before any is read.
    /// - Throws: `input-too-large`, `changed-while-read`, and what else reading throws.
    package mutating func readContents(first count: Int = .max, limit: Int) throws(MediaError) -> [UInt8] {
        if byteCount > limit {
            throw MediaError(
                .inputTooLarge, verdict: .rejected, stage: .read, fileName: name,
                message: "\(byteCount) bytes are more than the \(limit) allowed")
        }
        return try withReader { (reader) throws(AudioError) in
            let bytes = try reader.readContents(upTo: count)
            try reader.checkFileUnchanged()
            return bytes
        }
    }

    /// Does `work` on the window, and names the file in what it throws.
    mutating func withReader<Result>(
        _ work: (inout BufferedFileReader) throws(AudioError) -> Result
    ) throws(MediaError) -> Result {
        do throws(AudioError) {
            return try work(&reader)
        } catch {
            throw MediaError(error, fileName: name)
        }
    }
}
