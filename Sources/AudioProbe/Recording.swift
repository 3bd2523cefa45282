/// What a recording is, how long it lasts, and what is wrong with it.
public struct Recording: Sendable {
    /// Whether all of it is there.
    public enum Completeness: Hashable, Sendable {
        /// Nothing is missing.
        case complete
        /// The file ends inside a frame, a table or the sound that its header promises; `offset` is where what is whole
        /// ends.
        case truncated(offset: Int)
        /// The recorder never finished it: sound may be there, and what says how to play it is not.
        case unfinalized
        /// The file is whole and holds not one frame of sound.
        case noAudioFrames
    }

    /// A stream inside the file.
    public struct Track: Hashable, Sendable {
        /// What a track holds.
        public enum Kind: String, Sendable {
            /// Sound.
            case audio
            /// Moving pictures.
            case video
            /// Subtitles, chapters, sensors.
            case other
        }

        /// The container's number for it; from 1 in order where the container has none.
        public var id: Int
        /// What it holds.
        public var kind: Kind
        /// How its sound is coded; for other tracks what the container calls it.
        ///
        /// A name from a file has at most 64 characters, all of them printable ASCII: others are replaced by `?`.
        public var codec: AudioCodec
        /// Samples a second of each channel, as they come out of a decoder; nil if it isn't stated.
        public var sampleRate: Int?
        /// Channels; nil if it isn't stated.
        public var channels: Int?
        /// Bits of a sample, for codecs that keep every bit; nil for others.
        public var bitsPerSample: Int?
        /// Whether a player plays it unasked.
        public var isEnabled = true
        /// How long it lasts; nil if that is lost, or not looked for: only the main track's is found with care.
        public var duration: AudioDuration?

        /// A track of the parts given.
        public init(
            id: Int = 1, kind: Kind = .audio, codec: AudioCodec, sampleRate: Int? = nil, channels: Int? = nil,
            bitsPerSample: Int? = nil
        ) {
            self.id = id
            self.kind = kind
            self.codec = codec.withPrintableName
            self.sampleRate = sampleRate
            self.channels = channels
            self.bitsPerSample = bitsPerSample
        }
    }

    /// The container, as the content says.
    public var container: AudioContainer
    /// All tracks in the file's order; at least one of them is sound.
    public var tracks: [Track]
    /// Which of `tracks` the duration is about: the first that is sound and enabled, or else the first that is sound.
    public var mainTrackIndex: Int
    /// Seconds by the timestamps of the main track, pauses included; nil where there are no pauses.
    public var timelineSeconds: Double?
    /// Whether the file holds video: a track of moving pictures that has at least one sample, enabled or not.
    ///
    /// Attached pictures, tracks of chapter images and tracks without samples are not video. Where
    /// ``ProbeOptions/isQuick`` passes over the samples, a track that is described is taken to have some.
    public var hasVideo = false
    /// Bytes of coded sound of the main track that are there, in whole frames. Where no frames were counted, since the
    /// header was believed or is missing, all bytes in which the container keeps its media.
    public var mediaBytes: Int
    /// Whether all of it is there.
    public var completeness: Completeness
    /// What looked odd.
    public var warnings: [AudioWarning] = []
    /// What it carries beside the sound.
    public var metadata: [MetadataItem] = []

    /// A recording with the one track that `track` describes.
    init(container: AudioContainer, track: Track, mediaBytes: Int, completeness: Completeness = .complete) {
        self.init(
            container: container, tracks: [track], mainTrackIndex: 0, mediaBytes: mediaBytes, completeness: completeness
        )
    }

    /// A recording of several tracks.
    init(
        container: AudioContainer, tracks: [Track], mainTrackIndex main: Int, mediaBytes: Int,
        completeness: Completeness
    ) {
        self.container = container
        self.tracks = tracks
        mainTrackIndex = main
        self.mediaBytes = mediaBytes
        self.completeness = completeness
    }

    /// The track that the duration is about.
    public var mainTrack: Track { tracks[mainTrackIndex] }
    /// What a conforming player plays of the main track; nil if that is lost.
    public var duration: AudioDuration? { mainTrack.duration }

    /// Adds a warning, unless there is one of its code already: a file damaged in a thousand places is damaged once.
    mutating func addWarning(_ code: AudioWarning.Code, offset: Int? = nil, message: String) {
        warnings.appendUniqueWarning(AudioWarning(code, offset: offset, message: message))
    }
}

extension Recording {
    /// Scales the main track's duration up to the whole file, of which only a part was scanned.
    ///
    /// - Parameters:
    ///   - scanned: bytes of sound that the duration is of.
    ///   - total: bytes of sound in the file.
    ///   - offset: where the scan ended.
    mutating func extrapolateDuration(fromScannedBytes scanned: Int, toTotalBytes total: Int, scanEnd offset: Int) {
        addWarning(
            .scanLimit, offset: offset,
            message: "the scan ended at its limit; the duration is an estimate for the whole file")
        guard var duration else { return }
        let seconds = duration.seconds
        let ticks = Double(duration.ticks) * (Double(total) / Double(max(1, scanned)))
        duration.ticks = Int(min(ticks, 0x1p62))
        duration.method = .estimate
        // All that was not scanned is in doubt.
        duration.errorBound += max(1, duration.seconds - seconds)
        tracks[mainTrackIndex].duration = duration
    }
}

extension [AudioWarning] {
    /// Appends a warning, unless there is one of its code already.
    mutating func appendUniqueWarning(_ warning: AudioWarning) {
        if !contains(where: { $0.code == warning.code }) { append(warning) }
    }
}

/// Something that a recording carries beside its sound. The name of the encoder alone is not reported.
public struct MetadataItem: Hashable, Sendable {
    /// What it is about. Open: later versions may add some.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name as it appears in reports.
        public let rawValue: String
        /// The kind of that name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// Where it was recorded.
        public static let location = Kind(rawValue: "position")
        /// XMP, which may hold anything.
        public static let xmp = Kind(rawValue: "xmp")
        /// A picture.
        public static let image = Kind(rawValue: "picture")
        /// Titles, names, comments, dates, device names.
        public static let text = Kind(rawValue: "text")
        /// Data that only some application knows.
        public static let applicationData = Kind(rawValue: "application")
    }

    /// What it is about.
    public var kind: Kind
    /// Its bytes in the file, header included.
    public var range: Range<Int>
    /// Whether overwriting `range` by a `free` box of the same size removes it and leaves all else as it is.
    public var isErasable: Bool

    /// An item of the parts given.
    public init(kind: Kind, range: Range<Int>, isErasable: Bool = false) {
        self.kind = kind
        self.range = range
        self.isErasable = isErasable
    }
}
