internal import SystemPackage
internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A line of a manifest as it is read again: what `merge`, `report` and `--plan` need of it.
struct ManifestEntry: Decodable, Sendable {
    /// What is known of an image.
    struct Image: Decodable, Sendable {
        var width: Int
        var height: Int
        var sourceWidth: Int
        var sourceHeight: Int

        enum CodingKeys: String, CodingKey {
            case width, height
            case sourceWidth = "source_width"
            case sourceHeight = "source_height"
        }
    }

    /// What is known of a recording.
    struct Audio: Decodable, Sendable {
        var durationSeconds: Double?

        enum CodingKeys: String, CodingKey { case durationSeconds = "duration_seconds" }
    }

    /// What is known of an upload.
    struct Upload: Decodable, Sendable {
        var status: UploadResult.Status
    }

    /// As it was named, with U+FFFD for what is not UTF-8.
    var inputName: String
    /// The same, as bytes.
    var inputPath: FilePath
    /// Relative to the output directory; nil for none.
    var outputPath: FilePath?
    var kind: String
    /// Nil for what is planned and not yet done.
    var verdict: ManifestLine.Verdict?
    var reasons: [ManifestDiagnostic]
    var warnings: [ManifestDiagnostic]
    var format: String?
    var inputBytes: Int?
    var outputBytes: Int?
    var sha256: String?
    var image: Image?
    var audio: Audio?
    /// What became of its upload; nil if there was none.
    var upload: Upload?

    /// - Throws: for a path that holds a zero byte too.
    init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: ManifestLine.CodingKeys.self)
        inputName = try line.decode(String.self, forKey: .input)
        inputPath = try Self.decodePath(
            text: inputName, bytes: line.decodeIfPresent(Data.self, forKey: .inputBase64), decoder: decoder)
        outputPath = try line.decode(String?.self, forKey: .output).map {
            try Self.decodePath(
                text: $0, bytes: line.decodeIfPresent(Data.self, forKey: .outputBase64), decoder: decoder)
        }
        kind = try line.decode(String.self, forKey: .kind)
        verdict = try line.decode(ManifestLine.Verdict?.self, forKey: .verdict)
        reasons = try line.decode([ManifestDiagnostic].self, forKey: .reasons)
        warnings = try line.decode([ManifestDiagnostic].self, forKey: .warnings)
        format = try line.decode(String?.self, forKey: .format)
        inputBytes = try line.decode(Int?.self, forKey: .inputBytes)
        outputBytes = try line.decode(Int?.self, forKey: .outputBytes)
        sha256 = try line.decode(String?.self, forKey: .sha256)
        image = try line.decodeIfPresent(Image.self, forKey: .image)
        audio = try line.decodeIfPresent(Audio.self, forKey: .audio)
        upload = try line.decodeIfPresent(Upload.self, forKey: .upload)
    }

    private static func decodePath(text: String, bytes: Data?, decoder: any Decoder) throws -> FilePath {
        guard let path = FilePath(bytes: bytes.map { Array($0) } ?? Array(text.utf8)) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a path holds a zero byte"))
        }
        return path
    }
}

/// Reads a manifest from its beginning, a line at a time.
struct ManifestReader: ~Copyable {
    private let path: FilePath
    private let allowsIncompleteLastLine: Bool
    private var lineReader: LineReader
    private var lineNumber = 0

    /// - Parameters:
    ///   - path: a file, or `-` for standard input.
    ///   - allowsIncompleteLastLine: whether a last line that was not written to its end, because the run was stopped,
    ///     is left out; otherwise it is an error.
    init(path: FilePath, allowsIncompleteLastLine: Bool = true) throws(RunError) {
        self.path = path
        self.allowsIncompleteLastLine = allowsIncompleteLastLine
        lineReader = try LineReader(path: path)
    }

    /// Whether it is a regular file of the user's own, and not standard input.
    var isFileOwnedByUser: Bool { lineReader.isFileOwnedByUser }

    /// The next line, and its bytes without the end; nil behind the last.
    mutating func nextEntry() throws(RunError) -> (entry: ManifestEntry, bytes: [UInt8])? {
        guard let line = try lineReader.nextLine() else { return nil }
        guard line.isTerminated else {
            if allowsIncompleteLastLine { return nil }
            throw RunError("the last line of \(path) is cut short")
        }
        lineNumber += 1
        do {
            return (try JSONDecoder().decode(ManifestEntry.self, from: Data(line.bytes)), line.bytes)
        } catch {
            throw RunError("line \(lineNumber) of \(path) is not a manifest's")
        }
    }
}
