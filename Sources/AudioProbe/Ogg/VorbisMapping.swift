/// Vorbis: Vorbis I, A.2.
struct VorbisMapping: OggMapping {
    let track: Recording.Track
    private let identification: VorbisIdentification
    private var modes: VorbisModes?
    /// The window of the packet before.
    private var previous: Int?

    /// - Parameter packet: the first.
    init?(_ packet: [UInt8]) {
        guard let identification = VorbisIdentification(packet[...]) else { return nil }
        track = Recording.Track(
            codec: .vorbis, sampleRate: identification.sampleRate, channels: identification.channels)
        self.identification = identification
    }

    func isHeader(_ number: Int, first: Int?) -> Bool { number < 3 }

    mutating func read(
        header packet: [UInt8], _ number: Int, at range: Range<Int>, _ limits: AudioLimits
    ) throws(AudioError) -> [Metadata] {
        if number == 2 {
            modes = VorbisModes(identification, setup: packet[...])
            guard modes != nil else {
                throw AudioError(.damaged, offset: range.lowerBound, "the set-up header of Vorbis can't be read")
            }
        }
        guard number == 1, packet.starts(with: [3] + "vorbis".utf8) else { return [] }
        return try comments(packet, skipping: 7, at: range, limits)
    }

    func measure(at offset: Int, _ length: Int, in window: inout ByteWindow) throws(AudioError) -> Int? {
        guard length > 0, let first = try window.uint8(at: offset) else { return nil }
        return modes?.window(first: first)
    }

    mutating func samples(_ measure: Int) -> Int {
        defer { previous = measure }
        return VorbisModes.samples(measure, after: previous)
    }
}
