internal import AudioProbe
internal import ImageCodecs

/// What is done with one input: opened, recognised, admitted when there is memory for it, prepared.
struct MediaPreparation: Sendable {
    private let images: ImagePreparer
    private let recordings: AudioPreparer
    /// Beyond this an input is refused.
    private let hardLimit: Int?
    /// What all that are under way share.
    let budget: MemoryBudget

    init(_ pipeline: MediaPipeline) {
        images = pipeline.images
        recordings = pipeline.recordings
        hardLimit = pipeline.memoryLimit
        budget = MemoryBudget(max(0, pipeline.memoryLimit ?? AvailableMemory.bytes / 2))
    }

    /// What is known of an input, whatever becomes of it.
    private struct Sighting {
        var kind: MediaResult.Kind?
        var byteCount: Int?
        var version: FileVersion?
        /// How long it waited for memory.
        var waited = Duration.zero
    }

    /// What became of `input`.
    ///
    /// - Parameter share: is given the memory that it takes.
    /// - Throws: `CancellationError`.
    func result(of input: MediaInput, _ index: Int, within share: inout MemoryShare) async throws -> MediaResult {
        let clock = ContinuousClock(), start = clock.now
        var sighting = Sighting()
        let outcome: MediaResult.Outcome
        do {
            outcome = try await prepare(input, &sighting, &share)
        } catch let error as MediaError {
            if error.code == .cancelled { throw CancellationError() }
            outcome = .failure(error)
            if [.unrecognized, .empty].contains(error.code) { sighting.kind = nil }
        }
        return MediaResult(
            index: index, input: input, kind: sighting.kind, byteCount: sighting.byteCount, version: sighting.version,
            outcome: outcome, elapsed: clock.now - start - sighting.waited)
    }

    private func prepare(
        _ input: MediaInput, _ sighting: inout Sighting, _ share: inout MemoryShare
    ) async throws -> MediaResult.Outcome {
        var file = try input.open()
        sighting.byteCount = file.byteCount
        sighting.version = file.version
        switch try file.kind() {
        case .image:
            sighting.kind = .image
            let probe = try await probe(&file, &sighting, &share)
            let estimate = MemoryEstimate.image(probe, byteCount: file.byteCount)
            try await admit(estimate, file.name, &sighting, &share)
            let bytes = try file.contents(limit: images.options.limits.inputBytes)
            return .image(try images.prepare(bytes, name: file.name, declaredType: input.declaredType))
        case .recording:
            sighting.kind = .audio
            try await admit(MemoryEstimate.recording + input.heldBytes, file.name, &sighting, &share)
            let report = try recordings.inspect(&file, declaredType: input.declaredType)
            return report.verdict == .rejected ? .refusedAudio(report) : .audio(PreparedAudio(report, of: file))
        }
    }

    /// Reads an image's header. One that is longer than usual is admitted by its file's size for that time.
    private func probe(
        _ file: inout SourceFile, _ sighting: inout Sighting, _ share: inout MemoryShare
    ) async throws -> ImageProbe {
        if let probe = try images.probe(&file, within: MemoryEstimate.header) { return probe }
        try await admit(MemoryEstimate.job + file.byteCount, file.name, &sighting, &share)
        defer { share.shrink(to: 0) }
        return try images.probe(&file)
    }

    /// Waits until there are `bytes` of memory.
    ///
    /// - Throws: `max-memory`, `CancellationError`.
    private func admit(
        _ bytes: Int, _ name: String?, _ sighting: inout Sighting, _ share: inout MemoryShare
    ) async throws {
        if let hardLimit, bytes > hardLimit {
            throw MediaError(
                .maxMemory, .rejected, .probe, file: name,
                "to prepare it takes about \(bytes) bytes of memory, more than the \(hardLimit) allowed")
        }
        let clock = ContinuousClock(), start = clock.now
        try await share.acquire(bytes)
        sighting.waited += clock.now - start
    }
}
