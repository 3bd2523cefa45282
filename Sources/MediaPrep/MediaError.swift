internal import AudioProbe
internal import ImageCodecs

/// Why a file could not be prepared, or one of the reasons.
public struct MediaError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, as a stable kebab-case name. Open: later versions may add some.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name as it appears in reports.
        public let rawValue: String
        /// The code of that name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// An option has a value that makes no sense.
        public static let invalidOptions = Code(rawValue: "invalid-options")
        /// The file can't be opened or read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The path leads to a directory, a pipe or a device.
        public static let notARegularFile = Code(rawValue: "not-a-regular-file")
        /// The file has more bytes than allowed.
        public static let inputTooLarge = Code(rawValue: "input-too-large")
        /// The file holds no bytes.
        public static let empty = Code(rawValue: CodecError.Code.empty.rawValue)
        /// The content is neither an image nor a recording of a kind known here.
        public static let unrecognized = Code(rawValue: CodecError.Code.unrecognized.rawValue)
        /// The file ends before its picture or its sound does.
        public static let truncated = Code(rawValue: CodecError.Code.truncated.rawValue)
        /// The recorder never finished the file, so that nothing says how to play it.
        public static let unfinalized = Code(rawValue: "unfinalised")
        /// The recording is whole and holds not one frame of sound.
        public static let noAudio = Code(rawValue: "no-sound")
        /// The file holds video, which the audio policy does not allow.
        public static let hasVideo = Code(rawValue: "has-video")
        /// The file is a video without an audio track.
        public static let videoOnly = Code(rawValue: AudioError.Code.videoOnly.rawValue)
        /// Preparing it alone takes more memory than a pipeline may use.
        public static let maxMemoryExceeded = Code(rawValue: "max-memory")
        /// The task that prepared the file was cancelled.
        public static let cancelled = Code(rawValue: AudioError.Code.cancelled.rawValue)
        /// The file was written to while it was read.
        public static let changedWhileRead = Code(rawValue: AudioError.Code.changedWhileRead.rawValue)
        /// The result exceeds the number of bytes allowed, even at the lowest quality allowed.
        public static let maxBytesExceeded = Code(rawValue: "max-bytes")
    }

    /// Whether a policy refused the file, or it could not be read or written.
    public enum Verdict: String, Sendable {
        /// A policy said no: a limit, a format, damage.
        case rejected
        /// It could not be read or written.
        case failed
    }

    /// Where in the work it went wrong.
    public enum Stage: String, Sendable {
        /// Checking the options.
        case options
        /// Reading the file.
        case read
        /// Recognising the format, reading the header, checking limits.
        case probe
        /// Decoding, and resizing.
        case decode
        /// Encoding the result.
        case encode
    }

    /// What went wrong. Besides the codes above, it may be any of `CodecError.Code` and `AudioError.Code`.
    public var code: Code
    /// Which of the two verdicts.
    public var verdict: Verdict
    /// Where in the work.
    public var stage: Stage
    /// The byte of the file at which it showed, if there is one.
    public var offset: Int?
    /// The file, as it was named; nil for bytes without a name.
    public var fileName: String?
    /// A sentence for a person, without the file's name.
    public var message: String
    /// What lies beneath, if another module reported it.
    public var cause: (any Error)?

    /// An error of the parts given.
    public init(
        _ code: Code, verdict: Verdict, stage: Stage, offset: Int? = nil, fileName: String? = nil, message: String,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.verdict = verdict
        self.stage = stage
        self.offset = offset
        self.fileName = fileName
        self.message = message
        self.cause = cause
    }

    /// One sentence that names the file, the stage and the byte where there is one.
    public var description: String {
        let place = offset.map { " at byte \($0)" } ?? ""
        return "\(fileName.map { $0 + ": " } ?? "")\(verdict) (\(code)) in stage \(stage.rawValue)\(place): \(message)"
    }

    /// - Parameter toleratedCodes: codes that the caller allowed: if one stops the work all the same, nothing could be
    ///   taken.
    init(_ error: CodecError, toleratedCodes: Set<CodecError.Code>, fileName: String?) {
        let stage: Stage =
            switch error.stage {
            case .probe: .probe
            case .decode: .decode
            case .encode: .encode
            }
        let failures: Set<CodecError.Code> = [.empty, .outOfMemory, .encodingFailed]
        let verdict: Verdict = failures.union(toleratedCodes).contains(error.code) ? .failed : .rejected
        self.init(
            Code(rawValue: error.code.rawValue), verdict: verdict, stage: stage, offset: error.offset,
            fileName: fileName, message: error.message,
            cause: error)
    }
}

extension MediaError {
    init(_ error: AudioError, fileName: String?) {
        let stage: Stage =
            switch error.stage {
            case .read: .read
            case .probe: .probe
            case .decode: .decode
            }
        let failures: Set<AudioError.Code> = [.unreadable, .changedWhileRead, .empty, .cancelled]
        self.init(
            Code(rawValue: error.code.rawValue), verdict: failures.contains(error.code) ? .failed : .rejected,
            stage: stage,
            offset: error.offset, fileName: fileName, message: error.message, cause: error)
    }
}

/// Something that was lost or looked odd, and did not keep a file from being prepared.
public struct MediaWarning: Hashable, Sendable {
    /// A stable kebab-case name.
    public var code: String
    /// A sentence for a person.
    public var message: String
    /// The byte of the input that it is about, if there is one.
    public var offset: Int?

    init(_ warning: CodecWarning) {
        code = warning.code
        message = warning.message
        offset = warning.offset
    }

    init(_ warning: AudioWarning) {
        code = warning.code.rawValue
        message = warning.message
        offset = warning.offset
    }

    init(code: String, message: String, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }
}
