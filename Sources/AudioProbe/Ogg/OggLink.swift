/// The logical streams that begin together: RFC 3533, section 4. A file may chain several such links.
struct OggLink {
    /// The offset of the first page.
    private(set) var startOffset: Int?
    /// The tracks of all streams.
    private(set) var tracks: [Recording.Track] = []
    /// The serial numbers of all streams.
    private(set) var serialNumbers: Set<Int> = []
    /// The number of header packets that each video stream has yet to read, by serial number.
    private var pendingHeaderCounts: [Int: Int] = [:]
    /// Whether a video stream has a packet after its header packets.
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
                .limitExceeded, offset: firstPage.offset, message: "too many streams (at most \(limits.tracks))")
        }
        let firstPacket =
            try reader.bytes(at: firstPage.bodyOffset, count: min(512, firstPage.endOffset - firstPage.bodyOffset))
            ?? []
        startOffset = startOffset ?? firstPage.offset
        let codecMapping = Self.codecMapping(firstPacket: firstPacket)
        let signature = CodecSignature.matching(firstPacket: firstPacket)
        var track = codecMapping?.track ?? Recording.Track(kind: signature.kind, codec: signature.codec)
        track.id = firstPage.serialNumber
        tracks.append(track)
        serialNumbers.insert(firstPage.serialNumber)
        if track.kind == .video { pendingHeaderCounts[firstPage.serialNumber] = signature.headerPacketCount }
        try countVideoPackets(of: firstPage, in: &reader)
        if mainStream == nil, let codecMapping {
            mainStream = OggStream(
                serialNumber: firstPage.serialNumber, codecMapping: codecMapping, headersBefore: headersBefore)
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
        try countVideoPackets(of: page, in: &reader)
        guard var stream = mainStream, stream.serialNumber == page.serialNumber else { return true }
        try stream.appendPage(page, in: &reader, limits: limits)
        if stream.isLastPageInconsistent, try !page.hasValidChecksum(in: &reader) { return false }
        mainStream = consume stream
        try mainStream?.readPendingHeaderBytes(in: &reader, limits: limits)
        return true
    }

    /// Looks for a packet that ends in `page` after the header packets of a video stream. Granule positions may be
    /// wrong, so they are not used.
    private mutating func countVideoPackets(of page: OggPage, in reader: inout BufferedFileReader) throws(AudioError) {
        guard !hasVideo, var pending = pendingHeaderCounts[page.serialNumber] else { return }
        for index in 0..<page.segmentCount where try reader.uint8(at: page.segmentTableOffset + index) != 255 {
            pending -= 1
        }
        pendingHeaderCounts[page.serialNumber] = pending
        hasVideo = pending < 0
    }

    /// Returns the codec mapping of the stream that begins with `firstPacket`, or `nil` if it is not supported audio.
    private static func codecMapping(firstPacket: [UInt8]) -> (any OggCodecMapping)? {
        OggOpusMapping(firstPacket: firstPacket) ?? OggVorbisMapping(firstPacket: firstPacket) ?? OggSpeexMapping(
            firstPacket: firstPacket) ?? OggFLACMapping(firstPacket: firstPacket)
    }

    /// The codec of a stream that may be audio, if no stream can be counted; `nil` if one can, or if none is audio.
    var uncountableCodec: AudioCodec? {
        mainStream == nil ? tracks.first { $0.kind == .audio || $0.codec == CodecSignature.unknown.codec }?.codec : nil
    }

    /// Returns the error for a link without supported audio.
    func missingAudioError(at offset: Int) -> AudioError {
        if let track = tracks.first(where: { $0.kind == .audio }) {
            let isKnown = [.opus, .vorbis, .speex, .flac].contains(track.codec)
            return isKnown
                ? AudioError(
                    .damaged, offset: offset, message: "the first header of the \(track.codec) stream is invalid")
                : AudioError(
                    .unsupported(track.codec.rawValue), offset: offset,
                    message: "the codec in Ogg is unsupported: \(track.codec)")
        }
        if let track = tracks.first(where: { $0.kind == .video }) {
            return AudioError(
                .videoOnly, offset: offset,
                message: "the file contains video and no audio; the video codec is \(track.codec)")
        }
        return AudioError(.noAudioTrack, offset: offset, message: "no stream of the file is audio")
    }
}

/// Identifies a codec by the first packet of its stream.
private struct CodecSignature {
    let kind: Recording.Track.Kind
    let codec: AudioCodec
    /// The first bytes, one for each character.
    let prefix: String
    /// The packets before the first frame; stated for video only.
    let headerPacketCount: Int

    init(_ kind: Recording.Track.Kind, _ codec: String, prefix: String, headerPacketCount: Int = 0) {
        (self.kind, self.codec) = (kind, AudioCodec(rawValue: codec))
        (self.prefix, self.headerPacketCount) = (prefix, headerPacketCount)
    }

    static let unknown = CodecSignature(.other, "unknown", prefix: "")

    static func matching(firstPacket: [UInt8]) -> CodecSignature {
        all.first { firstPacket.starts(with: $0.prefix.unicodeScalars.lazy.map { UInt8($0.value) }) } ?? unknown
    }

    private static let all = [
        CodecSignature(.audio, "opus", prefix: "OpusHead"),
        CodecSignature(.audio, "vorbis", prefix: "\u{1}vorbis"),
        CodecSignature(.audio, "speex", prefix: "Speex   "),
        CodecSignature(.audio, "flac", prefix: "\u{7F}FLAC"),
        CodecSignature(.audio, "flac", prefix: "fLaC"),
        CodecSignature(.audio, "celt", prefix: "CELT    "),
        CodecSignature(.audio, "ogg-pcm", prefix: "PCM     "),
        CodecSignature(.audio, "ogm-audio", prefix: "\u{1}audio"),
        CodecSignature(.video, "theora", prefix: "\u{80}theora", headerPacketCount: 3),
        CodecSignature(.video, "daala", prefix: "\u{80}daala", headerPacketCount: 3),
        CodecSignature(.video, "dirac", prefix: "BBCD", headerPacketCount: 1),
        CodecSignature(.video, "dirac", prefix: "KW-DIRAC", headerPacketCount: 1),
        CodecSignature(.video, "vp8", prefix: "OVP80", headerPacketCount: 2),
        CodecSignature(.video, "ogm-video", prefix: "\u{1}video", headerPacketCount: 2),
        CodecSignature(
            .video, "ogm-video", prefix: "\u{1}Direct Show Samples embedded in Ogg", headerPacketCount: 2),
        CodecSignature(.other, "skeleton", prefix: "fishead\0"),
        CodecSignature(.other, "cmml", prefix: "CMML"),
        CodecSignature(.other, "kate", prefix: "\u{80}kate"),
        CodecSignature(.other, "ogm-text", prefix: "\u{1}text"),
        CodecSignature(.other, "midi", prefix: "OggMIDI\0"),
    ]
}
