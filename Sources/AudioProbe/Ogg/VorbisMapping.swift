/// Vorbis: Vorbis I, A.2.
struct VorbisMapping: OggMapping {
    let track: Recording.Track
    private let identification: [UInt8]
    private var modes: VorbisModes?
    /// The window of the packet before.
    private var previous: Int?

    /// - Parameter header: the first packet, 4.2.2.
    init?(_ header: [UInt8]) {
        guard header.count >= 30, header.starts(with: [1] + "vorbis".utf8) else { return nil }
        let rate = (0..<4).reduce(0) { $0 | Int(header[12 + $1]) << (8 * $1) }
        guard rate > 0, header[11] > 0 else { return nil }
        track = Recording.Track(codec: .vorbis, sampleRate: rate, channels: Int(header[11]))
        identification = header
    }

    func isHeader(_ number: Int, first: Int?) -> Bool { number < 3 }

    mutating func read(
        header packet: [UInt8], _ number: Int, at range: Range<Int>, _ limits: AudioLimits
    ) throws(AudioError) -> [Metadata] {
        if number == 2 {
            modes = VorbisModes(identification: identification[...], setup: packet[...])
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
        return previous.map { $0 / 4 + measure / 4 } ?? 0
    }
}
