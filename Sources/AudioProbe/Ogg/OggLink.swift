/// The logical streams that begin together: RFC 3533, section 4. A file may chain several such links.
struct OggLink {
    /// The tracks of all streams.
    private(set) var tracks: [Recording.Track] = []
    /// The serial numbers of all streams.
    private(set) var serialNumbers: Set<Int> = []
    /// The serial numbers of the video streams.
    private var videoSerialNumbers: Set<Int> = []
    /// Whether a video stream has a page with the end of a frame.
    private(set) var hasVideo = false
    /// The first stream with supported audio.
    var mainStream: OggStream?
    /// The index of the main stream's track in `tracks`.
    private(set) var mainTrackIndex = 0
    /// Whether a page that begins no stream was found. The pages that begin streams all come first.
    private(set) var hasDataPages = false
    /// The number of header packets in the previous links.
    private let headersBefore: Int

    init(headersBefore: Int = 0) { self.headersBefore = headersBefore }

    /// The number of header packets so far, including those of the previous links.
    var headers: Int { mainStream?.headers ?? headersBefore }

    /// Begins a stream with its first page.
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

    /// Appends a page of a stream that has begun.
    ///
    /// - Returns: `false` if the page contradicts its packets and its checksum is wrong.
    mutating func appendPageIfValid(
        _ page: OggPage, in reader: inout BufferedFileReader, limits: AudioLimits
    ) throws(AudioError) -> Bool {
        hasDataPages = true
        // Header pages have the granule position 0. Pages in which no packet ends have none.
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

    /// Returns the codec mapping of the stream that begins with `firstPacket`, or `nil` if it is not supported audio.
    private static func codecMapping(firstPacket: [UInt8]) -> (any OggCodecMapping)? {
        OggOpusMapping(firstPacket: firstPacket) ?? OggVorbisMapping(firstPacket: firstPacket) ?? OggSpeexMapping(
            firstPacket: firstPacket) ?? OggFLACMapping(firstPacket: firstPacket)
    }

    /// The signatures of first packets.
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

    /// Returns the error for a link without supported audio.
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
