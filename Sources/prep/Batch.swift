internal import FoundationEssentials
internal import ImageCodecs
internal import Imaging
internal import MediaPrep
internal import SystemPackage

/// One run over all its inputs.
struct Batch: Sendable {
    var inputs: [Input]
    /// Files that no output may replace: the inputs, and those of other parts of the batch.
    var spared: Set<FileIdentity>
    var directory: OutputDirectory
    var options: ImageOptions
    /// Images at a time.
    var jobs: Int
    var reporter: Reporter

    /// Prepares every input.
    ///
    /// - Throws: if the manifest can't be written.
    func run() async throws -> ExitStatus {
        let preparer = ImagePreparer(options)
        // The large ones first, so that no processor is left waiting at the end for one that was begun last.
        let order = inputs.sorted { $0.size > $1.size }
        await forEachConcurrently(order, limit: jobs, on: CodecThreads(count: jobs)) { input in
            let clock = ContinuousClock()
            let start = clock.now
            var line = line(for: input, with: preparer)
            line.elapsedMilliseconds = (clock.now - start).milliseconds
            reporter.report(line)
        }
        directory.close()
        return try reporter.finish()
    }

    private func line(for input: Input, with preparer: ImagePreparer) -> ManifestLine {
        var line = ManifestLine(input: input.path, kind: "image", verdict: .rejected)
        if let refusal = input.refusal, input.isExpected {
            line.refuse(refusal)
            return line
        }
        do throws(MediaError) {
            let bytes = try FileContents(path: input.path.bytes).read(limit: options.limits.inputBytes)
            line.inputBytes = bytes.count
            if let refusal = input.refusal {
                // What nobody expects to be an image is refused only if it is one, and passed over otherwise.
                _ = try preparer.probe(Data(bytes))
                line.refuse(refusal)
                return line
            }
            let image = try preparer.prepare(bytes, name: input.path.string)
            line.add(image)
            write(image, for: input, &line)
        } catch {
            line.add(error, isExpected: input.isExpected)
        }
        return line
    }

    private func write(_ image: PreparedImage, for input: Input, _ line: inout ManifestLine) {
        let name = OutputName.path(for: input.relativePath)
        let bytes = [UInt8](image.data)
        do throws(Reason) {
            try directory.write(bytes, to: name, sparing: spared)
            line.output = name
            line.outputBytes = bytes.count
            line.sha256 = Digest.sha256(bytes)
        } catch {
            line.verdict = error.code == "overwrites-input" ? .rejected : .failed
            line.reasons = [error]
        }
    }
}

extension ManifestLine {
    /// What a successful preparation adds.
    fileprivate mutating func add(_ image: PreparedImage) {
        verdict = image.verdict == .converted ? .converted : .passthrough
        warnings = image.warnings.map { Reason(code: $0.code, message: $0.message, offset: $0.offset) }
        format = image.source.format.rawValue
        self.image = Image(
            width: image.width, height: image.height, sourceWidth: image.source.storedSize.width,
            sourceHeight: image.source.storedSize.height, orientation: image.source.orientation.rawValue,
            quality: image.quality, chroma: image.chroma.map(\.name), icc: image.hasColorProfile)
    }

    /// What a refusal without preparation adds.
    fileprivate mutating func refuse(_ reason: Reason) {
        verdict = reason.code == "unreadable" ? .failed : .rejected
        reasons = [reason]
    }

    /// What a failed one adds.
    ///
    /// - Parameter isExpected: whether a person would miss the file; what no one expects to be an image is passed over.
    fileprivate mutating func add(_ error: MediaError, isExpected: Bool) {
        let isForeign = [.unrecognized, .empty, .notARegularFile, .inputTooLarge].contains(error.code)
        verdict = isForeign && !isExpected ? .skipped : error.verdict == .rejected ? .rejected : .failed
        kind = isForeign ? "other" : "image"
        reasons = [Reason(code: error.code.rawValue, message: error.message, offset: error.offset)]
    }
}

extension Duration {
    /// With three decimals.
    var milliseconds: Double {
        let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
        return Double(microseconds) / 1000
    }
}
