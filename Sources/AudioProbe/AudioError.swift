/// The reason why an audio file cannot be read.
public struct AudioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable kebab-case name of an error. Later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name as it appears in reports.
        public let rawValue: String
        /// Creates the code with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// The file cannot be opened or read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The path leads to a directory, a pipe, a socket or a device.
        public static let notARegularFile = Code(rawValue: "not-a-regular-file")
        /// The file has more than 2^56 bytes. Only a sparse file can be that large.
        public static let inputTooLarge = Code(rawValue: "input-too-large")
        /// The file was modified or became shorter while it was read.
        public static let changedWhileRead = Code(rawValue: "changed-while-read")
        /// The file has no bytes.
        public static let empty = Code(rawValue: "empty")
        /// The format of the content is not recognized.
        public static let unrecognizedFormat = Code(rawValue: "unrecognized-format")
        /// The content is recognized and is not audio: an image, a document, text.
        public static let notAudio = Code(rawValue: "not-audio")
        /// The file contains video and no audio track.
        public static let videoOnly = Code(rawValue: "video-only")
        /// The container has no tracks, or no audio track.
        public static let noAudioTrack = Code(rawValue: "no-audio-track")
        /// The data contradicts itself, so that no result can be given.
        public static let damaged = Code(rawValue: "damaged")
        /// The file exceeds a limit of ``AudioLimits``.
        public static let limitExceeded = Code(rawValue: "limit-exceeded")
        /// The task that read the file was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// libsndfile cannot decode the audio.
        public static let undecodable = Code(rawValue: "undecodable")

        /// Returns the code for a format that is recognized and not supported.
        ///
        /// - Parameter name: the format's name, in kebab case.
        static func unsupported(_ name: String) -> Code { Code(rawValue: "unsupported-" + name) }
    }

    /// The step in which an error occurred.
    public enum Stage: String, Sendable {
        /// Opening and reading the file.
        case read
        /// Detecting the container and reading its structure.
        case probe
        /// Decoding the audio.
        case decode
    }

    /// The stable name of the error.
    public var code: Code
    /// The step in which the error occurred.
    public var stage: Stage
    /// The byte offset in the file at which the error was found, or `nil` if it has none.
    public var offset: Int?
    /// A message for a person. It does not contain the file's name.
    public var message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the stable name of the error.
    ///   - stage: the step in which it occurred.
    ///   - offset: the byte offset in the file at which it was found, or `nil`.
    ///   - message: a message for a person.
    public init(_ code: Code, stage: Stage = .probe, offset: Int? = nil, message: String) {
        self.code = code
        self.stage = stage
        self.offset = offset
        self.message = message
    }

    /// The message with its code, stage and offset.
    public var description: String {
        "\(code) while in \(stage.rawValue)\(offset.map { ", at byte \($0)" } ?? ""): \(message)"
    }
}

/// A problem in an audio file that did not prevent reading it.
public struct AudioWarning: Hashable, Sendable {
    /// A stable kebab-case name of a warning. Later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name as it appears in reports.
        public let rawValue: String
        /// Creates the code with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// The header contradicts the audio, in its duration or in its format.
        public static let headerContradicts = Code(rawValue: "header-contradicts")
        /// The header states no size, as in a stream. The audio was assumed to extend to the end of the file.
        public static let placeholderSize = Code(rawValue: "placeholder-size")
        /// Bytes after the last frame are neither audio nor a tag.
        public static let trailingBytes = Code(rawValue: "trailing-bytes")
        /// The timestamps leave gaps that no frames fill.
        public static let timelineGap = Code(rawValue: "timeline-gap")
        /// Bytes between frames belong to no frame, or frames contradict each other.
        public static let damagedFrames = Code(rawValue: "damaged-frames")
        /// The file consists of several joined streams. The duration is the sum of all of them.
        public static let chainedRecordings = Code(rawValue: "chained")
        /// The file has no end mark, and nothing else shows whether it is complete.
        public static let noEndMark = Code(rawValue: "no-end-mark")
        /// The file contains metadata that cannot be erased in place, such as text or images.
        public static let carriesMetadata = Code(rawValue: "carries-metadata")
        /// The scan reached the limit ``AudioLimits/scannedBytes``. The duration is an estimate.
        public static let scanLimit = Code(rawValue: "scan-limit")
        /// The decoded length differs from the duration that was found.
        public static let decodeContradicts = Code(rawValue: "decode-contradicts")
    }

    /// The stable name of the warning.
    public var code: Code
    /// A message for a person.
    public var message: String
    /// The byte offset in the file that the warning refers to, or `nil` if it has none.
    public var offset: Int?

    /// Creates a warning.
    ///
    /// - Parameters:
    ///   - code: the stable name of the warning.
    ///   - offset: the byte offset in the file that it refers to, or `nil`.
    ///   - message: a message for a person.
    public init(_ code: Code, offset: Int? = nil, message: String) {
        self.code = code
        self.message = message
        self.offset = offset
    }
}
