/// How a stream is to be decoded, in descriptors inside one another, each a tag, a length of 7 bits a byte and a
/// content: ISO/IEC 14496-1, 7.2.6. MP4 has it in `esds`, CAF in `kuki`.
struct ElementaryStreamDescriptor {
    /// The codec's number.
    private(set) var objectTypeIndication = 0
    /// What the codec itself asks for.
    private(set) var decoderSpecificInfo: ArraySlice<UInt8>?

    /// Nil if no decoder is described.
    ///
    /// - Parameter bytes: in MP4 those behind the box's version and flags.
    init?(bytes: ArraySlice<UInt8>) {
        var rest = bytes
        guard let stream = Self.readDescriptor(tag: 3, from: &rest), stream.count >= 3 else { return nil }
        let flags = stream[stream.startIndex + 2]
        var inner = stream.dropFirst(3)
        if flags & 0x80 != 0 { inner = inner.dropFirst(2) }
        if flags & 0x40 != 0, let length = inner.first { inner = inner.dropFirst(1 + Int(length)) }
        if flags & 0x20 != 0 { inner = inner.dropFirst(2) }
        guard let decoder = Self.readDescriptor(tag: 4, from: &inner), decoder.count >= 13, let type = decoder.first
        else {
            return nil
        }
        objectTypeIndication = Int(type)
        var specific = decoder.dropFirst(13)
        decoderSpecificInfo = Self.readDescriptor(tag: 5, from: &specific)
    }

    /// The content of the descriptor that `bytes` begin with, if it has that tag; one that is too long is clipped.
    private static func readDescriptor(tag: UInt8, from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.popFirst() == tag else { return nil }
        var length = 0
        // Four bytes of seven bits at most.
        for _ in 0..<4 {
            guard let byte = bytes.popFirst() else { return nil }
            length = length << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { break }
        }
        defer { bytes = bytes.dropFirst(length) }
        return bytes.prefix(length)
    }
}
