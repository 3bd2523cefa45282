internal import MediaContainers

/// Reads the boxes in a range one after the other, and counts them against the limit.
struct ISOBoxWalker {
    let limits: AudioLimits
    private var visitedBoxCount = 0

    init(limits: AudioLimits) { self.limits = limits }

    /// Reads the box at `offset`.
    ///
    /// - Parameters:
    ///   - offset: The offset of the box.
    ///   - parentRange: The range that must contain the box.
    ///   - depth: The number of enclosing boxes. Only at depth 0 may a box extend to the end of the file.
    ///   - reader: The file.
    /// - Returns: `nil` at the end of `parentRange`, or if the bytes cannot be a box.
    /// - Throws: ``AudioError/Code/limitExceeded``, and the errors of the reader.
    mutating func readBox(
        at offset: Int, within parentRange: Range<Int>, depth: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> ISOBox? {
        guard parentRange.upperBound - offset >= 8, let size = try reader.uint32(at: offset),
            let type = try reader.fourCC(at: offset + 4)
        else { return nil }
        try countBox(depth: depth, offset: offset)
        return ISOBox(
            type: type, size: size, largeSize: size == 1 ? try reader.uint64(at: offset + 8) : nil,
            availableRange: offset..<parentRange.upperBound, isTopLevel: depth == 0)
    }

    private mutating func countBox(depth: Int, offset: Int) throws(AudioError) {
        visitedBoxCount += 1
        if visitedBoxCount > limits.elements {
            throw AudioError(.limitExceeded, offset: offset, message: "too many boxes (at most \(limits.elements))")
        }
        if depth > limits.nesting {
            throw AudioError(
                .limitExceeded, offset: offset,
                message: "the boxes are nested too deeply (at most \(limits.nesting) levels)"
            )
        }
    }
}

extension ISOBox {
    /// Whether the content consists only of other boxes.
    var isContainerBox: Bool {
        switch type {
        case "mdia", "minf", "stbl", "edts", "mvex": true
        default: false
        }
    }

    /// Whether the type consists of printable characters, as every registered type does.
    var hasPlausibleType: Bool { type.bytes.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0xA9 } }

    /// Returns a field of a full box that has 4 bytes in version 0 and 8 bytes in version 1.
    ///
    /// - Returns: `nil` for all ones, which means unknown, for values above `Int.max`, and beyond the end of the box.
    func versionedField(version0Offset short: Int, version1Offset long: Int, in reader: inout BufferedFileReader)
        throws(AudioError) -> Int?
    {
        let isLong = try reader.uint8(at: contentRange.lowerBound) == 1
        let offset = contentRange.lowerBound + (isLong ? long : short)
        guard offset + (isLong ? 8 : 4) <= contentRange.upperBound else { return nil }
        if isLong { return try reader.uint64(at: offset).flatMap { Int(exactly: $0) } }
        return try reader.uint32(at: offset).flatMap { $0 == 0xFFFF_FFFF ? nil : $0 }
    }

    /// Returns the 32-bit unsigned integer at `offset` of the content, or `nil` beyond its end.
    func uint32(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        let position = contentRange.lowerBound + offset
        return position + 4 <= contentRange.upperBound ? try reader.uint32(at: position) : nil
    }
}
