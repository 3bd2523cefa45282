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
