internal import AudioProbe
internal import ImageCodecs
internal import SystemSupport

/// Prepares one input: opens it, detects its kind, reserves memory for it, and prepares it.
struct MediaInputPreparer: Sendable {
    private let imagePreparer: ImagePreparer
    private let audioPreparer: AudioPreparer
    /// The configured memory limit, in bytes. An input that needs more is rejected.
    private let hardMemoryLimit: Int?
    /// The budget that all concurrent inputs share.
    let memoryBudget: MemoryBudget
    /// The threads of jobs that found no further input.
    let spareThreads = SpareThreads(count: 0)

    init(_ pipeline: MediaPipeline) {
        imagePreparer = pipeline.imagePreparer
        audioPreparer = pipeline.audioPreparer
        hardMemoryLimit = pipeline.memoryLimit
        memoryBudget = MemoryBudget(limit: max(0, pipeline.memoryLimit ?? AvailableMemory.byteCount / 2))
    }

    /// What is found out about an input, even if its preparation fails.
    private struct InputObservation {
        var kind: MediaKind?
        var byteCount: Int?
        var fileStatus: FileStatus?
        /// The time spent waiting for memory.
        var memoryWaitTime = Duration.zero
    }

    /// Prepares `input` and returns its result.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - index: The input's position in the sequence.
    ///   - reservation: Receives the memory that the preparation needs.
    /// - Throws: `CancellationError`.
    func prepareInput(_ input: MediaInput, index: Int, within reservation: inout MemoryReservation) async throws
        -> MediaResult
    {
        let clock = ContinuousClock(), start = clock.now
        var observation = InputObservation()
        let outcome: MediaResult.Outcome
        do {
            outcome = try await prepareMedia(from: input, updating: &observation, within: &reservation)
        } catch let error as MediaError {
            if error.code == .cancelled { throw CancellationError() }
            outcome = .failure(error)
            if [.unrecognized, .empty].contains(error.code) { observation.kind = nil }
        }
        return MediaResult(
            index: index, input: input, kind: observation.kind, inputByteCount: observation.byteCount,
            fileStatus: observation.fileStatus,
            outcome: outcome, elapsed: clock.now - start - observation.memoryWaitTime)
    }

    private func prepareMedia(
        from input: MediaInput, updating observation: inout InputObservation,
        within reservation: inout MemoryReservation
    ) async throws -> MediaResult.Outcome {
        var file = try input.openFile()
        observation.byteCount = file.byteCount
        observation.fileStatus = file.fileStatus
        switch try file.detectKind(limits: audioPreparer.options.limits) {
        case .image:
            observation.kind = .image
            var image = try imagePreparer.openImage(file)
            let probe = try await probeImage(&image, updating: &observation, within: &reservation)
            let estimate = MemoryEstimate.imagePreparationBytes(probe, fileByteCount: image.byteCount)
            try await reserveMemory(
                byteCount: estimate, fileName: image.name, updating: &observation, within: &reservation)
            return try imagePreparer.makeOutcome(
                image, declaredType: input.declaredType, spareThreads: spareThreads)
        case .audio, .other:
            observation.kind = .audio
            try await reserveMemory(
                byteCount: MemoryEstimate.perAudioFile + input.inMemoryByteCount, fileName: file.name,
                updating: &observation, within: &reservation)
            let report = try audioPreparer.inspect(&file, declaredType: input.declaredType)
            return report.verdict == .rejected
                ? .rejectedAudio(report) : .audio(PreparedAudio(report: report, source: file))
        }
    }

    /// Probes an image. If its header is longer than usual, reserves memory for the whole file while probing.
    private func probeImage(
        _ image: inout ImageFile, updating observation: inout InputObservation,
        within reservation: inout MemoryReservation
    ) async throws -> ImageProbeResult {
        if let probe = try imagePreparer.probe(&image, prefixByteCount: MemoryEstimate.imageHeaderPrefix) {
            return probe
        }
        try await reserveMemory(
            byteCount: MemoryEstimate.perJob + image.byteCount, fileName: image.name, updating: &observation,
            within: &reservation)
        defer {
            image.discardContents()
            reservation.shrink(toByteCount: 0)
        }
        return try imagePreparer.probe(&image)
    }

    /// Waits until `bytes` of the memory budget are available, and reserves them.
    ///
    /// - Throws: ``MediaError/Code/maxMemoryExceeded`` if the configured limit is lower, and `CancellationError`.
    private func reserveMemory(
        byteCount bytes: Int, fileName name: String?, updating observation: inout InputObservation,
        within reservation: inout MemoryReservation
    ) async throws {
        if let hardMemoryLimit, bytes > hardMemoryLimit {
            throw MediaError(
                .maxMemoryExceeded, verdict: .rejected, stage: .probe, fileName: name,
                message: "the needed memory is too large: about \(bytes) bytes (at most \(hardMemoryLimit))")
        }
        let clock = ContinuousClock(), start = clock.now
        try await reservation.acquire(byteCount: bytes)
        observation.memoryWaitTime += clock.now - start
    }
}
