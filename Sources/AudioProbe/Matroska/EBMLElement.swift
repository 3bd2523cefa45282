/// The head of an element: an id, a size and what follows. RFC 8794, sections 4 to 6.
struct EBMLElement {
    let id: Int
    /// Where the id begins.
    let start: Int
    /// Where the content begins.
    let content: Int
    /// Bytes of the content; nil if the writer did not know, as in a live recording. Below 2^56.
    let size: Int?

    /// The element's first byte and all its bytes, as far as its size is known.
    var range: Range<Int> { start..<end }
    /// Where the content ends; without a known size, where it begins.
    var end: Int { content + (size ?? 0) }

    /// The head at `offset`; nil if there is none, or it is cut short.
    ///
    /// Matroska's ids have at most four bytes and its sizes at most eight: RFC 9559, section 4.
    @inline(__always)
    init?(at offset: Int, in window: inout ByteWindow) throws(AudioError) {
        guard let first = try window.uint8(at: offset), first >= 0x10, first < 0xFF else { return nil }
        let idLength = UInt8(first).leadingZeroBitCount + 1
        var id = first
        for i in 1..<idLength {
            guard let byte = try window.uint8(at: offset + i) else { return nil }
            id = id << 8 | byte
        }
        guard let size = try EBMLNumber(at: offset + idLength, in: &window) else { return nil }
        self.id = id
        start = offset
        content = offset + idLength + size.length
        self.size = size.isAllOnes ? nil : size.value
    }
}

/// A number that says in its first byte how many bytes it has: RFC 8794, section 4.
struct EBMLNumber {
    /// Below 2^56.
    let value: Int
    /// Bytes it takes, 1 to 8.
    let length: Int

    /// Nil if there is none at `offset`, or it is cut short.
    @inline(__always)
    init?(at offset: Int, in window: inout ByteWindow) throws(AudioError) {
        guard let first = try window.uint8(at: offset), first > 0 else { return nil }
        length = UInt8(first).leadingZeroBitCount + 1
        var value = first & (0xFF >> length)
        for i in 1..<length {
            guard let byte = try window.uint8(at: offset + i) else { return nil }
            value = value << 8 | byte
        }
        self.value = value
    }

    /// All bits set, however many the length leaves: as a size it means that it isn't known (section 6.2).
    var isAllOnes: Bool { value == 1 << (7 * length) - 1 }
    /// The number less the middle of its range, as EBML lacing writes differences: RFC 9559, section 10.3.3.
    var signed: Int { value - (1 << (7 * length - 1) - 1) }
}

// MARK: - Children and values

/// Walks through the elements of a header one by one, and counts them against the limit.
struct EBMLReader {
    /// How many more there may be.
    private var remaining: Int
    private let limit: Int

    init(_ limits: AudioLimits) {
        limit = limits.elements
        remaining = limit
    }

    /// The element at `position`, which then is where the next begins; nil at `end`, or where what is there is no
    /// element that ends by then.
    mutating func next(
        _ position: inout Int, before end: Int, in window: inout ByteWindow
    ) throws(AudioError) -> EBMLElement? {
        guard position < end, let element = try EBMLElement(at: position, in: &window), let size = element.size,
            size <= end - element.content
        else { return nil }
        try count(at: position)
        position = element.end
        return element
    }

    /// Counts an element.
    mutating func count(at offset: Int) throws(AudioError) {
        remaining -= 1
        if remaining < 0 { throw AudioError(.limit, offset: offset, "there are more than \(limit) elements") }
    }
}

extension EBMLElement {
    /// The content as a whole number, 0 if it is empty; nil if it is longer than 8 bytes, or not all there.
    func unsigned(_ window: inout ByteWindow) throws(AudioError) -> UInt64? {
        guard let size, size <= 8 else { return nil }
        var value: UInt64 = 0
        for index in 0..<size {
            guard let byte = try window.uint8(at: content + index) else { return nil }
            value = value << 8 | UInt64(byte)
        }
        return value
    }

    /// The content as a whole number, the largest there is in place of larger ones.
    func integer(_ window: inout ByteWindow) throws(AudioError) -> Int? {
        try unsigned(&window).map { Int(clamping: $0) }
    }

    /// The content as a whole number with a sign.
    func signed(_ window: inout ByteWindow) throws(AudioError) -> Int? {
        guard let size, size > 0, let value = try unsigned(&window) else { return nil }
        return Int(Int64(bitPattern: value << UInt64(64 - 8 * size)) >> Int64(64 - 8 * size))
    }

    /// The content as a floating-point number of 4 or 8 bytes; nil if it isn't finite.
    func float(_ window: inout ByteWindow) throws(AudioError) -> Double? {
        guard let bits = try unsigned(&window) else { return nil }
        let value =
            switch size {
            case 0: 0.0
            case 4: Double(Float(bitPattern: UInt32(bits)))
            case 8: Double(bitPattern: bits)
            default: Double.nan
            }
        return value.isFinite ? value : nil
    }

    /// The content as text up to the first zero, of which at most 256 bytes are looked at: names of codecs and tags.
    func text(_ window: inout ByteWindow) throws(AudioError) -> String? {
        guard let size, let bytes = try window.bytes(at: content, count: min(size, 256)) else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The content; nil if it is longer than a window holds.
    func bytes(_ window: inout ByteWindow) throws(AudioError) -> [UInt8]? {
        guard let size, size <= ByteWindow.largest else { return nil }
        return try window.bytes(at: content, count: size)
    }
}
