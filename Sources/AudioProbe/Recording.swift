public import Diagnostics

/// The result of probing an audio file: its format, its duration and its problems.
public struct Recording: Sendable {
    /// Whether the file contains all of its audio.
    public enum Completeness: Hashable, Sendable {
        /// Nothing is missing.
        case complete
        /// The file ends inside a frame, a table or the audio that its header promises.
        ///
        /// The duration of one of several joined recordings may also be unknown. `offset` is the byte offset at which
        /// the intact part of the file ends, or at which the first such recording begins; in Matroska, its first
        /// Cluster.
        case truncated(offset: Int)
        /// The recorder did not finish the file. Audio may exist, but the index that is needed to play it does not.
        case unfinalized
        /// The file is complete and contains no audio frames.
        case noAudioFrames
    }

    /// One track of the file.
    public struct Track: Hashable, Sendable {
        /// The kind of content in a track.
        public enum Kind: String, Sendable {
            /// Audio.
            case audio
            /// Video.
            case video
            /// Other content, such as subtitles, chapters or sensor data.
            case other
        }

        /// The track's number in the container. Where the container has no numbers, tracks are numbered from 1 in their
        /// order.
        public var id: Int
        /// The kind of content.
        public var kind: Kind
        /// The codec of an audio track. For other tracks, the container's name for the codec.
        ///
        /// A name from a file has at most 64 characters of printable ASCII. Other characters are replaced by `?`.
        public var codec: AudioCodec
        /// Decoded samples per second of each channel, in Hz, or `nil` if it is not stated.
        public var sampleRate: Int?
        /// The number of channels, or `nil` if it is not stated.
        public var channels: Int?
        /// Bits per sample of a lossless codec; `nil` for other codecs.
        public var bitsPerSample: Int?
        /// Whether a player plays the track by default.
        public var isEnabled = true
        /// The duration of the track, or `nil` if it is lost or was not determined.
        ///
        /// Only the duration of the main track is determined precisely.
        public var duration: AudioDuration?

        /// Creates a track.
        ///
        /// - Parameters:
        ///   - id: The track's number in the container.
        ///   - kind: The kind of content.
        ///   - codec: The codec. Characters of its name that are not printable ASCII are replaced.
        ///   - sampleRate: Decoded samples per second of each channel, in Hz, or `nil`.
        ///   - channels: The number of channels, or `nil`.
        ///   - bitsPerSample: Bits per sample of a lossless codec, or `nil`.
        init(
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

    /// The container format, detected from the content.
    public var container: AudioContainer
    /// All tracks in the file's order. At least one is an audio track.
    public var tracks: [Track]
    /// The index of the main track in ``tracks``: the first enabled audio track, or else the first audio track.
    public var mainTrackIndex: Int
    /// The duration of the main track in seconds by its timestamps, including gaps, or `nil` if there are no gaps.
    public var timelineSeconds: Double?
    /// Whether the file contains video: a video track with at least one sample, enabled or not.
    ///
    /// An attached image, tracks of chapter images and tracks without samples are not video. Several tracks with one
    /// image each are video. If ``ProbeOptions/isQuick``
    /// skips the samples, a track that is described is assumed to have some.
    public var hasVideo = false
    /// Bytes of encoded audio of the main track that exist in the file, in complete frames.
    ///
    /// If no frames were counted, because the header was used or is missing, this is the number of all bytes in which
    /// the container stores its media.
    public var mediaBytes: Int
    /// Whether the file contains all of its audio.
    public var completeness: Completeness
    /// Problems that did not prevent reading the file, at most one for each code.
    public var warnings: [Diagnostic] = []
    /// Metadata in the file, such as text, images and locations.
    public var metadata: [MetadataItem] = []

    /// Creates the result for a file with a single track.
    init(container: AudioContainer, track: Track, mediaBytes: Int, completeness: Completeness = .complete) {
        self.init(
            container: container, tracks: [track], mainTrackIndex: 0, mediaBytes: mediaBytes, completeness: completeness
        )
    }

    /// Creates the result for a file with several tracks.
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

    /// The track that ``duration`` refers to.
    public var mainTrack: Track { tracks[mainTrackIndex] }
    /// The duration of the main track as a conforming player plays it, or `nil` if it is lost.
    public var duration: AudioDuration? { mainTrack.duration }

    /// Adds a warning, unless there is one with the same code already. Repeated damage is reported once.
    mutating func addWarning(_ code: Diagnostic.Code, offset: Int? = nil, message: String) {
        warnings.appendUniqueWarning(Diagnostic(code, offset: offset, message: message))
    }
}

extension Recording {
    /// Extrapolates the main track's duration to the whole file after a scan of only a part.
    ///
    /// - Parameters:
    ///   - scanned: Bytes of audio that the duration was counted from.
    ///   - total: Bytes of audio in the file.
    ///   - offset: The byte offset at which the scan ended.
    mutating func extrapolateDuration(fromScannedBytes scanned: Int, toTotalBytes total: Int, scanEnd offset: Int) {
        addWarning(
            .scanLimit, offset: offset,
            message: "the scan reached its limit; the duration is an estimate for the whole file")
        guard var duration else { return }
        let seconds = duration.seconds
        let ticks = Double(duration.ticks) * (Double(total) / Double(max(1, scanned)))
        duration.ticks = Int(min(ticks, 0x1p62))
        duration.method = .estimate
        // The error bound includes everything that was not scanned.
        duration.errorBound += max(1, duration.seconds - seconds)
        tracks[mainTrackIndex].duration = duration
    }
}

extension [Diagnostic] {
    /// Appends a warning, unless there is one with the same code already.
    mutating func appendUniqueWarning(_ warning: Diagnostic) {
        if !contains(where: { $0.code == warning.code }) { append(warning) }
    }
}

/// One item of metadata in an audio file. The encoder's name alone is not reported.
public struct MetadataItem: Hashable, Sendable {
    /// The kind of information in a metadata item. Later versions may add kinds.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name as it appears in reports.
        public let rawValue: String
        /// Creates the kind with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// The location where the audio was recorded.
        public static let location = Kind(rawValue: "position")
        /// An XMP packet, which can contain any kind of information.
        public static let xmp = Kind(rawValue: "xmp")
        /// An image.
        public static let image = Kind(rawValue: "picture")
        /// Text, such as titles, names, comments, dates and device names.
        public static let text = Kind(rawValue: "text")
        /// Data that only a specific application understands.
        public static let applicationData = Kind(rawValue: "application")
    }

    /// The kind of information.
    public var kind: Kind
    /// The bytes of the item in the file, including its header.
    public var range: Range<Int>
    /// Whether overwriting `range` with a `free` box of the same size removes the item and leaves everything else
    /// intact.
    public var isErasable: Bool

    /// Creates a metadata item.
    ///
    /// - Parameters:
    ///   - kind: The kind of information.
    ///   - range: The item's bytes in the file, including its header.
    ///   - isErasable: Whether a `free` box of the same size can replace the item.
    package init(kind: Kind, range: Range<Int>, isErasable: Bool = false) {
        self.kind = kind
        self.range = range
        self.isErasable = isErasable
    }
}
