/// An error in reading or writing an image.
public struct CodecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable kebab-case name of an error. The set is open: later versions may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name, as it appears in reports.
        public let rawValue: String
        /// Creates the code with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name, as it appears in reports.
        public var description: String { rawValue }

        /// The file is empty.
        public static let empty = Code(rawValue: "empty")
        /// The content is not a known image format.
        public static let unrecognized = Code(rawValue: "unrecognized-format")
        /// The file ends before its image data is complete.
        public static let truncated = Code(rawValue: "truncated")
        /// The data is invalid.
        public static let damaged = Code(rawValue: "damaged")
        /// The file, or the data of all tiles of a HEIC or AVIF, exceeds the limit on its size.
        public static let inputTooLarge = Code(rawValue: "input-too-large")
        /// The image exceeds the limit on its pixels.
        public static let tooManyPixels = Code(rawValue: "too-many-pixels")
        /// The image exceeds the limit on its width or height.
        public static let dimensionTooLarge = Code(rawValue: "dimension-too-large")
        /// The JPEG exceeds the limit on its scans, or on its scans times pixels.
        public static let tooManyScans = Code(rawValue: "too-many-scans")
        /// The file exceeds the limit on its segments or chunks.
        public static let tooManySegments = Code(rawValue: "too-many-segments")
        /// Decoding would exceed the limit on memory.
        public static let memoryLimitExceeded = Code(rawValue: "memory-limit")
        /// A memory allocation failed.
        public static let outOfMemory = Code(rawValue: "out-of-memory")
        /// The encoder failed.
        public static let encodingFailed = Code(rawValue: "encoding-failed")
        /// The library that decodes the format is not installed on this machine, or no worker of a `DecoderIsolation`
        /// can be started.
        public static let decoderUnavailable = Code(rawValue: "decoder-unavailable")
        /// The process that decoded the image ended before it answered; see `DecoderIsolation`.
        public static let decoderCrashed = Code(rawValue: "decoder-crashed")
        /// The process that decoded the image exceeded its time limit; see `DecoderIsolation`.
        public static let decoderTimedOut = Code(rawValue: "decoder-timeout")
        /// The JPEG uses an unsupported feature.
        public static let unsupportedJPEG = Code(rawValue: "unsupported-jpeg")
        /// The number of components is not 1, 3 or 4, or their color model is unknown.
        public static let unsupportedColor = Code(rawValue: "unsupported-color")

        /// Returns the code of an unsupported format, or variant of a format.
        static func unsupportedFormat(_ name: String) -> Code { Code(rawValue: "unsupported-" + name) }
    }

    /// The stage of the work at which an error occurred.
    public enum Stage: String, Sendable {
        /// Detecting the format, reading the header, and checking limits.
        case probe
        /// Decoding pixels.
        case decode
        /// Encoding the result.
        case encode
    }

    /// The error's code.
    public var code: Code
    /// The stage at which the error occurred.
    public var stage: Stage
    /// The byte offset in the file at which the error was found, if known.
    public var offset: Int?
    /// A human-readable message, without the file's name.
    public var message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The error's code.
    ///   - stage: The stage at which the error occurred.
    ///   - offset: The byte offset in the file, if known.
    ///   - message: A human-readable message, without the file's name.
    public init(_ code: Code, stage: Stage, offset: Int? = nil, message: String) {
        self.code = code
        self.stage = stage
        self.offset = offset
        self.message = message
    }

    /// The code, stage, byte offset and message on one line.
    public var description: String {
        "\(code) while in \(stage.rawValue)\(offset.map { ", at byte \($0)" } ?? ""): \(message)"
    }
}

extension String {
    /// The text with question marks for all characters but printable ASCII, for messages about four-letter names.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? $0 : "?" }))
    }
}
