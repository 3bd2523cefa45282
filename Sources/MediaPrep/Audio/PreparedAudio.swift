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
    private let boxErasures: [BoxErasure]

    private init(report: AudioReport, source: ByteSource) {
        self.report = report
        self.source = source
        boxErasures = BoxErasure.boxErasures(for: report.recording)
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
    /// - Parameter body: receives each chunk.
    /// - Throws: ``MediaError/Code/changedWhileRead`` if the file changed since it was inspected,
    ///   ``MediaError/Code/unreadable``, and the errors of `body`.
    public func forEachChunk(_ body: ([UInt8]) throws -> Void) throws {
        var reader = try openReader()
        var offset = 0
        while offset < reader.byteCount {
            var chunk = try Self.readChunk(at: offset, from: &reader)
            for erasure in boxErasures { erasure.eraseBox(inChunk: &chunk, chunkOffset: offset) }
            try body(chunk)
            offset += chunk.count
        }
        // Bytes that were written meanwhile have not been inspected, and may hold a position.
        _ = try openReader()
    }

    private static func readChunk(at offset: Int, from reader: inout BufferedFileReader) throws(MediaError) -> [UInt8] {
        do throws(AudioError) {
            return try reader.bytes(at: offset, count: min(BufferedFileReader.maxBufferSize, reader.byteCount - offset))
                ?? []
        } catch {
            throw MediaError(error, fileName: nil)
        }
    }

    /// Returns all bytes.
    ///
    /// - Throws: the same errors as ``forEachChunk(_:)``.
    public func readAllData() throws -> Data {
        var data = Data(capacity: byteCount)
        try forEachChunk { data.append(contentsOf: $0) }
        return data
    }

    private func openReader() throws(MediaError) -> BufferedFileReader {
        switch source {
        case .bytes(let bytes): return BufferedFileReader(bytes: bytes)
        case .file(path: let path, status: let status):
            let file = try SourceFile(path: path)
            guard file.fileStatus == status else {
                throw MediaError(
                    .changedWhileRead, verdict: .failed, stage: .read, fileName: file.name,
                    message: "the file was written to after it was looked at"
                )
            }
            return file.takeReader()
        }
    }
}

/// A range of an ISO base media file that is replaced by a `free` box of the same size, so that no other box moves.
///
/// Source: ISO/IEC 14496-12, 8.1.2.
struct BoxErasure: Hashable, Sendable {
    private let range: Range<Int>
    /// The box header: the size, `free`, and a 64-bit size if 32 bits are too few. Zeros follow it.
    private let freeBoxHeader: [UInt8]

    private init(range: Range<Int>) {
        self.range = range
        func bytes(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
        }
        let name = Array("free".utf8)
        freeBoxHeader =
            range.count <= Int(UInt32.max)
            ? bytes(range.count, 4) + name : bytes(1, 4) + name + bytes(range.count, 8)
    }

    /// Returns the ranges to erase. Of nested boxes only the outermost is returned.
    static func boxErasures(for recording: Recording) -> [BoxErasure] {
        let ranges = recording.metadata.filter(\.isErasable).map(\.range).sorted {
            ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound)
        }
        var end = 0
        return ranges.compactMap { range in
            guard range.lowerBound >= end, range.count >= 8 else { return nil }
            end = range.upperBound
            return BoxErasure(range: range)
        }
    }

    /// Erases the part of the range that lies in `chunk`, which begins at `offset` of the file.
    func eraseBox(inChunk chunk: inout [UInt8], chunkOffset offset: Int) {
        for position in range.clamped(to: offset..<offset + chunk.count) {
            let index = position - range.lowerBound
            chunk[position - offset] = index < freeBoxHeader.count ? freeBoxHeader[index] : 0
        }
    }
}
