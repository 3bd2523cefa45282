internal import AudioProbe
internal import ImageCodecs
internal import MediaPrep
internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A reason or a warning in a manifest line.
struct ManifestDiagnostic: Error, Codable, Hashable, Sendable {
    /// The code, as a stable name in kebab case.
    var code: String
    /// A message for the user.
    var message: String
    /// The offset in the input that the diagnostic is about, in bytes, or `nil` if there is none.
    var offset: Int?
}

/// One line of the manifest: the result of one input, or its description.
struct ManifestLine: Encodable, Sendable {
    enum Verdict: String, Codable, CaseIterable {
        case converted, passthrough, accepted, cleaned, skipped, rejected, failed

        /// Whether there is an output that can be uploaded.
        var isPrepared: Bool {
            switch self {
            case .converted, .passthrough, .accepted, .cleaned: true
            case .skipped, .rejected, .failed: false
            }
        }
    }

    var input: FilePath
    /// The path relative to the output directory, or `nil` if there is no output.
    var output: FilePath?
    var kind: String
    /// The verdict, or `nil` for an image that was only inspected.
    var verdict: Verdict?
    var reasons: [ManifestDiagnostic] = []
    var warnings: [ManifestDiagnostic] = []
    var format: String?
    var inputBytes: Int?
    var outputBytes: Int?
    var sha256: String?
    var elapsedMilliseconds = 0.0
    var image: ManifestImageFields?
    var audio: ManifestAudioFields?

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
        try line.encodeIfPresent(audio, forKey: .audio)
    }
}

extension ManifestLine {
    /// Returns the line as JSON, with its terminator.
    ///
    /// - Throws: `EncodingError` if a number is not finite.
    func jsonLine() throws -> Data {
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
        verdict = error.verdict == .rejected ? .rejected : .failed
        if Self.nonMediaCodes.contains(error.code) { kind = "other" }
        reasons = [ManifestDiagnostic(error)]
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
        kind = "audio"
        verdict =
            switch report.verdict {
            case .accepted: .accepted
            case .cleaned: .cleaned
            case .rejected: .rejected
            }
        reasons = report.rejectionReasons.map(ManifestDiagnostic.init)
        warnings = report.warnings.map(ManifestDiagnostic.init)
        format = report.recording.container.rawValue
        audio = ManifestAudioFields(report)
        markSkippedIfAllowed(input: input, errorCode: report.rejectionReasons.first?.code)
    }

    /// Creates the line for a result, without the members that describe its output file.
    init(input: DiscoveredInput, result: MediaResult) {
        self.init(input: input.path, kind: result.kind?.rawValue ?? OutputNaming.expectedMediaKind(of: input.path))
        inputBytes = result.inputByteCount
        elapsedMilliseconds = result.elapsed.milliseconds
        switch result.outcome {
        case .image(let image):
            verdict = image.verdict == .converted ? .converted : .passthrough
            warnings = image.warnings.map(ManifestDiagnostic.init)
            format = image.sourceProbe.format.rawValue
            self.image = ManifestImageFields(image)
        case .audio(let audio): recordResult(audio.report, input: input)
        case .rejectedAudio(let report): recordResult(report, input: input)
        case .failure(let error): recordResult(error, input: input)
        }
    }

    /// Creates the line for an input that is rejected without being prepared. A file that is neither media nor expected
    /// to be media is skipped instead.
    init(rejecting input: DiscoveredInput) {
        self.init(input: input.path, kind: OutputNaming.expectedMediaKind(of: input.path))
        let isMissed = input.isExpectedToBeMedia || input.detectedMediaKind != nil
        reasons = [input.rejectionReason].compactMap { $0 }
        verdict = !isMissed ? .skipped : reasons.first?.code == "unreadable" ? .failed : .rejected
    }
}

extension ManifestDiagnostic {
    init(_ error: MediaError) {
        self.init(code: error.code.rawValue, message: error.message, offset: error.offset)
    }

    init(_ warning: MediaWarning) {
        self.init(code: warning.code, message: warning.message, offset: warning.offset)
    }
}

extension FilePath {
    fileprivate var base64IfNotUTF8: String? {
        let bytes = self.bytes
        return Array(string.utf8) == bytes ? nil : Data(bytes).base64EncodedString()
    }
}
