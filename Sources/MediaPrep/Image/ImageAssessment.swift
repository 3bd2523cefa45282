public import Diagnostics
internal import ImageCodecs
public import Imaging

/// The measures of an image, and the rules of ``ImageOptions/policy`` that it breaks.
public struct ImageAssessment: Sendable {
    /// The measures.
    public var measures: ImageMeasures
    /// The properties of the source; `nil` for a luma plane in memory.
    public var sourceProbe: ImageProbeResult?
    /// The reasons for which the image is rejected, in the order of ``ImageFault``; empty if it is acceptable.
    public var rejectionReasons: [MediaError]
    /// The anomalies of the source, and the rules that only warn.
    public var warnings: [Diagnostic]

    /// Applies `policy` to the measures of an image.
    ///
    /// - Parameters:
    ///   - measures: The measures.
    ///   - policy: The rules.
    ///   - probe: The properties of the source, if it is a file.
    ///   - warnings: The anomalies of the source.
    ///   - fileName: The name of the file, for the errors.
    init(
        measures: ImageMeasures, policy: ImagePolicy, sourceProbe probe: ImageProbeResult? = nil,
        warnings: [Diagnostic] = [], fileName: String? = nil
    ) {
        self.measures = measures
        sourceProbe = probe
        self.warnings = warnings
        rejectionReasons = []
        apply(policy, fileName: fileName)
    }

    /// Adds the rules of `policy` that the image breaks, as reasons and warnings.
    ///
    /// - Parameters:
    ///   - policy: The rules.
    ///   - fileName: The name of the file, for the errors.
    package mutating func apply(_ policy: ImagePolicy, fileName: String? = nil) {
        for violation in policy.violations(of: measures) {
            switch violation.rule.action {
            case .warn:
                warnings.append(
                    Diagnostic(.init(rawValue: violation.fault.rawValue), message: violation.message))
            case .reject:
                rejectionReasons.append(
                    MediaError(
                        .init(rawValue: violation.fault.rawValue), verdict: .rejected, stage: .decode,
                        fileName: fileName, message: violation.message))
            }
        }
    }
}

extension ImageAssessment {
    /// Compares the content with the file's name, and with the media type that was declared for it.
    mutating func addMismatchWarnings(fileName name: String?, declaredType: String? = nil) {
        guard let sourceProbe else { return }
        warnings += ImagePreparer.mismatchWarnings(for: sourceProbe.format, name: name, declaredType: declaredType)
    }

    /// Decodes and measures an image, and applies the policy.
    ///
    /// - Throws: The errors of decoding.
    init(of source: consuming ImageSource, options: ImageOptions, fileName: String?) throws(CodecError) {
        let probe = ImageProbeResult(header: source.header, options: options)
        var resampling = ResampleRequest(
            size: probe.uprightSize.scaledDown(toLongerSide: ResampleRequest.maxOverviewDimension),
            orientation: probe.orientation)
        resampling.isMeasured = true
        resampling.isForMeasuresOnly = true
        var decoded = try source.decode(resampling: resampling, convertsToSRGB: options.color == .srgb)
        self.init(
            measures: decoded.image.takeMeasurement(sourceSize: probe.uprightSize).makeMeasures(),
            policy: options.policy, sourceProbe: probe, warnings: decoded.warnings, fileName: fileName)
        for plane in decoded.image.planes { SampleBufferPool.shared.recycle(plane.samples) }
    }
}
