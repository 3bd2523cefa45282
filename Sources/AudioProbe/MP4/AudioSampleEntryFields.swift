internal import MediaContainers

/// The fields of an audio sample entry, and the range of its child boxes.
struct AudioSampleEntryFields {
    var channels = 0
    var bitsPerSample = 0
    /// Samples per second in Hz, or `nil` if the field is zero, as for rates above 65,535 Hz.
    var sampleRate: Int?
    /// Whether samples are floating-point numbers. Only version 2 has this field.
    var isFloatingPoint = false
    /// The packets of constant size in versions 1 and 2, or `nil`.
    var packetFormat: ConstantPacketFormat?
    /// The range of the child boxes.
    var childBoxRange: Range<Int>

    /// Reads the fields. Returns `nil` if the entry is truncated.
    init?(box entry: ISOBox, sampleDescriptionVersion: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        let start = entry.contentRange.lowerBound
        guard entry.contentRange.count >= 28, let version = try reader.uint16(at: start + 8),
            let channels = try reader.uint16(at: start + 16), let bits = try reader.uint16(at: start + 18),
            let rate = try reader.uint16(at: start + 24)
        else { return nil }
        (self.channels, self.bitsPerSample, sampleRate) = (channels, bits, rate > 0 ? rate : nil)
        // Version 1 inside a sample description of version 1 is ISO's own, without QuickTime's additional fields.
        let length = version == 2 ? 64 : version == 1 && sampleDescriptionVersion == 0 ? 44 : 28
        guard entry.contentRange.count >= length else { return nil }
        childBoxRange = start + length..<entry.contentRange.upperBound
        if length == 44 {
            try readPacketFormat(samplesOffset: start + 28, bytesOffset: start + 36, in: &reader)
        } else if length == 64 {
            try readVersion2Fields(at: start, in: &reader)
        }
    }

    private mutating func readVersion2Fields(at start: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        let rate = try reader.uint64(at: start + 32).map { Double(bitPattern: $0) } ?? 0
        sampleRate = rate >= 1 && rate < 1e9 ? Int(rate.rounded()) : nil
        channels = try reader.uint32(at: start + 40).map { min($0, 1 << 16) } ?? 0
        bitsPerSample = try reader.uint32(at: start + 48).map { min($0, 64) } ?? 0
        isFloatingPoint = try reader.uint32(at: start + 52).map { $0 & 1 == 1 } ?? false
        try readPacketFormat(samplesOffset: start + 60, bytesOffset: start + 56, in: &reader)
    }

    private mutating func readPacketFormat(
        samplesOffset: Int, bytesOffset: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) {
        guard let samples = try reader.uint32(at: samplesOffset), samples > 0,
            let bytes = try reader.uint32(at: bytesOffset), bytes > 0
        else { return }
        packetFormat = ConstantPacketFormat(bytesPerPacket: bytes, samplesPerPacket: samples)
    }
}

/// The child boxes of a sample entry, including those inside QuickTime's `wave` and the encryption scheme.
struct AudioSampleEntryBoxes {
    private var childBoxes: [ISOBox] = []
    /// The original format of an encrypted track: ISO/IEC 14496-12, 8.12.2.
    private(set) var unencryptedFormat: FourCC?

    /// Returns the first box of a type, or `nil`.
    func firstBox(ofType type: FourCC) -> ISOBox? { childBoxes.first { $0.type == type } }

    /// Reads the boxes in `range`, at most 64. A sample entry has about a dozen.
    mutating func readBoxes(range: Range<Int>, depth: Int, in reader: inout BufferedFileReader) throws(AudioError) {
        var walker = ISOBoxWalker(limits: AudioLimits())
        var offset = range.lowerBound
        while childBoxes.count < 64, let box = try walker.readBox(at: offset, within: range, depth: depth, in: &reader)
        {
            offset = box.range.upperBound
            childBoxes.append(box)
            switch box.type {
            case "wave", "sinf": if depth < 4 { try readBoxes(range: box.contentRange, depth: depth + 1, in: &reader) }
            case "frma": unencryptedFormat = try box.uint32(at: 0, in: &reader).map { FourCC(code: UInt32($0)) }
            default: break
            }
        }
    }
}
