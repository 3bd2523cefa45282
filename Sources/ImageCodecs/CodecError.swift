/// Why an image can't be read or written.
public struct CodecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, as a stable kebab-case name. Open: later versions may add some.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name as it appears in reports.
        public let rawValue: String
        /// The code of that name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// The file holds no bytes.
        public static let empty = Code(rawValue: "empty")
        /// The content is no image of a kind known here.
        public static let unrecognized = Code(rawValue: "unrecognized-format")
        /// The file ends before its picture does.
        public static let truncated = Code(rawValue: "truncated")
        /// The file's data contradicts itself.
        public static let damaged = Code(rawValue: "damaged")
        /// The file has more bytes than allowed.
        public static let inputTooLarge = Code(rawValue: "input-too-large")
        /// The picture has more pixels than allowed.
        public static let tooManyPixels = Code(rawValue: "too-many-pixels")
        /// The picture is wider or higher than allowed.
        public static let dimensionTooLarge = Code(rawValue: "dimension-too-large")
        /// The JPEG has more scans than allowed, or more scans times pixels.
        public static let tooManyScans = Code(rawValue: "too-many-scans")
        /// The file has more segments or chunks than allowed.
        public static let tooManySegments = Code(rawValue: "too-many-segments")
        /// Decoding would take more memory than allowed.
        public static let memoryLimitExceeded = Code(rawValue: "memory-limit")
        /// No memory is left.
        public static let outOfMemory = Code(rawValue: "out-of-memory")
        /// The encoder refused.
        public static let encodingFailed = Code(rawValue: "encoding-failed")
        /// The JPEG is of a kind that isn't read.
        public static let unsupportedJPEG = Code(rawValue: "unsupported-jpeg")
        /// The picture has neither one nor three nor four components.
        public static let unsupportedColor = Code(rawValue: "unsupported-color")

        /// A format, or a kind of one, that is known and refused by name.
        static func unsupportedFormat(_ name: String) -> Code { Code(rawValue: "unsupported-" + name) }
    }

    /// Where it went wrong.
    public enum Stage: String, Sendable {
        /// Recognising the format, reading the header, checking limits.
        case probe
        /// Decoding pixels.
        case decode
        /// Encoding the result.
        case encode
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
    public init(_ code: Code, stage: Stage, offset: Int? = nil, message: String) {
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

/// Something that was lost or looked odd, and did not keep the image from being read.
public struct CodecWarning: Hashable, Sendable {
    /// A stable kebab-case name.
    public var code: String
    /// A sentence for a person.
    public var message: String
    /// The byte of the file that it is about, if there is one.
    public var offset: Int?

    /// A warning of the parts given.
    public init(code: String, offset: Int? = nil, message: String) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    static let unknownColorSpace = CodecWarning(
        code: "color-space-unknown",
        message: "Exif says the colours are uncalibrated and there is no profile: taken as sRGB")
}
