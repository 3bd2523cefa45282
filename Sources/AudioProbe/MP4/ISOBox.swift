/// A box, which QuickTime calls an atom: a size, a type and a content, which may be more boxes. ISO/IEC 14496-12, 4.2.
struct ISOBox {
    let type: FourCC
    /// All of it that is there, its header included.
    let range: Range<Int>
    /// What is behind the header.
    let contentRange: Range<Int>
    /// Whether it claims more bytes than whatever holds it has.
    let isTruncated: Bool
    /// What it claims, its header included; nil if it goes on to the end of the file, whatever that is.
    let declaredSize: UInt64?

    /// Whether its content is more boxes and nothing else, so that only its children matter.
    var isContainerBox: Bool {
        switch type {
        case "mdia", "minf", "stbl", "edts", "mvex": true
        default: false
        }
    }
}

/// Finds the boxes in a range one behind the other, and counts them all.
struct ISOBoxWalker {
    let limits: AudioLimits
    private var visitedBoxCount = 0

    init(limits: AudioLimits) { self.limits = limits }

    /// The box at `offset`; nil at the end of `parentRange`, or if what is there can't be a box.
    ///
    /// - Parameter depth: how many boxes it is inside of; only at depth 0 may a box go on to the end of the file.
    /// - Throws: `limit-exceeded`.
    mutating func readBox(
        at offset: Int, within parentRange: Range<Int>, depth: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> ISOBox? {
        guard parentRange.upperBound - offset >= 8, let size = try reader.uint32(at: offset),
            let type = try reader.fourCC(at: offset + 4)
        else { return nil }
        try countBox(depth: depth, offset: offset)
        let available = parentRange.upperBound - offset
        if size == 0 && depth == 0 {
            return ISOBox(type: type, offset: offset, headerLength: 8, declaredSize: nil, availableBytes: available)
        }
        if size != 1 {
            return size < 8
                ? nil
                : ISOBox(
                    type: type, offset: offset, headerLength: 8, declaredSize: UInt64(size), availableBytes: available)
        }
        guard available >= 16, let largeSize = try reader.uint64(at: offset + 8) else { return nil }
        return largeSize < 16
            ? nil
            : ISOBox(type: type, offset: offset, headerLength: 16, declaredSize: largeSize, availableBytes: available)
    }

    private mutating func countBox(depth: Int, offset: Int) throws(AudioError) {
        visitedBoxCount += 1
        if visitedBoxCount > limits.elements {
            throw AudioError(.limitExceeded, offset: offset, message: "there are more than \(limits.elements) boxes")
        }
        if depth > limits.nesting {
            throw AudioError(
                .limitExceeded, offset: offset, message: "boxes are more than \(limits.nesting) deep inside one another"
            )
        }
    }
}

extension ISOBox {
    fileprivate init(type: FourCC, offset: Int, headerLength: Int, declaredSize: UInt64?, availableBytes available: Int)
    {
        self.type = type
        self.declaredSize = declaredSize
        isTruncated = declaredSize.map { $0 > UInt64(available) } ?? false
        range = offset..<offset + (isTruncated ? available : declaredSize.map { Int($0) } ?? available)
        contentRange = offset + headerLength..<range.upperBound
    }

    /// Whether its type is of printable characters, as every registered one is.
    var hasPlausibleType: Bool { type.bytes.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0xA9 } }

    /// The field of a full box whose place and width depend on the version: 4 bytes wide in 0, 8 in 1. All ones, which
    /// say that it isn't known, and what is beyond every file are nil.
    func versionedField(version0Offset short: Int, version1Offset long: Int, in reader: inout BufferedFileReader)
        throws(AudioError) -> Int?
    {
        let isLong = try reader.uint8(at: contentRange.lowerBound) == 1
        let offset = contentRange.lowerBound + (isLong ? long : short)
        guard offset + (isLong ? 8 : 4) <= contentRange.upperBound else { return nil }
        if isLong { return try reader.uint64(at: offset).flatMap { Int(exactly: $0) } }
        return try reader.uint32(at: offset).flatMap { $0 == 0xFFFF_FFFF ? nil : $0 }
    }

    /// Four bytes of the content as a number; nil behind its end.
    func uint32(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        let position = contentRange.lowerBound + offset
        return position + 4 <= contentRange.upperBound ? try reader.uint32(at: position) : nil
    }
}
