/// Logical streams that begin together: RFC 3533, 4. A file may chain several such links.
struct OggLink {
    /// All of them.
    private(set) var tracks: [Recording.Track] = []
    /// Their numbers.
    private(set) var serialNumbers: Set<Int> = []
    /// The numbers of those of moving pictures, and whether a page of them came that ends a frame.
    private var videoSerialNumbers: Set<Int> = []
    private(set) var hasVideo = false
    /// The first that is sound and can be read, and which of the tracks it is.
    var mainStream: OggStream?
    private(set) var mainTrackIndex = 0
    /// Whether a page came that begins no stream: those that begin one all stand in front.
    private(set) var hasDataPages = false
    /// Headers of the links before that were read.
    private let headersBefore: Int

    init(headersBefore: Int = 0) { self.headersBefore = headersBefore }

    /// Headers that were read so far, those of the links before included.
    var headers: Int { mainStream?.headers ?? headersBefore }

    /// Takes a page that begins a stream.
    mutating func beginStream(firstPage: OggPage, in reader: inout BufferedFileReader, limits: AudioLimits)
        throws(AudioError)
    {
        if tracks.count == limits.tracks {
            throw AudioError(
                .limitExceeded, offset: firstPage.offset, message: "there are more than \(limits.tracks) streams")
        }
        let firstPacket =
            try reader.bytes(at: firstPage.bodyOffset, count: min(512, firstPage.endOffset - firstPage.bodyOffset))
            ?? []
        let codecMapping = Self.codecMapping(firstPacket: firstPacket)
        var track = codecMapping?.track ?? Self.track(firstPacket: firstPacket)
        track.id = firstPage.serialNumber
        tracks.append(track)
        serialNumbers.insert(firstPage.serialNumber)
        if track.kind == .video { videoSerialNumbers.insert(firstPage.serialNumber) }
        if mainStream == nil, let codecMapping {
            mainStream = OggStream(firstPage.serialNumber, codecMapping, headersBefore: headersBefore)
            mainTrackIndex = tracks.count - 1
            try mainStream?.appendPage(firstPage, in: &reader, limits: limits)
            try mainStream?.readPendingHeaderBytes(in: &reader, limits: limits)
        }
    }

    /// Takes a page of a stream that has begun; false if it contradicts its packets and its checksum is wrong.
    mutating func appendPageIfValid(
        _ page: OggPage, in reader: inout BufferedFileReader, limits: AudioLimits
    ) throws(AudioError) -> Bool {
        hasDataPages = true
        // Pages of headers have the position 0, and those that no packet ends in have none.
        if !hasVideo, let granule = page.granulePosition, granule > 0, videoSerialNumbers.contains(page.serialNumber) {
            hasVideo = true
        }
        guard var stream = mainStream, stream.serialNumber == page.serialNumber else { return true }
        try stream.appendPage(page, in: &reader, limits: limits)
        if stream.isLastPageInconsistent, try !page.hasValidChecksum(in: &reader) { return false }
        mainStream = consume stream
        try mainStream?.readPendingHeaderBytes(in: &reader, limits: limits)
        return true
    }

    /// How the stream that begins with `firstPacket` is laid out, if it is sound that can be read.
    private static func codecMapping(firstPacket: [UInt8]) -> (any OggCodecMapping)? {
        OggOpusMapping(firstPacket: firstPacket) ?? OggVorbisMapping(firstPacket: firstPacket) ?? OggSpeexMapping(
            firstPacket: firstPacket) ?? OggFLACMapping(firstPacket: firstPacket)
    }

    /// What first packets begin with.
    private static let codecSignatures: [(String, Recording.Track.Kind, String)] = [
        ("OpusHead", .audio, "opus"), ("\u{1}vorbis", .audio, "vorbis"), ("Speex   ", .audio, "speex"),
        ("\u{7F}FLAC", .audio, "flac"), ("fLaC", .audio, "flac"), ("CELT    ", .audio, "celt"),
        ("PCM     ", .audio, "ogg-pcm"), ("\u{1}audio", .audio, "ogm-audio"), ("\u{80}theora", .video, "theora"),
        ("\u{80}daala", .video, "daala"), ("BBCD", .video, "dirac"), ("OVP80", .video, "vp8"),
        ("\u{1}video", .video, "ogm-video"), ("fishead\0", .other, "skeleton"), ("CMML", .other, "cmml"),
        ("\u{80}kate", .other, "kate"), ("\u{1}text", .other, "ogm-text"), ("OggMIDI\0", .other, "midi"),
    ]

    private static func track(firstPacket: [UInt8]) -> Recording.Track {
        let match = codecSignatures.first { firstPacket.starts(with: $0.0.unicodeScalars.lazy.map { UInt8($0.value) }) }
        return Recording.Track(kind: match?.1 ?? .other, codec: AudioCodec(rawValue: match?.2 ?? "unknown"))
    }

    /// Why there is nothing to hear in it.
    func missingAudioError(at offset: Int) -> AudioError {
        if let track = tracks.first(where: { $0.kind == .audio }) {
            let isKnown = [.opus, .vorbis, .speex, .flac].contains(track.codec)
            return isKnown
                ? AudioError(.damaged, offset: offset, message: "the first header of \(track.codec) can't be read")
                : AudioError(
                    .unsupported(track.codec.rawValue), offset: offset, message: "\(track.codec) in Ogg is not read")
        }
        if let track = tracks.first(where: { $0.kind == .video }) {
            return AudioError(
                .videoOnly, offset: offset,
                message: "the file is a film without a sound track; its pictures are coded as \(track.codec)")
        }
        return AudioError(.noAudioTrack, offset: offset, message: "none of the file's streams is sound")
    }
}
