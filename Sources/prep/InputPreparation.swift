internal import AudioProbe
internal import FoundationEssentials
internal import ImageCodecs
internal import MediaPrep
internal import SystemPackage

/// What is done with one input: recognised, prepared as an image or as a recording, written.
struct InputPreparation: Sendable {
    var images: ImagePreparer
    var recordings: AudioPreparer
    var directory: OutputDirectory
    /// Files that no output may replace: the inputs, and those of other parts of the batch.
    var spared: Set<FileIdentity>

    /// What became of `input`.
    func line(for input: Input) -> ManifestLine {
        var line = ManifestLine(input: input.path, kind: OutputName.kind(of: input.path))
        if let refusal = input.refusal, input.isExpected {
            line.refuse(refusal)
            return line
        }
        do throws(MediaError) {
            var file = try SourceFile(path: input.path.bytes)
            line.inputBytes = file.byteCount
            let kind = try file.kind()
            line.kind = kind == .image ? "image" : "audio"
            if let refusal = input.refusal {
                // What nobody expects to be media is refused only if it is, and passed over otherwise.
                if kind == .image { _ = try images.probe(Data(try contents(of: &file))) }
                line.refuse(refusal)
                return line
            }
            switch kind {
            case .image: try prepareImage(&file, input, &line)
            case .recording: try prepareRecording(&file, input, &line)
            }
        } catch {
            line.add(error, isExpected: input.isExpected)
        }
        return line
    }

    private func prepareImage(
        _ file: inout SourceFile, _ input: Input, _ line: inout ManifestLine
    ) throws(MediaError) {
        let image = try images.prepare(try contents(of: &file), name: input.path.string)
        line.verdict = image.verdict == .converted ? .converted : .passthrough
        line.warnings = image.warnings.map(Reason.init)
        line.format = image.source.format.rawValue
        line.image = ImageFacts(image)
        let bytes = [UInt8](image.data)
        write(to: OutputName.image(for: input.relativePath), byteCount: bytes.count, &line) { write in
            try write(bytes)
        }
    }

    private func prepareRecording(
        _ file: inout SourceFile, _ input: Input, _ line: inout ManifestLine
    ) throws(MediaError) {
        let report = try recordings.inspect(&file)
        line.add(report)
        guard report.verdict != .rejected else { return }
        let audio = PreparedAudio(report, of: file)
        write(to: OutputName.recording(for: input.relativePath), byteCount: audio.byteCount, &line) { write in
            try audio.forEachChunk(write)
        }
    }

    private func contents(of file: inout SourceFile) throws(MediaError) -> [UInt8] {
        try file.contents(limit: images.options.limits.inputBytes)
    }

    private func write(
        to name: FilePath, byteCount: Int, _ line: inout ManifestLine,
        _ content: (_ write: ([UInt8]) throws -> Void) throws -> Void
    ) {
        do throws(Reason) {
            line.sha256 = try directory.write(to: name, sparing: spared, content)
            line.output = name
            line.outputBytes = byteCount
        } catch {
            line.verdict = error.code == "overwrites-input" ? .rejected : .failed
            line.reasons = [error]
        }
    }
}

extension ManifestLine {
    /// What is known of a recording.
    mutating func add(_ report: AudioReport) {
        kind = "audio"
        verdict =
            switch report.verdict {
            case .accepted: .accepted
            case .cleaned: .cleaned
            case .rejected: .rejected
            }
        reasons = report.reasons.map(Reason.init)
        warnings = report.warnings.map(Reason.init)
        format = report.recording.container.rawValue
        audio = AudioFacts(report)
    }

    /// What a refusal without preparation adds.
    fileprivate mutating func refuse(_ reason: Reason) {
        verdict = reason.code == "unreadable" ? .failed : .rejected
        reasons = [reason]
    }
}
