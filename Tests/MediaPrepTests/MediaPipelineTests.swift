import Diagnostics
import Foundation
import ImageCodecs
import TestSupport
import Testing

@testable import MediaPrep

@Suite("A pipeline prepares many inputs as one prepares each", .timeLimit(.minutes(20)))
struct MediaPipelineTests {
    private static let imagePreparer = ImagePreparer(maxDimension: 100)

    /// The comparable properties of a result.
    private struct Facts: Equatable {
        var kind: MediaKind?
        var verdict: Verdict
        var data: Data?
        var codes: [String]
        var warnings: [String] = []
    }

    private static func comparableFacts(_ result: MediaResult) throws -> Facts {
        switch result.outcome {
        case .image(let image):
            Facts(
                kind: result.kind, verdict: result.verdict, data: image.data, codes: [],
                warnings: image.warnings.map(\.code.rawValue))
        case .audio(let audio):
            Facts(
                kind: result.kind, verdict: result.verdict, data: try audio.readAllData(), codes: [],
                warnings: audio.report.warnings.map(\.code.rawValue))
        case .rejectedImage(let assessment):
            Facts(
                kind: result.kind, verdict: result.verdict, codes: assessment.rejectionReasons.map(\.code.rawValue),
                warnings: assessment.warnings.map(\.code.rawValue))
        case .rejectedAudio(let report):
            Facts(
                kind: result.kind, verdict: result.verdict, codes: report.rejectionReasons.map(\.code.rawValue),
                warnings: report.warnings.map(\.code.rawValue))
        case .failure(let error): Facts(kind: result.kind, verdict: result.verdict, codes: [error.code.rawValue])
        }
    }

    /// The results of the preparers for each input of `CountingInputSequence.makeMixedInputs()`.
    private static func expectedFacts() throws -> [Facts] {
        let jpeg = try SmallJPEGs.makeColorNoise(quality: 90)
        let progressive = try SmallJPEGs.makeColorNoise(
            width: 200, height: 300, quality: 80, isProgressive: true, seed: 2)
        func image(_ data: Data, _ verdict: Verdict, _ more: [String] = []) throws -> Facts {
            let image = try imagePreparer.prepare(data)
            return Facts(
                kind: .image, verdict: verdict, data: image.data, codes: [],
                warnings: image.warnings.map(\.code.rawValue) + more
            )
        }
        func audio(_ name: String, _ verdict: Verdict) throws -> Facts {
            let audio = try AudioPreparer().prepare(contentsOf: SampleMedia.goodAudio(named: name))
            return Facts(
                kind: .audio, verdict: verdict, data: try audio.readAllData(), codes: [],
                warnings: audio.report.warnings.map(\.code.rawValue))
        }
        func failure(_ kind: MediaKind?, _ code: String, _ verdict: Verdict = .rejected)
            -> Facts
        {
            Facts(kind: kind, verdict: verdict, codes: [code])
        }
        return [
            try image(jpeg, .converted),
            try image(progressive, .converted, ["name-mismatch", "mime-type-mismatch"]),
            try image(try Data(contentsOf: SampleMedia.goodImage(named: "ear-passthrough.jpg")), .converted),
            failure(nil, "unreadable", .failed), try audio("visit-note-position.m4a", .cleaned),
            try audio("visit-note.flac", .accepted),
            Facts(
                kind: .audio, verdict: .rejected, codes: ["truncated"],
                warnings: try AudioPreparer().inspect(contentsOf: SampleMedia.damagedFile(named: "truncated.m4a"))
                    .warnings.map(\.code.rawValue)
            ),
            try audio("visit-note-position.m4a", .cleaned), failure(.audio, "no-sound"),
            failure(nil, "unrecognized-format"), failure(nil, "empty", .failed), failure(.image, "unsupported-heic"),
            failure(.image, "truncated"), failure(nil, "not-a-regular-file"), failure(nil, "unrecognized-format"),
        ]
    }

    @Test(
        "Each input has one result, the same for any number of jobs and any budget",
        arguments: [1, 2, 8], [nil, 6 << 20, 1 << 30])
    func resultsDoNotDependOnJobsOrBudget(_ jobs: Int, _ memoryLimit: Int?) async throws {
        let pipeline = MediaPipeline(
            imagePreparer: Self.imagePreparer, maxConcurrentJobs: jobs, memoryLimit: memoryLimit)
        let inputs = try CountingInputSequence.makeMixedInputs(), sink = CollectingSink()
        try await pipeline.run(CountingInputSequence(inputs), into: sink)
        let results = sink.resultsByInputOrder
        #expect(results.map(\.index) == Array(inputs.indices))
        #expect(results.map(\.input.name) == inputs.map(\.name))
        for (result, expected) in zip(results, try Self.expectedFacts()) {
            let facts = try Self.comparableFacts(result)
            #expect(facts == expected, "input \(result.index)")
            #expect(result.elapsed > .zero)
        }
    }

