/// FLAC: RFC 9639, 10.1.
struct FLACMapping: OggMapping {
    private let info: FLACStreamInfo
    let canTrimStart = false
    let canTrimEnd = false

    /// - Parameter packet: the first: a mark, a version, how many headers follow, and a native stream's beginning.
    init?(_ packet: [UInt8]) {
        guard packet.count >= 17 + FLACStreamInfo.length, packet.starts(with: [0x7F] + "FLAC\u{1}".utf8),
            packet[9...].starts(with: "fLaC".utf8), packet[13] & 0x7F == 0,
            let info = try? FLACStreamInfo(packet[17...], at: 0)
        else { return nil }
        self.info = info
    }

    var track: Recording.Track { info.track }
    var totalSamples: Int? { info.totalSamples }

    func isHeader(_ number: Int, first: Int?) -> Bool { number == 0 || first != 0xFF }

    func read(
        header packet: [UInt8], _ number: Int, at range: Range<Int>, _ limits: AudioLimits
    ) throws(AudioError) -> [Metadata] {
        guard number > 0, let type = packet.first.map({ Int($0 & 0x7F) }) else { return [] }
        var window = ByteWindow(packet)
        let kinds = try FLACMetadata.kinds(type: type, in: 0..<packet.count, of: &window, limits)
        return kinds.map { Metadata($0, range) }
    }

    func measure(at offset: Int, _ length: Int, in window: inout ByteWindow) throws(AudioError) -> Int? {
        let bytes = try window.bytes(at: offset, count: min(length, FLACFrameHeader.longest)) ?? []
        return FLACFrameHeader(bytes).flatMap { info.allows($0) ? $0.blockSize : nil }
    }
}
