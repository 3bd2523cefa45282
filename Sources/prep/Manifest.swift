internal import FoundationEssentials
internal import MediaPrep
internal import SystemPackage

/// Why an input was not prepared, or what is to be known of one that was.
struct Reason: Error, Codable, Hashable, Sendable {
    /// A stable kebab-case name.
    var code: String
    /// A sentence for a person.
    var message: String
    /// The byte of the input that it is about, if there is one.
    var offset: Int?
}

/// One line of the manifest: what became of one input.
struct ManifestLine: Encodable, Sendable {
    enum Verdict: String, Codable, CaseIterable {
        case converted, passthrough, skipped, rejected, failed
    }

    struct Image: Encodable {
        var width: Int
        var height: Int
        var sourceWidth: Int
        var sourceHeight: Int
        var orientation: Int
        var quality: Int?
        var chroma: String?
        var icc: Bool

        enum CodingKeys: String, CodingKey {
            case width, height, orientation, quality, chroma, icc
            case sourceWidth = "source_width"
            case sourceHeight = "source_height"
        }

        func encode(to encoder: any Encoder) throws {
            var line = encoder.container(keyedBy: CodingKeys.self)
            try line.encode(width, forKey: .width)
            try line.encode(height, forKey: .height)
            try line.encode(sourceWidth, forKey: .sourceWidth)
            try line.encode(sourceHeight, forKey: .sourceHeight)
            try line.encode(orientation, forKey: .orientation)
            try line.encode(quality, forKey: .quality)
            try line.encode(chroma, forKey: .chroma)
            try line.encode(icc, forKey: .icc)
        }
    }

    var input: FilePath
    /// Relative to the output directory.
    var output: FilePath?
    var kind: String
    var verdict: Verdict
    var reasons: [Reason] = []
    var warnings: [Reason] = []
    var format: String?
    var inputBytes: Int?
    var outputBytes: Int?
    var sha256: String?
    var elapsedMilliseconds = 0.0
    var image: Image?

    enum CodingKeys: String, CodingKey {
        case input, output, kind, verdict, reasons, warnings, format, sha256, image
        case inputBase64 = "input_base64"
        case outputBase64 = "output_base64"
        case inputBytes = "input_bytes"
        case outputBytes = "output_bytes"
        case elapsed = "elapsed_ms"
    }

    /// Every key is there, with null where there is nothing to say; but for `image`, and for names that are not UTF-8,
    /// whose bytes are repeated in base 64.
    func encode(to encoder: any Encoder) throws {
        var line = encoder.container(keyedBy: CodingKeys.self)
        try line.encode(input.string, forKey: .input)
        try line.encodeIfPresent(input.base64IfNotUTF8, forKey: .inputBase64)
        try line.encode(output?.string, forKey: .output)
        try line.encodeIfPresent(output?.base64IfNotUTF8, forKey: .outputBase64)
        try line.encode(kind, forKey: .kind)
        try line.encode(verdict, forKey: .verdict)
        try line.encode(reasons, forKey: .reasons)
        try line.encode(warnings, forKey: .warnings)
        try line.encode(format, forKey: .format)
        try line.encode(inputBytes, forKey: .inputBytes)
        try line.encode(outputBytes, forKey: .outputBytes)
        try line.encode(sha256, forKey: .sha256)
        try line.encode(elapsedMilliseconds, forKey: .elapsed)
        try line.encodeIfPresent(image, forKey: .image)
    }
}

extension FilePath {
    fileprivate var base64IfNotUTF8: String? {
        let bytes = self.bytes
        return Array(string.utf8) == bytes ? nil : Data(bytes).base64EncodedString()
    }
}

/// Writes manifest lines as they come. Not for use by two threads at once.
struct ManifestWriter {
    private let file: FileDescriptor
    private let encoder: JSONEncoder

    /// - Parameter path: a file, which is emptied first, or `-` for standard output.
    init(_ path: FilePath) throws(RunError) {
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            file =
                path == "-"
                ? .standardOutput
                : try FileDescriptor.open(
                    path, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .init(rawValue: 0o666))
        } catch {
            throw RunError("the manifest \(path) can't be written: \(error)")
        }
    }

    func write(_ line: ManifestLine) throws {
        let text = try encoder.encode(line) + [UInt8(ascii: "\n")]
        _ = try file.writeAll(text)
    }
}
