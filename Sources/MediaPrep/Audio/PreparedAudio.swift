internal import AudioProbe

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A recording ready to be sent: the source's bytes, but for positions and the like, which are blanked as they are
/// read.
///
/// Nothing of it is in memory unless the source was: a recording of 2 GB costs what a short one does.
public struct PreparedAudio: Sendable {
    /// Where the bytes are.
    private enum ByteSource: Sendable {
        /// A file, and which version of it was looked at.
        case file(path: [UInt8], version: FileVersion?)
        /// In memory.
        case bytes([UInt8])
    }

    /// What is known of it.
    public let report: AudioReport
    private let source: ByteSource
    private let boxErasures: [BoxErasure]

    private init(report: AudioReport, source: ByteSource) {
        self.report = report
        self.source = source
        boxErasures = BoxErasure.boxErasures(for: report.recording)
    }

    /// The recording in `file`, which `report` is about.
    ///
    /// - Precondition: the report doesn't reject it.
    package init(report: AudioReport, source file: borrowing SourceFile) {
        precondition(report.verdict != .rejected)
        switch file.byteSource {
        case .path(let path): self.init(report: report, source: .file(path: path, version: file.fileVersion))
        case .bytes(let bytes): self.init(report: report, source: .bytes(bytes))
        }
    }

    /// Bytes to be sent, as many as the source has.
    public var byteCount: Int { report.byteCount }

    /// Gives `body` all bytes in order, in chunks of 256 KiB. It can be called again.
    ///
    /// - Throws: `changed-while-read` if the file isn't the one that was looked at, `unreadable`, and what `body`
    ///   throws.
    public func forEachChunk(_ body: ([UInt8]) throws -> Void) throws {
        var reader = try openReader()
        var offset = 0
        while offset < reader.byteCount {
            var chunk = try Self.readChunk(at: offset, from: &reader)
            for erasure in boxErasures { erasure.eraseBox(inChunk: &chunk, chunkOffset: offset) }
            try body(chunk)
            offset += chunk.count
        }
        // What was written to it meanwhile was not looked at, and may hold a position.
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

    /// All bytes at once.
    ///
    /// - Throws: as `forEachChunk(_:)`.
    public func readAllData() throws -> Data {
        var data = Data(capacity: byteCount)
        try forEachChunk { data.append(contentsOf: $0) }
        return data
    }

    private func openReader() throws(MediaError) -> BufferedFileReader {
        switch source {
        case .bytes(let bytes): return BufferedFileReader(bytes: bytes)
        case .file(path: let path, version: let version):
            let file = try SourceFile(path: path)
            guard file.fileVersion == version else {
                throw MediaError(
                    .changedWhileRead, verdict: .failed, stage: .read, fileName: file.name,
                    message: "the file was written to after it was looked at"
                )
            }
            return file.takeReader()
        }
    }
}

/// Bytes of an ISO base media file that are overwritten by a `free` box of the same size, so that nothing else moves:
/// ISO/IEC 14496-12, 8.1.2.
struct BoxErasure: Hashable, Sendable {
    private let range: Range<Int>
    /// The size, `free`, and the size again in 64 bits if 32 don't hold it; zeros follow.
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

    /// What is to be erased from a recording, the outer ones of boxes inside one another.
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

    /// Blanks the part of it that lies in `readChunk`, which begins at `offset` of the file.
    func eraseBox(inChunk chunk: inout [UInt8], chunkOffset offset: Int) {
        for position in range.clamped(to: offset..<offset + chunk.count) {
            let index = position - range.lowerBound
            chunk[position - offset] = index < freeBoxHeader.count ? freeBoxHeader[index] : 0
        }
    }
}
