/// Why a recording can't be read.
public struct AudioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, as a stable kebab-case name. Open: later versions may add some.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name as it appears in reports.
        public let rawValue: String
        /// The code of that name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// The file can't be opened or read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The path leads to a directory, a pipe or a device.
        public static let notARegularFile = Code(rawValue: "not-a-regular-file")
        /// The file has more than 2^56 bytes, as only a sparse file can.
        public static let inputTooLarge = Code(rawValue: "input-too-large")
        /// The file became shorter while it was read.
        public static let changedWhileRead = Code(rawValue: "changed-while-read")
        /// The file holds no bytes.
        public static let empty = Code(rawValue: "empty")
        /// The content is of no kind known here.
        public static let unrecognizedFormat = Code(rawValue: "unrecognized-format")
        /// The content is known, and is no recording: an image, a document, a text.
        public static let notAudio = Code(rawValue: "not-audio")
        /// A film without a sound track.
        public static let videoOnly = Code(rawValue: "video-only")
        /// The container has no track at all, or none that is sound.
        public static let noAudioTrack = Code(rawValue: "no-audio-track")
        /// The data contradicts itself, so that nothing can be said of it.
        public static let damaged = Code(rawValue: "damaged")
        /// The file asks for more than the limits allow.
        public static let limitExceeded = Code(rawValue: "limit-exceeded")
        /// The task that read the file was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// libsndfile can't decode it.
        public static let undecodable = Code(rawValue: "undecodable")

        /// A format that is known and refused by name.
        static func unsupported(_ name: String) -> Code { Code(rawValue: "unsupported-" + name) }
    }

    /// Where it went wrong.
    public enum Stage: String, Sendable {
        /// Opening and reading the file.
        case read
        /// Recognising the container and walking through it.
        case probe
        /// Decoding it.
        case decode
    }

    /// What went wrong.
    public var code: Code
    /// Where in the work.
    public var stage: Stage
    /// The byte of the file at which it showed, if there is one.
    public var offset: Int?
    /// A sentence for a person, without the file's name.
    public var message: String

    /// An error of the parts given.
    public init(_ code: Code, stage: Stage = .probe, offset: Int? = nil, message: String) {
        self.code = code
        self.stage = stage
        self.offset = offset
        self.message = message
    }

    /// The message with its stage and offset.
    public var description: String {
        "\(code) while in \(stage.rawValue)\(offset.map { ", at byte \($0)" } ?? ""): \(message)"
    }
}

/// Something about a recording that looked odd and did not keep it from being read.
public struct AudioWarning: Hashable, Sendable {
    /// What is odd, as a stable kebab-case name. Open: later versions may add some.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name as it appears in reports.
        public let rawValue: String
        /// The code of that name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// The header states another duration than the sound has.
        public static let headerContradicts = Code(rawValue: "header-contradicts")
        /// The header states no size, as that of a stream does; the sound was taken to go on to the end of the file.
        public static let placeholderSize = Code(rawValue: "placeholder-size")
        /// There are bytes behind the last frame that are neither sound nor a tag.
        public static let trailingBytes = Code(rawValue: "trailing-bytes")
        /// The timestamps leave pauses, which no frames fill.
        public static let timelineGap = Code(rawValue: "timeline-gap")
        /// Bytes between frames belong to none, or frames contradict their neighbours.
        public static let damagedFrames = Code(rawValue: "damaged-frames")
        /// Several recordings follow one another in the file; the duration is that of all.
        public static let chainedRecordings = Code(rawValue: "chained")
        /// The recording has no mark of its end, and nothing else tells whether it is whole.
        public static let noEndMark = Code(rawValue: "no-end-mark")
        /// The file carries text, pictures or positions beside the sound.
        public static let carriesMetadata = Code(rawValue: "carries-metadata")
        /// The scan ended at the limit ``AudioLimits/scannedBytes``; the duration is an estimate.
        public static let scanLimit = Code(rawValue: "scan-limit")
        /// The decoded length differs from the one found.
        public static let decodeContradicts = Code(rawValue: "decode-contradicts")
    }

    /// What is odd.
    public var code: Code
    /// A sentence for a person.
    public var message: String
    /// The byte of the file that it is about, if there is one.
    public var offset: Int?

    /// A warning of the parts given.
    public init(_ code: Code, offset: Int? = nil, message: String) {
        self.code = code
        self.message = message
        self.offset = offset
    }
}
