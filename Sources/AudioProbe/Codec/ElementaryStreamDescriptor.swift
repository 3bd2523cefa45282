/// The decoder configuration in MPEG-4's nested descriptors: ISO/IEC 14496-1, 7.2.6.
///
/// Each descriptor is a tag, a length of 7 bits per byte, and a content. MP4 stores it in `esds`, CAF in `kuki`.
struct ElementaryStreamDescriptor {
    /// The number that identifies the codec.
    private(set) var objectTypeIndication = 0
    /// The codec's own configuration.
    private(set) var decoderSpecificInfo: ArraySlice<UInt8>?

    /// Parses a descriptor. Returns `nil` if it describes no decoder.
    ///
    /// - Parameter bytes: The descriptor. In MP4, these are the bytes after the box's version and flags.
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

    /// Removes the first descriptor from `bytes`.
    ///
    /// - Returns: The content, clipped to the bytes that exist, or `nil` if the descriptor has another tag.
    private static func readDescriptor(tag: UInt8, from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.popFirst() == tag else { return nil }
        var length = 0
        // A length has at most four bytes of seven bits.
        for _ in 0..<4 {
            guard let byte = bytes.popFirst() else { return nil }
            length = length << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { break }
        }
        defer { bytes = bytes.dropFirst(length) }
        return bytes.prefix(length)
    }
}
