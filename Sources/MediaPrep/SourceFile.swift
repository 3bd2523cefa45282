package import AudioProbe
internal import ImageCodecs
internal import SystemSupport

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A file that is opened once, recognized by its content, and then read as its kind requires.
package struct SourceFile: ~Copyable {
    /// The location of the bytes, from which they can be read again.
    enum ByteSource: Sendable {
        /// A file system path. It need not be UTF-8.
        case path([UInt8])
        /// Bytes in memory.
        case bytes([UInt8])
    }

    /// The reader of the file's bytes.
    private(set) var reader: BufferedFileReader
    /// The name for messages; `nil` for unnamed bytes.
    let name: String?
    let byteSource: ByteSource
    /// The format of the content, once it was detected.
    private var detectedFormat: DetectedFormat?

    /// Opens the file at a path.
    ///
    /// - Parameter path: The path's bytes, which need not be UTF-8, without a terminating zero.
    /// - Throws: ``MediaError/Code/unreadable`` or ``MediaError/Code/notARegularFile``.
    package init(path: [UInt8]) throws(MediaError) {
        try self.init(path: path, name: String(decoding: path, as: UTF8.self))
    }

    /// Opens the file at a path, which messages call `name`.
    init(path: [UInt8], name: String?) throws(MediaError) {
        byteSource = .path(path)
        self.name = name
        do throws(AudioError) {
            reader = try BufferedFileReader(path: path)
        } catch {
            throw MediaError(error, fileName: name)
        }
    }

    /// Opens the file of a `file:` URL.
    ///
    /// - Throws: ``MediaError/Code/unreadable``, also for a URL of another scheme; ``MediaError/Code/notARegularFile``.
    package init(_ url: URL) throws(MediaError) {
        try self.init(url, name: url.isFileURL ? url.path : url.absoluteString)
    }

    /// Opens the file of a `file:` URL, which messages call `name`.
    init(_ url: URL, name: String?) throws(MediaError) {
        guard url.isFileURL else {
            throw MediaError(
                .unreadable, verdict: .failed, stage: .read, fileName: name, message: "the URL does not name a file")
        }
        try self.init(path: Array(url.path.utf8), name: name)
    }

    /// Creates a source from bytes in memory.
    init(_ bytes: [UInt8], name: String? = nil) {
        reader = BufferedFileReader(bytes: bytes)
        self.name = name
        byteSource = .bytes(bytes)
    }

    /// The file's size, in bytes.
    package var byteCount: Int { reader.byteCount }
    /// The file's status when it was opened; `nil` for bytes in memory.
    var fileStatus: FileStatus? { reader.fileStatus }
    /// Whether the source is bytes in memory.
    var isInMemory: Bool { if case .bytes = byteSource { true } else { false } }

    /// Returns the reader and ends this value's lifetime.
    consuming func takeReader() -> BufferedFileReader { reader }

    /// Returns the format of the content, which is detected by the first call.
    ///
    /// - Parameter limits: The limits, of which ``AudioLimits/scannedBytes`` applies.
    private mutating func detectFormat(limits: AudioLimits) throws(MediaError) -> DetectedFormat {
        if let detectedFormat { return detectedFormat }
        let format = try withReader { (reader) throws(AudioError) in try DetectedFormat(in: &reader, limits: limits) }
        detectedFormat = format
        return format
    }

    /// Detects the kind of media: an image, which may be unsupported, or audio.
    ///
    /// - Parameter limits: The limits, of which ``AudioLimits/scannedBytes`` applies.
    /// - Throws: ``MediaError/Code/unrecognized`` if the content is not media, and the errors of reading.
    package mutating func detectKind(limits: AudioLimits = AudioLimits()) throws(MediaError) -> MediaKind {
        let format = try detectFormat(limits: limits)
        return try withReader { (reader) throws(AudioError) in
            switch format {
            case .container, .frames, .unsupported: .audio
            case .image: .image
            // Some image formats are known only to the image codecs. They also report an empty file.
            case .unrecognized
            where ImageFormat.hasImageSignature(try reader.bytes(at: 0, count: min(64, reader.byteCount)) ?? []):
                .image
            case .unrecognized:
                throw AudioError(
                    .unrecognizedFormat, offset: 0,
                    message: "the content is not a known image or audio format")
            case .nonAudio(title: let title):
                throw AudioError(
                    .unrecognizedFormat, offset: 0, message: "the content is neither an image nor audio: \(title)"
                )
            }
        }
    }

    /// Reads the structure of an audio file, in the format that was detected.
    ///
    /// - Throws: The errors of ``AudioPreparer/inspect(contentsOf:declaredType:)``.
    mutating func probeRecording(options: ProbeOptions) throws(MediaError) -> Recording {
        let format = try detectFormat(limits: options.limits)
        return try withReader { (reader) throws(AudioError) in
            try Recording(probing: &reader, as: format, options: options)
        }
    }

    /// Returns the whole content, or its first `count` bytes.
    ///
    /// - Parameters:
    ///   - count: The maximum number of bytes.
    ///   - prefix: The first bytes, if they are known. They are not read again.
    ///   - limit: The maximum size of the file, in bytes. A larger file is rejected before it is read.
    /// - Throws: ``MediaError/Code/inputTooLarge``, ``MediaError/Code/changedWhileRead``, and the errors of reading.
    package mutating func readContents(
        first count: Int = .max, continuing prefix: [UInt8] = [], limit: Int
    ) throws(MediaError) -> [UInt8] {
        if byteCount > limit {
            throw MediaError(
                .inputTooLarge, verdict: .rejected, stage: .read, fileName: name,
                message: "the file is too large: \(byteCount) bytes (at most \(limit))")
        }
        return try withReader { (reader) throws(AudioError) in
            let bytes = try reader.readContents(upTo: count, continuing: prefix)
            try reader.checkFileUnchanged()
            return bytes
        }
    }

    /// Calls `work` with the reader, and adds the file's name to the errors it throws.
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
