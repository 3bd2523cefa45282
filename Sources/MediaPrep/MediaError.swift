internal import AudioProbe
internal import ImageCodecs

/// An error in preparing a file, or one reason for its rejection.
public struct MediaError: Error, Sendable, CustomStringConvertible {
    /// A stable kebab-case name of an error. The set is open: later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name, as it appears in reports.
        public let rawValue: String
        /// Creates the code with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name, as it appears in reports.
        public var description: String { rawValue }

        /// An option is out of its range.
        public static let invalidOptions = Code(rawValue: "invalid-options")
        /// The file cannot be opened or read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The path names a directory, a pipe or a device.
        public static let notARegularFile = Code(rawValue: "not-a-regular-file")
        /// The file exceeds the limit on its size.
        public static let inputTooLarge = Code(rawValue: "input-too-large")
        /// The file is empty.
        public static let empty = Code(rawValue: CodecError.Code.empty.rawValue)
        /// The content is not a known image or audio format.
        public static let unrecognized = Code(rawValue: CodecError.Code.unrecognized.rawValue)
        /// The file ends before its image or audio data is complete.
        public static let truncated = Code(rawValue: CodecError.Code.truncated.rawValue)
        /// The recorder did not finalize the file, so the index needed for playback is missing.
        public static let unfinalized = Code(rawValue: "unfinalised")
        /// The audio is complete and has no frames.
        public static let noAudio = Code(rawValue: "no-sound")
        /// The file has video, which the audio policy does not allow.
        public static let hasVideo = Code(rawValue: "has-video")
        /// The file has video and no audio track.
        public static let videoOnly = Code(rawValue: AudioError.Code.videoOnly.rawValue)
        /// Preparing the file alone takes more memory than the pipeline's limit.
        public static let maxMemoryExceeded = Code(rawValue: "max-memory")
        /// The task that prepared the file was cancelled.
        public static let cancelled = Code(rawValue: AudioError.Code.cancelled.rawValue)
        /// The file changed while it was read.
        public static let changedWhileRead = Code(rawValue: AudioError.Code.changedWhileRead.rawValue)
        /// The audio file, or the image even at the lowest allowed quality, exceeds the maximum number of bytes.
        public static let maxBytesExceeded = Code(rawValue: "max-bytes")
    }

    /// Whether the input was rejected, or the work failed.
    public enum Verdict: String, Sendable {
        /// The input is not acceptable: it exceeds a limit, is unsupported, or is damaged.
        case rejected
        /// The input could not be read, or the result could not be made.
        case failed
    }

    /// The stage of the work at which an error occurred.
    public enum Stage: String, Sendable {
        /// Checking the options.
        case options
        /// Reading the file.
        case read
        /// Detecting the format, reading the header, and checking limits.
        case probe
        /// Decoding and resizing.
        case decode
        /// Encoding the result.
        case encode
    }

    /// The error's code. It may be a code of `CodecError` or `AudioError` that is not listed in ``Code``.
    public var code: Code
    /// Whether the input was rejected, or the work failed.
    public var verdict: Verdict
    /// The stage at which the error occurred.
    public var stage: Stage
    /// The byte offset in the file at which the error was found, if known.
    public var offset: Int?
    /// The file's name as the caller gave it; `nil` for unnamed bytes.
    public var fileName: String?
    /// A human-readable message, without the file's name.
    public var message: String
    /// The underlying error of another module, if any.
    public var cause: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The error's code.
    ///   - verdict: Whether the input was rejected, or the work failed.
    ///   - stage: The stage at which the error occurred.
    ///   - offset: The byte offset in the file, if known.
    ///   - fileName: The file's name as the caller gave it.
    ///   - message: A human-readable message, without the file's name.
    ///   - cause: The underlying error of another module.
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

    /// The file's name, verdict, code, stage, byte offset and message on one line.
    public var description: String {
        let place = offset.map { " at byte \($0)" } ?? ""
        return "\(fileName.map { $0 + ": " } ?? "")\(verdict) (\(code)) in stage \(stage.rawValue)\(place): \(message)"
    }

    /// Creates an error from a codec's error.
    ///
    /// - Parameters:
    ///   - error: The codec's error.
    ///   - toleratedCodes: The codes that the options allow. If one occurs nevertheless, nothing was decodable, and the
    ///     verdict is `failed`.
    ///   - fileName: The file's name as the caller gave it.
    init(_ error: CodecError, toleratedCodes: Set<CodecError.Code>, fileName: String?) {
        let stage: Stage =
            switch error.stage {
            case .probe: .probe
            case .decode: .decode
            case .encode: .encode
            }
        let failures: Set<CodecError.Code> = [
            .empty, .outOfMemory, .encodingFailed, .decoderUnavailable, .decoderCrashed, .decoderTimedOut,
        ]
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
        let failures: Set<AudioError.Code> = [
            .unreadable, .changedWhileRead, .empty, .cancelled, .decoderUnavailable,
        ]
        self.init(
            Code(rawValue: error.code.rawValue), verdict: failures.contains(error.code) ? .failed : .rejected,
            stage: stage,
            offset: error.offset, fileName: fileName, message: error.message, cause: error)
    }
}
