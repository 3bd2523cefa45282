/// How a codec's packets are laid into Ogg, and how long they sound.
protocol OggCodecMapping {
    /// The stream as its first packet describes it.
    var track: Recording.Track { get }
    /// Ticks of granule positions to the second.
    var timescale: Int { get }
    /// Samples that the stream is to have, if its headers say so.
    var totalSamples: Int? { get }
    /// Samples at the beginning that are never played.
    var preSkip: Int { get }
    /// Whether samples are left out at the beginning if the first page's granule position counts fewer than its packets
    /// hold.
    var canTrimStart: Bool { get }
    /// Whether samples are left out at the end if the last page's does.
    var canTrimEnd: Bool { get }
    /// Samples by which players differ unless both ends are marked as the standard says.
    var uncertainSamples: Int { get }

    /// Whether the packet of that number, from 0, that begins with `firstByte`, is a header.
    func isHeaderPacket(index: Int, firstByte: Int?) -> Bool

    /// Takes a header.
    ///
    /// - Parameters:
    ///   - packet: its beginning, as much as the limits allow.
    ///   - range: where it is in the file, other pages between its own included.
    /// - Returns: what it tells beside the sound.
    mutating func readHeaderPacket(
        _ packet: [UInt8], index: Int, range: Range<Int>, limits: AudioLimits
    ) throws(AudioError) -> [MetadataItem]

    /// What the first `length` bytes of a packet of sound, at `offset`, say of how long it is; nil if it is none.
    func blockSize(ofPacketAt offset: Int, length: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int?

    /// Samples that come out of a decoder for a packet of that measure.
    mutating func decodedSampleCount(blockSize: Int) -> Int
}

extension OggCodecMapping {
    var timescale: Int { track.sampleRate ?? 1 }
    var totalSamples: Int? { nil }
    var preSkip: Int { 0 }
    var canTrimStart: Bool { true }
    var canTrimEnd: Bool { true }
    var uncertainSamples: Int { 0 }
    mutating func decodedSampleCount(blockSize: Int) -> Int { blockSize }

    /// What the comments tell that begin behind `skipping` bytes of the packet.
    func commentMetadata(
        packet: [UInt8], skipping: Int, range: Range<Int>, limits: AudioLimits
    ) throws(AudioError) -> [MetadataItem] {
        guard packet.count > skipping else { return [] }
        var reader = BufferedFileReader(bytes: packet)
        let kinds = try VorbisComment.metadataKinds(range: skipping..<packet.count, in: &reader, limits: limits)
        return kinds.map { MetadataItem(kind: $0, range: range) }
    }
}
