internal import ImageCodecs
internal import MediaPrep
internal import SystemPackage

/// Looks at files without preparing them.
struct Inspection: Sendable {
    var images: ImagePreparer
    var recordings: AudioPreparer

    /// What the file at `path` is. An image has no verdict: only preparing it tells.
    ///
    /// - Parameter input: where the file was found, which decides whether it may be skipped; nil if it was named.
    func line(for path: FilePath, of input: Input? = nil) -> ManifestLine {
        var line = ManifestLine(input: path, kind: OutputName.kind(of: path))
        let clock = ContinuousClock()
        let start = clock.now
        do throws(MediaError) {
            try inspect(path, of: input, &line)
        } catch {
            line.add(error, of: input)
        }
        line.elapsedMilliseconds = (clock.now - start).milliseconds
        return line
    }

    private func inspect(_ path: FilePath, of input: Input?, _ line: inout ManifestLine) throws(MediaError) {
        var file = try SourceFile(path: path.bytes)
        line.inputBytes = file.byteCount
        switch try file.detectKind() {
        case .image:
            line.kind = "image"
            let probe = try images.probe(&file)
            line.format = probe.format.rawValue
            line.image = ImageFacts(probe)
            line.warnings = probe.warnings.map(Reason.init)
        case .audio:
            line.kind = "audio"
            line.add(try recordings.inspect(&file), of: input)
        }
    }
}
