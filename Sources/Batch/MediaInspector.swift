internal import ImageCodecs
package import MediaPrep
package import SystemPackage

/// Inspects files without preparing them.
package struct MediaInspector: Sendable {
    private let imagePreparer: ImagePreparer
    private let audioPreparer: AudioPreparer
    private let measuresImages: Bool

    /// Creates an inspector.
    ///
    /// - Parameters:
    ///   - imagePreparer: The preparer of images.
    ///   - audioPreparer: The preparer of audio.
    ///   - measuresImages: Whether images are decoded, measured, and judged by the policy.
    package init(imagePreparer: ImagePreparer, audioPreparer: AudioPreparer, measuresImages: Bool = false) {
        self.imagePreparer = imagePreparer
        self.audioPreparer = audioPreparer
        self.measuresImages = measuresImages
    }

    /// Returns a manifest line that describes the file at `path`.
    ///
    /// The line of an image has no verdict unless the policy rejects it, because only its preparation can determine
    /// one.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - input: The input as it was discovered, which determines whether the file may be skipped, or `nil` if the
    ///     file was named itself.
    package func manifestLine(forFileAt path: FilePath, input: DiscoveredInput? = nil) -> ManifestLine {
        var line = ManifestLine(input: path, kind: OutputNaming.expectedMediaKind(of: path))
        let clock = ContinuousClock()
        let start = clock.now
        do throws(MediaError) {
            try inspectFile(at: path, input: input, into: &line)
        } catch {
            line.recordResult(error, input: input)
        }
        line.elapsedMilliseconds = (clock.now - start).milliseconds
        return line
    }

    private func inspectFile(at path: FilePath, input: DiscoveredInput?, into line: inout ManifestLine)
        throws(MediaError)
    {
        var file = try SourceFile(path: path.bytes)
        line.inputBytes = file.byteCount
        switch try file.detectKind(limits: audioPreparer.options.limits) {
        case .image:
            line.kind = .image
            var image = try imagePreparer.openImage(file)
            let probe = try imagePreparer.probe(&image)
            line.format = probe.format.rawValue
            line.image = ManifestImageFields(probe)
            line.warnings = probe.warnings
            if measuresImages { line.recordAssessment(try imagePreparer.assess(image)) }
        case .audio, .other:
            line.kind = .audio
            line.recordResult(try audioPreparer.inspect(&file), input: input)
        }
    }
}
