/// How a codec's packets are laid into Ogg, and how long they sound.
protocol OggMapping {
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
    var doubt: Int { get }

    /// Whether the packet of that number, from 0, that begins with `first`, is a header.
    func isHeader(_ number: Int, first: Int?) -> Bool

    /// Takes a header.
    ///
    /// - Parameters:
    ///   - packet: its beginning, as much as the limits allow.
    ///   - range: where it is in the file, other pages between its own included.
    /// - Returns: what it tells beside the sound.
    mutating func read(
        header packet: [UInt8], _ number: Int, at range: Range<Int>, _ limits: AudioLimits
    ) throws(AudioError) -> [Metadata]

    /// What the first `length` bytes of a packet of sound, at `offset`, say of how long it is; nil if it is none.
    func measure(at offset: Int, _ length: Int, in window: inout ByteWindow) throws(AudioError) -> Int?

    /// Samples that come out of a decoder for a packet of that measure.
    mutating func samples(_ measure: Int) -> Int
}

extension OggMapping {
    var timescale: Int { track.sampleRate ?? 1 }
    var totalSamples: Int? { nil }
    var preSkip: Int { 0 }
    var canTrimStart: Bool { true }
    var canTrimEnd: Bool { true }
    var doubt: Int { 0 }
    mutating func samples(_ measure: Int) -> Int { measure }

    /// What the comments tell that begin behind `skipping` bytes of the packet.
    func comments(
        _ packet: [UInt8], skipping: Int, at range: Range<Int>, _ limits: AudioLimits
    ) throws(AudioError) -> [Metadata] {
        guard packet.count > skipping else { return [] }
        var window = ByteWindow(packet)
        let kinds = try VorbisComment.kinds(in: skipping..<packet.count, of: &window, limits)
        return kinds.map { Metadata($0, range) }
    }
}
