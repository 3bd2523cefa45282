internal import AudioProbe
internal import ImageCodecs
internal import MediaPrep
internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Why an input was not prepared, or what is to be known of one that was.
struct ManifestDiagnostic: Error, Codable, Hashable, Sendable {
    /// A stable kebab-case name.
    var code: String
    /// A sentence for a person.
    var message: String
    /// The byte of the input that it is about, if there is one.
    var offset: Int?
}

/// One line of the manifest: what became of one input, or what it is.
struct ManifestLine: Encodable, Sendable {
    enum Verdict: String, Codable, CaseIterable {
        case converted, passthrough, accepted, cleaned, skipped, rejected, failed

        /// Whether something was made that can be sent.
        var isPrepared: Bool {
            switch self {
            case .converted, .passthrough, .accepted, .cleaned: true
            case .skipped, .rejected, .failed: false
            }
        }
    }

    var input: FilePath
    /// Relative to the output directory.
    var output: FilePath?
    var kind: String
    /// Nil for an image that was only inspected.
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

    /// Every key is there, with null where there is nothing to say; but for `image` and `audio`, and for names that are
    /// not UTF-8, whose bytes are repeated in base 64.
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
    /// The line as it is printed, its end included.
    func jsonLine() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + [UInt8(ascii: "\n")]
    }

    /// Why a file may be passed over, if no one expects it to be media.
    private static let nonMediaCodes: Set<MediaError.Code> = [.unrecognized, .empty, .notARegularFile, .inputTooLarge]
    /// Why a video is not prepared.
    private static let videoCodes: Set<MediaError.Code> = [.hasVideo, .videoOnly]

    /// Whether `input` is skipped for the reason `code`, and not rejected; nil for a reason that never skips.
    static func isSkipped(_ input: DiscoveredInput, errorCode code: MediaError.Code) -> Bool? {
        nonMediaCodes.contains(code) ? !input.isExpectedToBeMedia : videoCodes.contains(code) ? input.skipsVideo : nil
    }

    /// What an error adds.
    ///
    /// - Parameter input: where the file was found, which decides whether it may be skipped; nil if it was named.
    mutating func recordResult(_ error: MediaError, input: DiscoveredInput?) {
        verdict = error.verdict == .rejected ? .rejected : .failed
        if Self.nonMediaCodes.contains(error.code) { kind = "other" }
        reasons = [ManifestDiagnostic(error)]
        markSkippedIfAllowed(input: input, errorCode: error.code)
    }

    private mutating func markSkippedIfAllowed(input: DiscoveredInput?, errorCode code: MediaError.Code?) {
        if let input, let code, Self.isSkipped(input, errorCode: code) == true { verdict = .skipped }
    }

    /// What is known of a recording.
    ///
    /// - Parameter input: as above.
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

    /// What became of `input`, but for what was written.
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

    /// What becomes of an input that is refused by its name alone. What no one expects to be media, and is none, is
    /// passed over.
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
