/// A box of an ISO base media file that is in memory: a size, a type and a content.
///
/// Source: ISO/IEC 14496-12, 4.2.
struct HEIFBox {
    /// The four characters of the type.
    let type: String
    /// The existing bytes after the header.
    let contentRange: Range<Int>
    /// The offset after the box as its header states it. It may be after the end of the file.
    let endOffset: Int
    /// Whether the box extends beyond the enclosing one, or beyond the end of the file.
    let isTruncated: Bool
}

/// Reads the boxes of a range one after the other.
struct HEIFBoxReader {
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
    mutating func nextBox() -> HEIFBox? {
        guard position < range.upperBound else { return nil }
        let start = position
        var reader = ByteReader(bytes, in: start..<range.upperBound)
        guard let size32 = reader.readUInt32(), let type = reader.readFourCC() else { return nil }
        let available = range.upperBound - start
        var size = size32
        if size32 == 1 {
            // A size of 63 bits or more is larger than any file.
            guard let high = reader.readUInt32(), high < 1 << 31, let low = reader.readUInt32() else { return nil }
            size = high << 32 | low
        } else if size32 == 0 {
            guard isTopLevel else { return nil }
            size = available
        }
        let headerByteCount = reader.position - start
        guard size >= headerByteCount, size <= Int.max - start else { return nil }
        position = start + min(size, available)
        return HEIFBox(
            type: type, contentRange: reader.position..<position, endOffset: start + size,
            isTruncated: size > available)
    }
}

extension ByteReader {
    /// Reads four characters.
    mutating func readFourCC() -> String? {
        guard remainingByteCount >= 4 else { return nil }
        defer { position += 4 }
        return String(decoding: bytes[position..<(position + 4)], as: UTF8.self)
    }

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
