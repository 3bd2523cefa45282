/// The header of an EBML element: an ID and a size. RFC 8794, sections 4 to 6.
struct EBMLElement {
    let id: Int
    /// The offset of the ID.
    let startOffset: Int
    /// The offset of the content.
    let contentOffset: Int
    /// Bytes of the content, below 2^56, or `nil` if the writer did not know the size, as in a live stream.
    let contentSize: Int?

    /// The bytes of the element. Without a known size, only its header.
    var range: Range<Int> { startOffset..<endOffset }
    /// The offset at which the content ends. Without a known size, that at which it begins.
    var endOffset: Int { contentOffset + (contentSize ?? 0) }

    /// Reads the header at `offset`. Returns `nil` if it is invalid or truncated.
    ///
    /// Matroska IDs have at most four bytes and sizes at most eight: RFC 9559, section 4.
    @inline(__always)
    init?(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let first = try reader.uint8(at: offset), first >= 0x10, first < 0xFF else { return nil }
        let idLength = UInt8(first).leadingZeroBitCount + 1
        var id = first
        for i in 1..<idLength {
            guard let byte = try reader.uint8(at: offset + i) else { return nil }
            id = id << 8 | byte
        }
        guard let size = try EBMLVariableInteger(at: offset + idLength, in: &reader) else { return nil }
        self.id = id
        startOffset = offset
        contentOffset = offset + idLength + size.encodedLength
        self.contentSize = size.hasAllBitsSet ? nil : size.value
    }
}

/// An integer that states its own length in its first byte: RFC 8794, section 4.
struct EBMLVariableInteger {
    /// The value, below 2^56.
    let value: Int
    /// The length of the integer in bytes, 1 to 8.
    let encodedLength: Int

    /// Reads the integer at `offset`. Returns `nil` if it is invalid or truncated.
    @inline(__always)
    init?(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let first = try reader.uint8(at: offset), first > 0 else { return nil }
        encodedLength = UInt8(first).leadingZeroBitCount + 1
        var value = first & (0xFF >> encodedLength)
        for i in 1..<encodedLength {
            guard let byte = try reader.uint8(at: offset + i) else { return nil }
            value = value << 8 | byte
        }
        self.value = value
    }

    /// Whether all bits of the value are set. As a size, this means unknown: RFC 8794, section 6.2.
    var hasAllBitsSet: Bool { value == 1 << (7 * encodedLength) - 1 }
    /// The value less the middle of its range, as EBML lacing encodes differences: RFC 9559, section 10.3.3.
    var signedLacingDifference: Int { value - (1 << (7 * encodedLength - 1) - 1) }
}

// MARK: - Children and values

/// Reads the elements of a header one after the other, and counts them against the limit.
struct EBMLElementWalker {
    /// How many more elements may follow before the limit is exceeded.
    private var remainingElementCount: Int
    private let elementLimit: Int

    init(limits: AudioLimits) {
        elementLimit = limits.elements
        remainingElementCount = elementLimit
    }

    /// Returns the element at `position`, and advances `position` past it.
    ///
    /// - Returns: `nil` at `end`, or if no element that ends by then begins there.
    /// - Throws: ``AudioError/Code/limitExceeded``, and the errors of the reader.
    mutating func nextElement(
        position: inout Int, before end: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> EBMLElement? {
        guard position < end, let element = try EBMLElement(at: position, in: &reader), let size = element.contentSize,
            size <= end - element.contentOffset
        else { return nil }
        try countElement(at: position)
        position = element.endOffset
        return element
    }

    /// Counts one element.
    ///
    /// - Throws: ``AudioError/Code/limitExceeded``.
    mutating func countElement(at offset: Int) throws(AudioError) {
        remainingElementCount -= 1
        if remainingElementCount < 0 {
            throw AudioError(.limitExceeded, offset: offset, message: "too many elements (at most \(elementLimit))")
        }
    }
}

extension EBMLElement {
    /// Returns the content as an unsigned integer, 0 if it is empty, or `nil` if it exceeds 8 bytes or is truncated.
    func readUnsignedInteger(in reader: inout BufferedFileReader) throws(AudioError) -> UInt64? {
        guard let contentSize, contentSize <= 8 else { return nil }
        var value: UInt64 = 0
        for index in 0..<contentSize {
            guard let byte = try reader.uint8(at: contentOffset + index) else { return nil }
            value = value << 8 | UInt64(byte)
        }
        return value
    }

    /// Returns the content as an unsigned integer, clamped to `Int.max`.
    func readClampedInteger(in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        try readUnsignedInteger(in: &reader).map { Int(clamping: $0) }
    }

    /// Returns the content as a signed integer.
    func readSignedInteger(in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        guard let contentSize, contentSize > 0, let value = try readUnsignedInteger(in: &reader) else { return nil }
        return Int(Int64(bitPattern: value << UInt64(64 - 8 * contentSize)) >> Int64(64 - 8 * contentSize))
    }

    /// Returns the content as a floating-point number of 4 or 8 bytes, or `nil` if it is not finite.
    func readFloatingPoint(in reader: inout BufferedFileReader) throws(AudioError) -> Double? {
        guard let bits = try readUnsignedInteger(in: &reader) else { return nil }
        let value =
            switch contentSize {
            case 0: 0.0
            case 4: Double(Float(bitPattern: UInt32(bits)))
            case 8: Double(bitPattern: bits)
            default: Double.nan
            }
        return value.isFinite ? value : nil
    }

    /// Returns the first 256 bytes of the content as text, up to the first zero. The names of codecs and tags are
    /// shorter.
    func readText(in reader: inout BufferedFileReader) throws(AudioError) -> String? {
        guard let contentSize, let bytes = try reader.bytes(at: contentOffset, count: min(contentSize, 256)) else {
            return nil
        }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Returns the content, or `nil` if it is larger than the reader's buffer.
    func readContent(in reader: inout BufferedFileReader) throws(AudioError) -> [UInt8]? {
        guard let contentSize, contentSize <= BufferedFileReader.maxBufferSize else { return nil }
        return try reader.bytes(at: contentOffset, count: contentSize)
    }
}
