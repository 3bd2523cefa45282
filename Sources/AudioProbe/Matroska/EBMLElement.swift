/// The head of an element: an id, a size and what follows. RFC 8794, sections 4 to 6.
struct EBMLElement {
    let id: Int
    /// Where the id begins.
    let startOffset: Int
    /// Where the content begins.
    let contentOffset: Int
    /// Bytes of the content; nil if the writer did not know, as in a live recording. Below 2^56.
    let contentSize: Int?

    /// The element's first byte and all its bytes, as far as its size is known.
    var range: Range<Int> { startOffset..<endOffset }
    /// Where the content ends; without a known size, where it begins.
    var endOffset: Int { contentOffset + (contentSize ?? 0) }

    /// The head at `offset`; nil if there is none, or it is cut short.
    ///
    /// Matroska's ids have at most four bytes and its sizes at most eight: RFC 9559, section 4.
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

/// A number that says in its first byte how many bytes it has: RFC 8794, section 4.
struct EBMLVariableInteger {
    /// Below 2^56.
    let value: Int
    /// Bytes it takes, 1 to 8.
    let encodedLength: Int

    /// Nil if there is none at `offset`, or it is cut short.
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

    /// All bits set, however many the length leaves: as a size it means that it isn't known (section 6.2).
    var hasAllBitsSet: Bool { value == 1 << (7 * encodedLength) - 1 }
    /// The number less the middle of its range, as EBML lacing writes differences: RFC 9559, section 10.3.3.
    var signedLacingDifference: Int { value - (1 << (7 * encodedLength - 1) - 1) }
}

// MARK: - Children and values

/// Walks through the elements of a header one by one, and counts them against the limit.
struct EBMLElementWalker {
    /// How many more there may be.
    private var remainingElementCount: Int
    private let elementLimit: Int

    init(limits: AudioLimits) {
        elementLimit = limits.elements
        remainingElementCount = elementLimit
    }

    /// The element at `position`, which then is where the next begins; nil at `endOffset`, or where what is there is no
    /// element that ends by then.
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

    /// Counts an element.
    mutating func countElement(at offset: Int) throws(AudioError) {
        remainingElementCount -= 1
        if remainingElementCount < 0 {
            throw AudioError(.limitExceeded, offset: offset, message: "there are more than \(elementLimit) elements")
        }
    }
}

extension EBMLElement {
    /// The content as a whole number, 0 if it is empty; nil if it is longer than 8 bytes, or not all there.
    func readUnsignedInteger(in reader: inout BufferedFileReader) throws(AudioError) -> UInt64? {
        guard let contentSize, contentSize <= 8 else { return nil }
        var value: UInt64 = 0
        for index in 0..<contentSize {
            guard let byte = try reader.uint8(at: contentOffset + index) else { return nil }
            value = value << 8 | UInt64(byte)
        }
        return value
    }

    /// The content as a whole number, the largest there is in place of larger ones.
    func readClampedInteger(in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        try readUnsignedInteger(in: &reader).map { Int(clamping: $0) }
    }

    /// The content as a whole number with a sign.
    func readSignedInteger(in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        guard let contentSize, contentSize > 0, let value = try readUnsignedInteger(in: &reader) else { return nil }
        return Int(Int64(bitPattern: value << UInt64(64 - 8 * contentSize)) >> Int64(64 - 8 * contentSize))
    }

    /// The content as a floating-point number of 4 or 8 bytes; nil if it isn't finite.
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

    /// The content as text up to the first zero, of which at most 256 bytes are looked at: names of codecs and tags.
    func readText(in reader: inout BufferedFileReader) throws(AudioError) -> String? {
        guard let contentSize, let bytes = try reader.bytes(at: contentOffset, count: min(contentSize, 256)) else {
            return nil
        }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The content; nil if it is longer than a window holds.
    func readContent(in reader: inout BufferedFileReader) throws(AudioError) -> [UInt8]? {
        guard let contentSize, contentSize <= BufferedFileReader.maxBufferSize else { return nil }
        return try reader.bytes(at: contentOffset, count: contentSize)
    }
}
