/// Logical streams that begin together: RFC 3533, 4. A file may chain several such links.
struct OggLink {
    /// All of them.
    private(set) var tracks: [Recording.Track] = []
    /// Their numbers.
    private(set) var serials: Set<Int> = []
    /// The numbers of those of moving pictures, and whether a page of them came that ends a frame.
    private var videos: Set<Int> = []
    private(set) var hasVideo = false
    /// The first that is sound and can be read, and which of the tracks it is.
    var main: OggStream?
    private(set) var mainIndex = 0
    /// Whether a page came that begins no stream: those that begin one all stand in front.
    private(set) var hasBegun = false
    /// Headers of the links before that were read.
    private let headersBefore: Int

    init(headersBefore: Int = 0) { self.headersBefore = headersBefore }

    /// Headers that were read so far, those of the links before included.
    var headers: Int { main?.headers ?? headersBefore }

    /// Takes a page that begins a stream.
    mutating func begin(_ page: OggPage, in window: inout ByteWindow, _ limits: AudioLimits) throws(AudioError) {
        if tracks.count == limits.tracks {
            throw AudioError(.limit, offset: page.offset, "there are more than \(limits.tracks) streams")
        }
        let packet = try window.bytes(at: page.body, count: min(512, page.end - page.body)) ?? []
        let mapping = Self.mapping(packet)
        var track = mapping?.track ?? Self.track(packet)
        track.id = page.serial
        tracks.append(track)
        serials.insert(page.serial)
        if track.kind == .video { videos.insert(page.serial) }
        if main == nil, let mapping {
            main = OggStream(page.serial, mapping, headersBefore: headersBefore)
            mainIndex = tracks.count - 1
            try main?.take(page, in: &window, limits)
            try main?.readHeader(in: &window, limits)
        }
    }

    /// Takes a page of a stream that has begun; false if it contradicts its packets and its checksum is wrong.
    mutating func take(
        _ page: OggPage, in window: inout ByteWindow, _ limits: AudioLimits
    ) throws(AudioError) -> Bool {
        hasBegun = true
        // Pages of headers have the position 0, and those that no packet ends in have none.
        if !hasVideo, let granule = page.granule, granule > 0, videos.contains(page.serial) { hasVideo = true }
        guard var stream = main, stream.serial == page.serial else { return true }
        try stream.take(page, in: &window, limits)
        if stream.isContradicted, try !page.isSound(in: &window) { return false }
        main = consume stream
        try main?.readHeader(in: &window, limits)
        return true
    }

    /// How the stream that begins with `packet` is laid out, if it is sound that can be read.
    private static func mapping(_ packet: [UInt8]) -> (any OggMapping)? {
        OpusMapping(packet) ?? VorbisMapping(packet) ?? SpeexMapping(packet) ?? FLACMapping(packet)
    }

    /// What first packets begin with.
    private static let beginnings: [(String, Recording.Track.Kind, String)] = [
        ("OpusHead", .audio, "opus"), ("\u{1}vorbis", .audio, "vorbis"), ("Speex   ", .audio, "speex"),
        ("\u{7F}FLAC", .audio, "flac"), ("fLaC", .audio, "flac"), ("CELT    ", .audio, "celt"),
        ("PCM     ", .audio, "ogg-pcm"), ("\u{1}audio", .audio, "ogm-audio"), ("\u{80}theora", .video, "theora"),
        ("\u{80}daala", .video, "daala"), ("BBCD", .video, "dirac"), ("OVP80", .video, "vp8"),
        ("\u{1}video", .video, "ogm-video"), ("fishead\0", .other, "skeleton"), ("CMML", .other, "cmml"),
        ("\u{80}kate", .other, "kate"), ("\u{1}text", .other, "ogm-text"), ("OggMIDI\0", .other, "midi"),
    ]

    private static func track(_ packet: [UInt8]) -> Recording.Track {
        let match = beginnings.first { packet.starts(with: $0.0.unicodeScalars.lazy.map { UInt8($0.value) }) }
        return Recording.Track(kind: match?.1 ?? .other, codec: AudioCodec(rawValue: match?.2 ?? "unknown"))
    }

    /// Why there is nothing to hear in it.
    func refusal(at offset: Int) -> AudioError {
        if let track = tracks.first(where: { $0.kind == .audio }) {
            let isKnown = [.opus, .vorbis, .speex, .flac].contains(track.codec)
            return isKnown
                ? AudioError(.damaged, offset: offset, "the first header of \(track.codec) can't be read")
                : AudioError(.unsupported(track.codec.rawValue), offset: offset, "\(track.codec) in Ogg is not read")
        }
        if let track = tracks.first(where: { $0.kind == .video }) {
            return AudioError(
                .videoOnly, offset: offset,
                "the file is a film without a sound track; its pictures are coded as \(track.codec)")
        }
        return AudioError(.noTrack, offset: offset, "none of the file's streams is sound")
    }
}
