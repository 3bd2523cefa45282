/// A box, which QuickTime calls an atom: a size, a type and a content, which may be more boxes. ISO/IEC 14496-12, 4.2.
struct Box {
    let type: FourCC
    /// All of it that is there, its header included.
    let range: Range<Int>
    /// What is behind the header.
    let content: Range<Int>
    /// Whether it claims more bytes than whatever holds it has.
    let isCut: Bool
    /// What it claims, its header included; nil if it goes on to the end of the file, whatever that is.
    let stated: UInt64?

    /// Whether its content is more boxes and nothing else, so that only its children matter.
    var isHolder: Bool {
        switch type {
        case "mdia", "minf", "stbl", "edts", "mvex": true
        default: false
        }
    }
}

/// Finds the boxes in a range one behind the other, and counts them all.
struct BoxWalker {
    let limits: AudioLimits
    private var walked = 0

    init(_ limits: AudioLimits) { self.limits = limits }

    /// The box at `offset`; nil at the end of `holder`, or if what is there can't be a box.
    ///
    /// - Parameter depth: how many boxes it is inside of; only at depth 0 may a box go on to the end of the file.
    /// - Throws: `limit-exceeded`.
    mutating func box(
        at offset: Int, in holder: Range<Int>, depth: Int, _ window: inout ByteWindow
    ) throws(AudioError) -> Box? {
        guard holder.upperBound - offset >= 8, let size = try window.uint32(at: offset),
            let type = try window.fourCC(at: offset + 4)
        else { return nil }
        try count(depth, offset)
        let available = holder.upperBound - offset
        if size == 0 && depth == 0 { return Box(type, offset, header: 8, stated: nil, available) }
        if size != 1 { return size < 8 ? nil : Box(type, offset, header: 8, stated: UInt64(size), available) }
        guard available >= 16, let long = try window.uint64(at: offset + 8) else { return nil }
        return long < 16 ? nil : Box(type, offset, header: 16, stated: long, available)
    }

    private mutating func count(_ depth: Int, _ offset: Int) throws(AudioError) {
        walked += 1
        if walked > limits.elements {
            throw AudioError(.limit, offset: offset, "there are more than \(limits.elements) boxes")
        }
        if depth > limits.nesting {
            throw AudioError(.limit, offset: offset, "boxes are more than \(limits.nesting) deep inside one another")
        }
    }
}

extension Box {
    fileprivate init(_ type: FourCC, _ offset: Int, header: Int, stated: UInt64?, _ available: Int) {
        self.type = type
        self.stated = stated
        isCut = stated.map { $0 > UInt64(available) } ?? false
        range = offset..<offset + (isCut ? available : stated.map { Int($0) } ?? available)
        content = offset + header..<range.upperBound
    }

    /// Whether its type is of printable characters, as every registered one is.
    var isPlausible: Bool { type.bytes.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0xA9 } }

    /// The field of a full box whose place and width depend on the version: 4 bytes wide in 0, 8 in 1. All ones, which
    /// say that it isn't known, and what is beyond every file are nil.
    func field(at short: Int, or long: Int, in window: inout ByteWindow) throws(AudioError) -> Int? {
        let isLong = try window.uint8(at: content.lowerBound) == 1
        let offset = content.lowerBound + (isLong ? long : short)
        guard offset + (isLong ? 8 : 4) <= content.upperBound else { return nil }
        if isLong { return try window.uint64(at: offset).flatMap { Int(exactly: $0) } }
        return try window.uint32(at: offset).flatMap { $0 == 0xFFFF_FFFF ? nil : $0 }
    }

    /// Four bytes of the content as a number; nil behind its end.
    func uint32(at offset: Int, in window: inout ByteWindow) throws(AudioError) -> Int? {
        let position = content.lowerBound + offset
        return position + 4 <= content.upperBound ? try window.uint32(at: position) : nil
    }
}