    @Test("A result has the number of input bytes, and the file's identity if there is one")
    func resultsStateInputSizeAndVersion() async throws {
        let url = SampleMedia.goodImage(named: "ear-passthrough.jpg"), data = try SmallJPEGs.makeColorNoise(quality: 80)
        let sink = CollectingSink()
        let inputs = [
            MediaInput(url: url), MediaInput(data: data, name: nil),
            MediaInput(url: SampleMedia.goodImage(named: "no-such-photo.jpg")),
        ]
        try await MediaPipeline(imagePreparer: Self.imagePreparer).run(CountingInputSequence(inputs), into: sink)
        let status = try SourceFile(url).fileStatus
        #expect(sink.resultsByInputOrder.map(\.inputByteCount) == [127_739, data.count, nil])
        #expect(sink.resultsByInputOrder.map(\.fileStatus) == [status, nil, nil])
        #expect(status != nil)
    }

    @Test("As a sequence it gives the same results, and then ends", arguments: [1, 3])
    func resultSequenceGivesSameResultsAndEnds(_ jobs: Int) async throws {
        let pipeline = MediaPipeline(imagePreparer: Self.imagePreparer, maxConcurrentJobs: jobs),
            inputs = try CountingInputSequence.makeMixedInputs()
        let sink = CollectingSink()
        try await pipeline.run(CountingInputSequence(inputs), into: sink)
        var results: [MediaResult] = []
        var iterator = pipeline.results(for: CountingInputSequence(inputs)).makeAsyncIterator()
        while let result = try await iterator.next() { results.append(result) }
        #expect(try await iterator.next() == nil)
        results.sort { $0.index < $1.index }
        #expect(try results.map(Self.comparableFacts) == sink.resultsByInputOrder.map(Self.comparableFacts))
    }

    @Test("No inputs are no results")
    func emptyInputGivesNoResults() async throws {
        var iterator = MediaPipeline().results(for: CountingInputSequence([])).makeAsyncIterator()
        #expect(try await iterator.next() == nil)
    }

    @Test("Inputs and sink have the run's own threads, so that they may block")
    func inputsAndSinkMayBlock() async throws {
        // As many block at once as there are jobs, more than Swift has threads.
        let jobs = 2 * ProcessInfo.processInfo.activeProcessorCount + 1
        let gate = DispatchSemaphore(value: 0), (starts, started) = AsyncStream.makeStream(of: Void.self)
        let inputs = CountingInputSequence((0..<jobs).map { MediaInput(data: Data([UInt8($0)]), name: nil) })
        let run = Task {
            try await MediaPipeline(maxConcurrentJobs: jobs).run(
                inputs,
                into: CollectingSink { _ in
                    started.yield()
                    Self.wait(for: gate)
                })
        }
        for await _ in starts.prefix(jobs) {}
        for _ in 0..<jobs { gate.signal() }
        try await run.value
    }

    private static func wait(for gate: DispatchSemaphore) {
        #expect(gate.wait(timeout: .now() + .seconds(3600)) == .success)
    }

    @Test("Only an image that needs more than the limit is rejected, with both numbers")
    func imageOverMemoryLimitIsRejectedAlone() async throws {
        let large = try SmallJPEGs.makeColorNoise(width: 2000, height: 2000, quality: 50, isProgressive: true)
        let small = try SmallJPEGs.makeColorNoise(quality: 50)
        let sink = CollectingSink(), limit = 8 << 20
        try await MediaPipeline(imagePreparer: Self.imagePreparer, memoryLimit: limit)
            .run(
                CountingInputSequence([MediaInput(data: large, name: "large.jpg"), MediaInput(data: small, name: nil)]),
                into: sink)
        let results = sink.resultsByInputOrder
        guard case .failure(let error) = results[0].outcome else {
            Issue.record("the large one was prepared")
            return
        }
        #expect(error.code == .maxMemoryExceeded && error.verdict == .rejected && error.fileName == "large.jpg")
        #expect(error.message.hasSuffix("bytes (at most \(limit))"))
        #expect(results[0].kind == .image && results[0].inputByteCount == large.count)
        #expect(results[1].verdict == .passthrough)
    }
}
