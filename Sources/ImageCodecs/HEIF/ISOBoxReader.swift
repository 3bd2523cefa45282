internal import MediaContainers

/// Reads the boxes in a range of a file that is in memory, one after the other.
struct ISOBoxReader {
    private let bytes: [UInt8]
    private let range: Range<Int>
    /// Whether a box may extend to the end of the file, which a size of 0 states.
    private let isTopLevel: Bool
    private var position: Int

    /// Creates a reader of the boxes in `range`, clamped to `bytes`.
    init(_ bytes: [UInt8], in range: Range<Int>, isTopLevel: Bool = false) {
        self.bytes = bytes
        self.range = range.clamped(to: 0..<bytes.count)
        self.isTopLevel = isTopLevel
        position = self.range.lowerBound
    }

    /// Returns the next box, or `nil` at the end of the range, or if the bytes cannot be a box.
    mutating func nextBox() -> ISOBox? {
        let available = position..<range.upperBound
        var reader = ByteReader(bytes, in: available)
        guard let size = reader.readUInt32(), let type = reader.readFourCC() else { return nil }
        let largeSize = size == 1 ? reader.readInteger(byteCount: 8) : nil
        // A size with the highest bit is larger than any file.
        guard largeSize ?? 0 >= 0,
            let box = ISOBox(
                type: type, size: size, largeSize: largeSize.map { UInt64($0) }, availableRange: available,
                isTopLevel: isTopLevel)
        else { return nil }
        position = box.range.upperBound
        return box
    }
}

extension ByteReader {
    /// Reads four characters.
    mutating func readFourCC() -> FourCC? { readUInt32().map { FourCC(code: UInt32($0)) } }

    /// Reads the version and the flags of a full box: ISO/IEC 14496-12, 4.2.
    mutating func readVersionAndFlags() -> (version: Int, flags: Int)? {
        guard let version = readUInt8(), let flags = readInteger(byteCount: 3) else { return nil }
        return (version, flags)
    }

    /// Reads the text up to a zero, without it.
    mutating func readNullTerminatedText() -> String? {
        guard let end = bytes[position..<endPosition].firstIndex(of: 0) else { return nil }
        defer { position = end + 1 }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }
}
