/// The mapping of a codec's packets into Ogg, and their durations.
protocol OggCodecMapping {
    /// The track, as the first packet describes it.
    var track: Recording.Track { get }
    /// Granule positions per second.
    var timescale: Int { get }
    /// The samples that the headers promise, or `nil` if they do not state it.
    var totalSamples: Int? { get }
    /// Samples to discard at the beginning.
    var preSkip: Int { get }
    /// Whether samples at the beginning are discarded if the first page's granule position is less than its samples.
    var canTrimStart: Bool { get }
    /// Whether samples at the end are discarded if the last page's granule position is less than its samples.
    var canTrimEnd: Bool { get }
    /// Samples by which players differ, unless both ends are marked as the standard requires.
    var uncertainSamples: Int { get }

    /// Returns whether a packet is a header.
    ///
    /// - Parameters:
    ///   - index: The number of the packet, from 0.
    ///   - firstByte: The first byte of the packet, or `nil` if it is empty.
    func isHeaderPacket(index: Int, firstByte: Int?) -> Bool

    /// Reads a header packet.
    ///
    /// - Parameters:
    ///   - packet: The bytes of the packet, as many as the limits allow.
    ///   - index: The number of the packet, from 0.
    ///   - range: The packet's range in the file, including other pages within it.
    ///   - limits: The limits.
    /// - Returns: The metadata in the packet.
    mutating func readHeaderPacket(
        _ packet: [UInt8], index: Int, range: Range<Int>, limits: AudioLimits
    ) throws(AudioError) -> [MetadataItem]

    /// Returns the block size of an audio packet, from its first `length` bytes, or `nil` if it is invalid.
    func blockSize(ofPacketAt offset: Int, length: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int?

    /// Returns the number of samples that a decoder produces for a packet with a block size.
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

    /// Returns the metadata in the Vorbis comments that begin after `skipping` bytes of a packet.
    func commentMetadata(
        packet: [UInt8], skipping: Int, range: Range<Int>, limits: AudioLimits
    ) throws(AudioError) -> [MetadataItem] {
        guard packet.count > skipping else { return [] }
        var reader = BufferedFileReader(bytes: packet)
        let kinds = try VorbisComment.metadataKinds(range: skipping..<packet.count, in: &reader, limits: limits)
        return kinds.map { MetadataItem(kind: $0, range: range) }
    }
}
