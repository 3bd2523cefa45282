internal import SystemPackage
internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A manifest line that is read again, with the members that other commands need.
struct ManifestEntry: Decodable, Sendable {
    /// The members of an image.
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

    /// The members of an audio file.
    struct Audio: Decodable, Sendable {
        var durationSeconds: Double?

        enum CodingKeys: String, CodingKey { case durationSeconds = "duration_seconds" }
    }

    /// The members of an upload.
    struct Upload: Decodable, Sendable {
        var status: UploadResult.Status
    }

    /// The input's path as it was given, with U+FFFD for bytes that are not UTF-8.
    var inputName: String
    /// The input's path with its exact bytes.
    var inputPath: FilePath
    /// The output's path relative to the output directory, or `nil` if there is no output.
    var outputPath: FilePath?
    var kind: String
    /// The verdict, or `nil` for an input of a plan that is not prepared yet.
    var verdict: ManifestLine.Verdict?
    var reasons: [ManifestDiagnostic]
    var warnings: [ManifestDiagnostic]
    var format: String?
    var inputBytes: Int?
    var outputBytes: Int?
    var sha256: String?
    var image: Image?
    var audio: Audio?
    /// The upload, or `nil` if there was none.
    var upload: Upload?

    /// Decodes a manifest line.
    ///
    /// - Throws: `DecodingError` if a member is missing or invalid, or a path contains a zero byte.
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

/// Reads a manifest line by line.
struct ManifestReader: ~Copyable {
    private let path: FilePath
    private let allowsIncompleteLastLine: Bool
    private var lineReader: LineReader
    private var lineNumber = 0

    /// Opens a manifest.
    ///
    /// - Parameters:
    ///   - path: The path of the manifest, or `-` for standard input.
    ///   - allowsIncompleteLastLine: Whether an unterminated last line, which an interrupted run leaves, is ignored
    ///     instead of an error.
    /// - Throws: `RunError` if the manifest cannot be opened.
    init(path: FilePath, allowsIncompleteLastLine: Bool = true) throws(RunError) {
        self.path = path
        self.allowsIncompleteLastLine = allowsIncompleteLastLine
        lineReader = try LineReader(path: path)
    }

    /// Whether the manifest is a regular file that the user owns. Standard input never is.
    var isFileOwnedByUser: Bool { lineReader.isFileOwnedByUser }

    /// Returns the next entry and its line without the terminator, or `nil` at the end.
    ///
    /// - Throws: `RunError` if the manifest cannot be read or a line is invalid.
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
