/// The fields of a sample entry for sound, and where the boxes behind them are.
struct SoundEntryFields {
    var channels = 0
    var bits = 0
    /// Nil if the field is zero, as it is for rates above 65,535 Hz.
    var sampleRate: Int?
    /// Only in version 2.
    var isFloat = false
    /// Packets of constant size, of versions 1 and 2.
    var packet: ConstantPacket?
    /// The boxes behind.
    var children: Range<Int>

    /// Nil if the entry is cut short.
    init?(_ entry: Box, descriptionVersion: Int, in window: inout ByteWindow) throws(AudioError) {
        let start = entry.content.lowerBound
        guard entry.content.count >= 28, let version = try window.uint16(at: start + 8),
            let channels = try window.uint16(at: start + 16), let bits = try window.uint16(at: start + 18),
            let rate = try window.uint16(at: start + 24)
        else { return nil }
        (self.channels, self.bits, sampleRate) = (channels, bits, rate > 0 ? rate : nil)
        // A version 1 in a description of version 1 is ISO's own, and has no more fields.
        let length = version == 2 ? 64 : version == 1 && descriptionVersion == 0 ? 44 : 28
        guard entry.content.count >= length else { return nil }
        children = start + length..<entry.content.upperBound
        if length == 44 {
            let samples = try window.uint32(at: start + 28) ?? 0
            let bytes = try window.uint32(at: start + 36) ?? 0
            packet = samples > 0 && bytes > 0 ? ConstantPacket(bytes: bytes, samples: samples) : nil
        } else if length == 64 {
            try readVersion2(start, in: &window)
        }
    }

    private mutating func readVersion2(_ start: Int, in window: inout ByteWindow) throws(AudioError) {
        let rate = try window.uint64(at: start + 32).map { Double(bitPattern: $0) } ?? 0
        sampleRate = rate >= 1 && rate < 1e9 ? Int(rate.rounded()) : nil
        channels = try window.uint32(at: start + 40).map { min($0, 1 << 16) } ?? 0
        bits = try window.uint32(at: start + 48).map { min($0, 64) } ?? 0
        isFloat = try window.uint32(at: start + 52).map { $0 & 1 == 1 } ?? false
        let bytes = try window.uint32(at: start + 56) ?? 0
        let samples = try window.uint32(at: start + 60) ?? 0
        packet = samples > 0 && bytes > 0 ? ConstantPacket(bytes: bytes, samples: samples) : nil
    }
}

/// The boxes in a sample entry, those inside QuickTime's `wave` and the scheme of encryption included.
struct SoundEntryBoxes {
    private var found: [Box] = []
    /// What is encrypted: 14496-12, 8.12.2.
    private(set) var originalFormat: FourCC?

    /// The first of that type.
    func first(_ type: FourCC) -> Box? { found.first { $0.type == type } }

    /// Reads the boxes in `range`; a description has a dozen, and no more than 64 are looked at.
    mutating func read(_ range: Range<Int>, depth: Int, in window: inout ByteWindow) throws(AudioError) {
        var walker = BoxWalker(AudioLimits())
        var offset = range.lowerBound
        while found.count < 64, let box = try walker.box(at: offset, in: range, depth: depth, &window) {
            offset = box.range.upperBound
            found.append(box)
            switch box.type {
            case "wave", "sinf": if depth < 4 { try read(box.content, depth: depth + 1, in: &window) }
            case "frma": originalFormat = try box.uint32(at: 0, in: &window).map { FourCC(UInt32($0)) }
            default: break
            }
        }
    }
}

/// What `esds` says: ISO/IEC 14496-1, 7.2.6.
struct ElementaryStream {
    /// The codec's number.
    private(set) var objectType = 0
    /// What the codec itself asks for.
    private(set) var decoderConfiguration: ArraySlice<UInt8>?

    /// Nil if no decoder is described.
    ///
    /// - Parameter bytes: behind the box's version and flags.
    init?(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        guard let stream = Self.descriptor(3, in: &rest), stream.count >= 3 else { return nil }
        let flags = stream[stream.startIndex + 2]
        var inner = stream.dropFirst(3)
        if flags & 0x80 != 0 { inner = inner.dropFirst(2) }
        if flags & 0x40 != 0, let length = inner.first { inner = inner.dropFirst(1 + Int(length)) }
        if flags & 0x20 != 0 { inner = inner.dropFirst(2) }
        guard let decoder = Self.descriptor(4, in: &inner), decoder.count >= 13, let type = decoder.first else {
            return nil
        }
        objectType = Int(type)
        var specific = decoder.dropFirst(13)
        decoderConfiguration = Self.descriptor(5, in: &specific)
    }

    /// The content of the descriptor that `bytes` begin with, if it has that tag; one that is too long is clipped.
    private static func descriptor(_ tag: UInt8, in bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
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
