internal import AudioProbe
internal import SystemSupport

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Audio that is ready to be sent: the source's bytes, in which positions and similar metadata are erased on reading.
///
/// The bytes are read from the file when they are needed, so memory does not depend on the file's size.
public struct PreparedAudio: Sendable {
    /// The location of the bytes.
    private enum ByteSource: Sendable {
        /// A file, and its status when it was inspected.
        case file(path: [UInt8], status: FileStatus?)
        /// Bytes in memory.
        case bytes([UInt8])
    }

    /// The report on the source.
    public let report: AudioReport
    private let source: ByteSource
    fileprivate let boxErasures: [BoxErasure]

    private init(report: AudioReport, source: ByteSource) {
        self.report = report
        self.source = source
        boxErasures = BoxErasure.makeErasures(for: report.recording)
    }

    /// Creates prepared audio from `file`, which `report` describes.
    ///
    /// - Precondition: `report.verdict` is not `rejected`.
    package init(report: AudioReport, source file: borrowing SourceFile) {
        precondition(report.verdict != .rejected)
        switch file.byteSource {
        case .path(let path): self.init(report: report, source: .file(path: path, status: file.fileStatus))
        case .bytes(let bytes): self.init(report: report, source: .bytes(bytes))
        }
    }

    /// The number of bytes to be sent, which is that of the source.
    public var byteCount: Int { report.byteCount }

    /// Calls `body` with all bytes in order, in chunks of at most 256 KiB. It can be called repeatedly.
    ///
    /// - Parameter body: Receives each chunk.
    /// - Throws: ``MediaError/Code/changedWhileRead`` if the file changed since it was inspected,
    ///   ``MediaError/Code/unreadable``, and the errors of `body`.
    public func forEachChunk(_ body: ([UInt8]) throws -> Void) throws {
        var reader = try PreparedAudioReader(self)
        while let chunk = try reader.nextChunk(ofSize: BufferedFileReader.maxBufferSize) { try body(chunk) }
    }

    /// Returns all bytes in order as an asynchronous sequence of chunks, which are read when they are requested.
    ///
    /// Each iterator reads from the beginning, on ``BlockingThreadPool/shared``.
    ///
    /// - Parameter size: The number of bytes in each chunk but the last, which may be shorter; 256 KiB by default.
    ///   Memory is allocated for one chunk at a time.
    /// - Precondition: `size` is positive.
    public func chunks(ofSize size: Int = 256 << 10) -> Chunks {
        precondition(size > 0, "a chunk has at least one byte")
        return Chunks(audio: self, chunkSize: size)
    }

    /// Returns all bytes.
    ///
    /// - Throws: ``MediaError/Code/changedWhileRead`` if the file changed since it was inspected, and
    ///   ``MediaError/Code/unreadable``.
    public func readAllData() throws(MediaError) -> Data {
        var data = Data(capacity: byteCount)
        var reader = try PreparedAudioReader(self)
        while let chunk = try reader.nextChunk(ofSize: BufferedFileReader.maxBufferSize) {
            data.append(contentsOf: chunk)
        }
        return data
    }

    /// Opens the source.
    ///
    /// - Throws: ``MediaError/Code/changedWhileRead`` if the file changed since it was inspected,
    ///   ``MediaError/Code/unreadable``.
    fileprivate func openSource() throws(MediaError) -> BufferedFileReader {
        switch source {
        case .bytes(let bytes): return BufferedFileReader(bytes: bytes)
        case .file(path: let path, status: let status):
            let file = try SourceFile(path: path)
            guard file.fileStatus == status else {
                throw MediaError(
                    .changedWhileRead, verdict: .failed, stage: .read, fileName: file.name,
                    message: "the file was modified after it was inspected"
                )
            }
            return file.takeReader()
        }
    }
}

/// Reads the bytes of prepared audio from the first to the last, without those that are erased.
struct PreparedAudioReader: ~Copyable {
    private let audio: PreparedAudio
    private var source: BufferedFileReader
    private var offset = 0

    init(_ audio: PreparedAudio) throws(MediaError) {
        self.audio = audio
        source = try audio.openSource()
    }

    /// Returns the next `size` bytes, or fewer if the end comes first, or `nil` at the end.
    ///
    /// - Throws: ``MediaError/Code/changedWhileRead`` if the file changed since it was inspected, and
    ///   ``MediaError/Code/unreadable``.
    mutating func nextChunk(ofSize size: Int) throws(MediaError) -> [UInt8]? {
        guard offset < source.byteCount else {
            // Bytes that were written meanwhile have not been inspected, and may hold a position.
            _ = try audio.openSource()
            return nil
        }
        let end = offset + min(size, source.byteCount - offset)
        var chunk = try readBytes(at: offset, before: end)
        while chunk.count < end - offset { chunk += try readBytes(at: offset + chunk.count, before: end) }
        for erasure in audio.boxErasures { erasure.eraseBox(inChunk: &chunk, chunkOffset: offset) }
        offset = end
        return chunk
    }

    /// Returns the bytes at `offset`, as many before `end` as the buffer holds, but at least one.
    private mutating func readBytes(at offset: Int, before end: Int) throws(MediaError) -> [UInt8] {
        do throws(AudioError) {
            let count = min(end - offset, BufferedFileReader.maxBufferSize)
            if let bytes = try source.bytes(at: offset, count: count) { return bytes }
        } catch {
            throw MediaError(error, fileName: nil)
        }
        throw MediaError(
            .changedWhileRead, verdict: .failed, stage: .read, offset: offset,
            message: "the file became shorter while it was read")
    }
}
