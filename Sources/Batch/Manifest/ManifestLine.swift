internal import AudioProbe
public import Diagnostics
internal import ImageCodecs
package import JSONValues
public import MediaPrep
public import SystemPackage

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// One line of the manifest: the result of one input, or its description.
public struct ManifestLine: Encodable, Sendable {
    /// The input's path as it was given, or below a directory that was given.
    public var input: FilePath
    /// The path relative to the output directory, or `nil` if there is no output.
    public var output: FilePath?
    /// The kind of media, by its content or else by its name.
    public var kind: MediaKind
    /// The verdict, or `nil` for an image that was only inspected.
    public var verdict: Verdict?
    /// The reasons for which the input was rejected or failed.
    public var reasons: [Diagnostic] = []
    /// The anomalies and losses that did not prevent the preparation.
    public var warnings: [Diagnostic] = []
    /// The format of the input, such as `jpeg` or `m4a`; `nil` if it was not recognized.
    public var format: String?
    /// The size of the input, in bytes; `nil` if it could not be opened.
    public var inputBytes: Int?
    /// The size of the output, in bytes; `nil` if there is none.
    public var outputBytes: Int?
    /// The SHA-256 of the output, in lower-case hexadecimal; `nil` if there is none.
    public var sha256: String?
    /// The time that the preparation took, in milliseconds.
    public var elapsedMilliseconds = 0.0
    package var image: ManifestImageFields?
    package var audio: ManifestAudioFields?
    /// The result of the upload, or `nil` if there was none.
    package var upload: JSONValue?

    package init(input: FilePath, kind: MediaKind) {
        self.input = input
        self.kind = kind
    }

    enum CodingKeys: String, CodingKey {
        case input, output, kind, verdict, reasons, warnings, format, sha256, image, audio, upload
        case inputBase64 = "input_base64"
        case outputBase64 = "output_base64"
        case inputBytes = "input_bytes"
        case outputBytes = "output_bytes"
        case elapsed = "elapsed_ms"
    }

    /// Encodes all keys, with null for missing values. `image` and `audio` are left out instead of null. The exact
    /// bytes of a path are added in Base64 if it is not UTF-8.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: The errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
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
        try line.encodeIfPresent(audio, forKey: .audio)
        try line.encodeIfPresent(upload, forKey: .upload)
    }
}

extension ManifestLine {
    /// Returns the line as JSON, with its terminator.
    ///
    /// - Throws: `EncodingError` if a number is not finite.
    package func jsonLine() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + [UInt8(ascii: "\n")]
    }

    /// The errors for which a file may be skipped if it is not expected to be media.
    private static let nonMediaCodes: Set<MediaError.Code> = [.unrecognized, .empty, .notARegularFile, .inputTooLarge]
    /// The errors for which a video is not prepared.
    private static let videoCodes: Set<MediaError.Code> = [.hasVideo, .videoOnly]

    /// Returns whether `input` is skipped, rather than rejected, because of the error `code`, or `nil` if no input is
    /// ever skipped because of that error.
    static func isSkipped(_ input: DiscoveredInput, errorCode code: MediaError.Code) -> Bool? {
        nonMediaCodes.contains(code) ? !input.isExpectedToBeMedia : videoCodes.contains(code) ? input.skipsVideo : nil
    }

    /// Records the error with which the input was rejected or failed.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - input: The input as it was discovered, which determines whether the file may be skipped, or `nil` if the
    ///     file was named itself.
    mutating func recordResult(_ error: MediaError, input: DiscoveredInput?) {
        verdict = Verdict(error.verdict)
        if Self.nonMediaCodes.contains(error.code) { kind = .other }
        reasons = [Diagnostic(error)]
        markSkippedIfAllowed(input: input, errorCode: error.code)
    }

    private mutating func markSkippedIfAllowed(input: DiscoveredInput?, errorCode code: MediaError.Code?) {
        if let input, let code, Self.isSkipped(input, errorCode: code) == true { verdict = .skipped }
    }

    /// Records the description and verdict of an audio file.
    ///
    /// - Parameters:
    ///   - report: The description.
    ///   - input: The input as it was discovered, which determines whether the file may be skipped, or `nil` if the
    ///     file was named itself.
    mutating func recordResult(_ report: AudioReport, input: DiscoveredInput?) {
        kind = .audio
        verdict = report.verdict
        reasons = report.rejectionReasons.map(Diagnostic.init)
        warnings = report.warnings
        format = report.recording.container.rawValue
        audio = ManifestAudioFields(report)
        markSkippedIfAllowed(input: input, errorCode: report.rejectionReasons.first?.code)
    }

    /// Records the measures of an image and the rules that it breaks. Without broken rules there is no verdict yet.
    ///
    /// - Parameter assessment: The measures and the reasons.
    mutating func recordAssessment(_ assessment: ImageAssessment) {
        reasons = assessment.rejectionReasons.map(Diagnostic.init)
        if !reasons.isEmpty { verdict = .rejected }
        warnings = assessment.warnings
        guard let probe = assessment.sourceProbe else { return }
        format = probe.format.rawValue
        image = ManifestImageFields(probe, measures: assessment.measures)
    }

    /// Creates the line for a result, without the members that describe its output file.
    init(input: DiscoveredInput, result: MediaResult) {
        self.init(input: input.path, kind: result.kind ?? OutputNaming.expectedMediaKind(of: input.path))
        inputBytes = result.inputByteCount
        elapsedMilliseconds = result.elapsed.milliseconds
        switch result.outcome {
        case .image(let image):
            verdict = image.verdict
            warnings = image.warnings
            format = image.sourceProbe.format.rawValue
            self.image = ManifestImageFields(image)
        case .rejectedImage(let assessment): recordAssessment(assessment)
        case .audio(let audio): recordResult(audio.report, input: input)
        case .rejectedAudio(let report): recordResult(report, input: input)
        case .failure(let error): recordResult(error, input: input)
        }
    }

    /// Creates the line for an input that is rejected or skipped without being prepared. A file that is neither media
    /// nor expected to be media is skipped instead of rejected.
    init(unprepared input: DiscoveredInput) {
        self.init(input: input.path, kind: OutputNaming.expectedMediaKind(of: input.path))
        if input.isLivePhotoVideo {
            verdict = .skipped
            reasons = [.livePhotoVideo]
            return
        }
        let isMissed = input.isExpectedToBeMedia || input.detectedMediaKind != nil
        reasons = [input.rejectionReason].compactMap { $0 }
        verdict = !isMissed ? .skipped : reasons.first?.code == .unreadable ? .failed : .rejected
    }
}

extension Diagnostic {
    fileprivate static let livePhotoVideo = Diagnostic(
        .livePhotoVideo, message: "the file is the video of a Live Photo, whose image is beside it")
}

extension FilePath {
    fileprivate var base64IfNotUTF8: String? {
        let bytes = self.bytes
        return Array(string.utf8) == bytes ? nil : Data(bytes).base64EncodedString()
    }
}
