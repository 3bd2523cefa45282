package import Diagnostics
package import MediaPrep
package import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A manifest line that is read again, with the members that other commands need.
package struct ManifestEntry: Decodable, Sendable {
    /// The members of an image.
    package struct Image: Decodable, Sendable {
        package var width: Int
        package var height: Int
        package var sourceWidth: Int
        package var sourceHeight: Int
        /// The measures, or `nil` if the image was not measured.
        package var measures: ManifestImageMeasures?

        enum CodingKeys: String, CodingKey {
            case width, height, measures
            case sourceWidth = "source_width"
            case sourceHeight = "source_height"
        }
    }

    /// The members of an audio file.
    package struct Audio: Decodable, Sendable {
        package var durationSeconds: Double?
        /// The codec of the main track.
        package var codec: String?
        /// The media type, which tells a video from audio in the same container.
        package var mimeType: String?

        enum CodingKeys: String, CodingKey {
            case codec
            case durationSeconds = "duration_seconds"
            case mimeType = "mime_type"
        }
    }

    /// The members of an upload.
    package struct Upload: Decodable, Sendable {
        /// The status as `UploadResult.Status` spells it. This module does not depend on uploading.
        package var status: String
        /// The reason why the server may not have the file, or `nil` if it has it.
        package var reason: Diagnostic?

        /// Whether the server has the file, by this upload or by that of an equal file.
        package var isWithServer: Bool { status == "acknowledged" || status == "duplicate-of" }
        /// Whether the server may have the file.
        package var isUnconfirmed: Bool { status == "outcome-unknown" }
    }

    /// The input's path as it was given, with U+FFFD for bytes that are not UTF-8.
    package var inputName: String
    /// The input's path with its exact bytes.
    package var inputPath: FilePath
    /// The output's path relative to the output directory, or `nil` if there is no output.
    package var outputPath: FilePath?
    package var kind: MediaKind
    /// The verdict, or `nil` for an input of a plan that is not prepared yet.
    package var verdict: Verdict?
    package var reasons: [Diagnostic]
    package var warnings: [Diagnostic]
    package var format: String?
    package var inputBytes: Int?
    package var outputBytes: Int?
    package var sha256: String?
    package var image: Image?
    package var audio: Audio?
    /// The upload, or `nil` if there was none.
    package var upload: Upload?

    /// Decodes a manifest line.
    ///
    /// - Throws: `DecodingError` if a member is missing or invalid, or a path contains a zero byte.
    package init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: ManifestLine.CodingKeys.self)
        inputName = try line.decode(String.self, forKey: .input)
        inputPath = try Self.decodePath(
            text: inputName, bytes: line.decodeIfPresent(Data.self, forKey: .inputBase64), decoder: decoder)
        outputPath = try line.decode(String?.self, forKey: .output).map {
            try Self.decodePath(
                text: $0, bytes: line.decodeIfPresent(Data.self, forKey: .outputBase64), decoder: decoder)
        }
        kind = MediaKind(rawValue: try line.decode(String.self, forKey: .kind)) ?? .other
        verdict = try line.decode(Verdict?.self, forKey: .verdict)
        reasons = try line.decode([Diagnostic].self, forKey: .reasons)
        warnings = try line.decode([Diagnostic].self, forKey: .warnings)
        format = try line.decode(String?.self, forKey: .format)
        inputBytes = try line.decode(Int?.self, forKey: .inputBytes)
        outputBytes = try line.decode(Int?.self, forKey: .outputBytes)
        sha256 = try line.decode(String?.self, forKey: .sha256)
        image = try line.decodeIfPresent(Image.self, forKey: .image)
        audio = try line.decodeIfPresent(Audio.self, forKey: .audio)
        upload = try line.decodeIfPresent(Upload.self, forKey: .upload)
    }

    /// Creates the entry for a line that was not printed yet.
    package init(_ line: ManifestLine) {
        inputName = line.input.string
        inputPath = line.input
        outputPath = line.output
        kind = line.kind
        verdict = line.verdict
        reasons = line.reasons
        warnings = line.warnings
        format = line.format
        inputBytes = line.inputBytes
        outputBytes = line.outputBytes
        sha256 = line.sha256
        image = line.image.map {
            Image(
                width: $0.width, height: $0.height, sourceWidth: $0.sourceWidth, sourceHeight: $0.sourceHeight,
                measures: $0.measures)
        }
        audio = line.audio.map {
            Audio(
                durationSeconds: $0.report.durationSeconds, codec: $0.codec, mimeType: $0.report.mediaType.mimeType)
        }
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
package struct ManifestReader: ~Copyable {
    private let path: FilePath
    private let allowsIncompleteLastLine: Bool
    private var lineReader: LineReader
    private var lineNumber = 0

    /// Opens a manifest.
    ///
    /// - Parameters:
    ///   - path: The path of the manifest, or `-` for standard input.
    ///   - allowsIncompleteLastLine: Whether an incomplete last line, which an interrupted run leaves, is ignored
    ///     instead of an error.
    /// - Throws: `BatchError` if the manifest cannot be opened.
    package init(path: FilePath, allowsIncompleteLastLine: Bool = true) throws(BatchError) {
        self.path = path
        self.allowsIncompleteLastLine = allowsIncompleteLastLine
        lineReader = try LineReader(path: path)
    }

    /// Whether the manifest is a regular file that the user owns. Standard input never is.
    package var isFileOwnedByUser: Bool { lineReader.isFileOwnedByUser }

    /// Returns the next entry and its line without the terminator, or `nil` at the end.
    ///
    /// - Throws: `BatchError` if the manifest cannot be read or a line is invalid; `CancellationError`.
    package mutating func nextEntry() throws -> (entry: ManifestEntry, bytes: [UInt8])? {
        guard let line = try lineReader.nextLine() else { return nil }
        lineNumber += 1
        do {
            return (try JSONDecoder().decode(ManifestEntry.self, from: Data(line.bytes)), line.bytes)
        } catch {
            // The beginning of an object is never an object: only a line that cannot be decoded is incomplete.
            if line.isTerminated {
                throw BatchError(.invalidInput, message: "line \(lineNumber) of \(path) is not a manifest line")
            }
            if allowsIncompleteLastLine { return nil }
            throw BatchError(.invalidInput, message: "the last line of \(path) is incomplete")
        }
    }
}
