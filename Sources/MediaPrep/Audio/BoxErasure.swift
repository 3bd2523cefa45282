internal import AudioProbe

/// A range of an ISO base media file that is replaced by a `free` box of the same size, so that no other box moves.
///
/// Source: ISO/IEC 14496-12, 8.1.2.
struct BoxErasure: Hashable, Sendable {
    private let range: Range<Int>
    /// The box header: the size, `free`, and a 64-bit size if 32 bits are too few. Zeros follow it.
    private let freeBoxHeader: [UInt8]

    private init(range: Range<Int>) {
        self.range = range
        func bigEndianBytes(of value: Int, count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
        }
        let name = Array("free".utf8)
        freeBoxHeader =
            range.count <= Int(UInt32.max)
            ? bigEndianBytes(of: range.count, count: 4) + name
            : bigEndianBytes(of: 1, count: 4) + name + bigEndianBytes(of: range.count, count: 8)
    }

    /// Returns the ranges to erase. Of nested boxes only the outermost is returned.
    static func makeErasures(for recording: Recording) -> [BoxErasure] {
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
