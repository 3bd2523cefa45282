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
        /// libsndfile cannot be loaded: it is not installed. The audio was not judged.
        public static let decoderUnavailable = Code(rawValue: "decoder-unavailable")

        /// Returns the code for a format that is recognized and not supported.
        ///
        /// - Parameter name: The format's name, in kebab case.
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
    ///   - code: The stable name of the error.
    ///   - stage: The step in which it occurred.
    ///   - offset: The byte offset in the file at which it was found, or `nil`.
    ///   - message: A message for a person.
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
