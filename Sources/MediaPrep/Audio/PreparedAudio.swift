internal import AudioProbe

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A recording ready to be sent: the source's bytes, but for positions and the like, which are blanked as they are read.
///
/// Nothing of it is in memory unless the source was: a recording of 2 GB costs what a short one does.
public struct PreparedAudio: Sendable {
    /// Where the bytes are.
    private enum Source: Sendable {
        /// A file, and which version of it was looked at.
        case file([UInt8], FileVersion?)
        /// In memory.
        case data([UInt8])
    }

    /// What is known of it.
    public let report: AudioReport
    private let source: Source
    private let erasures: [Erasure]

    private init(_ report: AudioReport, of source: Source) {
        self.report = report
        self.source = source
        erasures = Erasure.all(of: report.recording)
    }

    /// The recording in `file`, which `report` is about.
    ///
    /// - Precondition: the report doesn't reject it.
    package init(_ report: AudioReport, of file: borrowing SourceFile) {
        precondition(report.verdict != .rejected)
        switch file.origin {
        case .path(let path): self.init(report, of: .file(path, file.version))
        case .bytes(let bytes): self.init(report, of: .data(bytes))
        }
    }

    /// Bytes to be sent, as many as the source has.
    public var byteCount: Int { report.byteCount }

    /// Gives `body` all bytes in order, in chunks of 256 KiB. It can be called again.
    ///
    /// - Throws: `changed-while-read` if the file isn't the one that was looked at, `unreadable`, and what `body` throws.
    public func forEachChunk(_ body: ([UInt8]) throws -> Void) throws {
        var window = try open()
        var offset = 0
        while offset < window.byteCount {
            var chunk = try Self.chunk(at: offset, of: &window)
            for erasure in erasures { erasure.apply(to: &chunk, from: offset) }
            try body(chunk)
            offset += chunk.count
        }
        // What was written to it meanwhile was not looked at, and may hold a position.
        _ = try open()
    }

    private static func chunk(at offset: Int, of window: inout BufferedFileReader) throws(MediaError) -> [UInt8] {
        do throws(AudioError) {
            return try window.bytes(at: offset, count: min(BufferedFileReader.maxBufferSize, window.byteCount - offset))
                ?? []
        } catch {
            throw MediaError(error, file: nil)
        }
    }

    /// All bytes at once.
    ///
    /// - Throws: as `forEachChunk(_:)`.
    public func data() throws -> Data {
        var data = Data(capacity: byteCount)
        try forEachChunk { data.append(contentsOf: $0) }
        return data
    }

    private func open() throws(MediaError) -> BufferedFileReader {
        switch source {
        case .data(let bytes): return BufferedFileReader(bytes: bytes)
        case .file(let path, let version):
            let file = try SourceFile(path: path)
            guard file.version == version else {
                throw MediaError(
                    .changedWhileRead, .failed, .read, file: file.name, "the file was written to after it was looked at"
                )
            }
            return file.intoWindow()
        }
    }
}

/// Bytes of an ISO base media file that are overwritten by a `free` box of the same size, so that nothing else moves:
/// ISO/IEC 14496-12, 8.1.2.
struct Erasure: Hashable, Sendable {
    private let range: Range<Int>
    /// The size, `free`, and the size again in 64 bits if 32 don't hold it; zeros follow.
    private let header: [UInt8]

    private init(_ range: Range<Int>) {
        self.range = range
        func bytes(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
        }
        let name = Array("free".utf8)
        header =
            range.count <= Int(UInt32.max)
            ? bytes(range.count, 4) + name : bytes(1, 4) + name + bytes(range.count, 8)
    }

    /// What is to be erased from a recording, the outer ones of boxes inside one another.
    static func all(of recording: Recording) -> [Erasure] {
        let ranges = recording.metadata.filter(\.isErasable).map(\.range).sorted {
            ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound)
        }
        var end = 0
        return ranges.compactMap { range in
            guard range.lowerBound >= end, range.count >= 8 else { return nil }
            end = range.upperBound
            return Erasure(range)
        }
    }

    /// Blanks the part of it that lies in `chunk`, which begins at `offset` of the file.
    func apply(to chunk: inout [UInt8], from offset: Int) {
        for place in range.clamped(to: offset..<offset + chunk.count) {
            let index = place - range.lowerBound
            chunk[place - offset] = index < header.count ? header[index] : 0
        }
    }
}
