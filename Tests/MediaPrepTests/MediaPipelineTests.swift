import Foundation
import ImageCodecs
import TestSupport
import Testing

@testable import MediaPrep

@Suite("A pipeline prepares many inputs as one prepares each")
struct MediaPipelineTests {
    private static let images = ImagePreparer(maxDimension: 100)

    /// What can be compared of a result.
    private struct Facts: Equatable {
        var kind: MediaResult.MediaKind?
        var verdict: MediaResult.Verdict
        var data: Data?
        var codes: [String]
        var warnings: [String] = []
    }

    private static func facts(_ result: MediaResult) throws -> Facts {
        switch result.outcome {
        case .image(let image):
            Facts(
                kind: result.kind, verdict: result.verdict, data: image.data, codes: [],
                warnings: image.warnings.map(\.code))
        case .audio(let audio):
            Facts(
                kind: result.kind, verdict: result.verdict, data: try audio.readAllData(), codes: [],
                warnings: audio.report.warnings.map(\.code))
        case .rejectedAudio(let report):
            Facts(
                kind: result.kind, verdict: result.verdict, codes: report.rejectionReasons.map(\.code.rawValue),
                warnings: report.warnings.map(\.code))
        case .failure(let error): Facts(kind: result.kind, verdict: result.verdict, codes: [error.code.rawValue])
        }
    }

    /// What the preparers say of `PipelineInputs.mixture()`, one by one.
    private static func expected() throws -> [Facts] {
        let photo = try SmallPhotos.noise(quality: 90)
        let progressive = try SmallPhotos.noise(width: 200, height: 300, quality: 80, isProgressive: true, seed: 2)
        func image(_ data: Data, _ verdict: MediaResult.Verdict, _ more: [String] = []) throws -> Facts {
            let image = try images.prepare(data)
            return Facts(
                kind: .image, verdict: verdict, data: image.data, codes: [], warnings: image.warnings.map(\.code) + more
            )
        }
        func audio(_ name: String, _ verdict: MediaResult.Verdict) throws -> Facts {
            let audio = try AudioPreparer().prepare(contentsOf: Samples.recording(name))
            return Facts(
                kind: .audio, verdict: verdict, data: try audio.readAllData(), codes: [],
                warnings: audio.report.warnings.map(\.code))
        }
        func failure(_ kind: MediaResult.MediaKind?, _ code: String, _ verdict: MediaResult.Verdict = .rejected)
            -> Facts
        {
            Facts(kind: kind, verdict: verdict, codes: [code])
        }
        return [
            try image(photo, .converted),
            try image(progressive, .converted, ["name-mismatch", "mime-type-mismatch"]),
            try image(try Data(contentsOf: Samples.photo("ear-passthrough.jpg")), .converted),
            failure(nil, "unreadable", .failed), try audio("visit-note-position.m4a", .cleaned),
            try audio("visit-note.flac", .accepted),
            Facts(
                kind: .audio, verdict: .rejected, codes: ["truncated"],
                warnings: try AudioPreparer().inspect(contentsOf: Samples.damaged("truncated.m4a")).warnings.map(\.code)
            ),
            try audio("visit-note-position.m4a", .cleaned), failure(.audio, "no-sound"),
            failure(nil, "unrecognized-format"), failure(nil, "empty", .failed), failure(.image, "unsupported-heic"),
            failure(.image, "truncated"), failure(nil, "not-a-regular-file"), failure(nil, "unrecognized-format"),
        ]
    }

    @Test(
        "Each input has one result, the same for any number of jobs and any budget",
        arguments: [1, 2, 8], [nil, 6 << 20, 1 << 30])
    func results(_ jobs: Int, _ memoryLimit: Int?) async throws {
        let pipeline = MediaPipeline(imagePreparer: Self.images, maxConcurrentJobs: jobs, memoryLimit: memoryLimit)
        let inputs = try PipelineInputs.mixture(), sink = KeepingSink()
        try await pipeline.run(PipelineInputs(inputs), into: sink)
        let results = sink.sorted
        #expect(results.map(\.index) == Array(inputs.indices))
        #expect(results.map(\.input.name) == inputs.map(\.name))
        for (result, expected) in zip(results, try Self.expected()) {
            let facts = try Self.facts(result)
            #expect(facts == expected, "input \(result.index)")
            #expect(result.elapsed > .zero)
        }
    }

    @Test("A result tells how many bytes its input had, and which file it was if it was one")
    func sources() async throws {
        let url = Samples.photo("ear-passthrough.jpg"), data = try SmallPhotos.noise(quality: 80)
        let sink = KeepingSink()
        let inputs = [
            MediaInput(url: url), MediaInput(data: data, name: nil),
            MediaInput(url: Samples.photo("no-such-photo.jpg")),
        ]
        try await MediaPipeline(imagePreparer: Self.images).run(PipelineInputs(inputs), into: sink)
        let version = try SourceFile(url).fileVersion
        #expect(sink.sorted.map(\.inputByteCount) == [127_739, data.count, nil])
        #expect(sink.sorted.map(\.fileVersion) == [version, nil, nil])
        #expect(version != nil)
    }

    @Test("As a sequence it gives the same results, and then ends", arguments: [1, 3])
    func sequence(_ jobs: Int) async throws {
        let pipeline = MediaPipeline(imagePreparer: Self.images, maxConcurrentJobs: jobs),
            inputs = try PipelineInputs.mixture()
        let sink = KeepingSink()
        try await pipeline.run(PipelineInputs(inputs), into: sink)
        var results: [MediaResult] = []
        var iterator = pipeline.results(for: PipelineInputs(inputs)).makeAsyncIterator()
        while let result = try await iterator.next() { results.append(result) }
        #expect(try await iterator.next() == nil)
        results.sort { $0.index < $1.index }
        #expect(try results.map(Self.facts) == sink.sorted.map(Self.facts))
    }

    @Test("No inputs are no results")
    func empty() async throws {
        var iterator = MediaPipeline().results(for: PipelineInputs([])).makeAsyncIterator()
        #expect(try await iterator.next() == nil)
    }

    @Test("Inputs and sink have the run's own threads, so that they may block")
    func threads() async throws {
        // As many block at once as there are jobs, more than Swift has threads.
        let jobs = 2 * ProcessInfo.processInfo.activeProcessorCount + 1
        let gate = DispatchSemaphore(value: 0), (starts, started) = AsyncStream.makeStream(of: Void.self)
        let inputs = PipelineInputs((0..<jobs).map { MediaInput(data: Data([UInt8($0)]), name: nil) })
        let run = Task {
            try await MediaPipeline(maxConcurrentJobs: jobs).run(
                inputs,
                into: KeepingSink { _ in
                    started.yield()
                    Self.wait(for: gate)
                })
        }
        for await _ in starts.prefix(jobs) {}
        for _ in 0..<jobs { gate.signal() }
        try await run.value
    }

    private static func wait(for gate: DispatchSemaphore) {
        #expect(gate.wait(timeout: .now() + .seconds(600)) == .success)
    }

    @Test("An image that takes more than the limit alone is refused, with both numbers, and the others are not")
    func tooLarge() async throws {
        let large = try SmallPhotos.noise(width: 2000, height: 2000, quality: 50, isProgressive: true)
        let small = try SmallPhotos.noise(quality: 50)
        let sink = KeepingSink(), limit = 8 << 20
        try await MediaPipeline(imagePreparer: Self.images, memoryLimit: limit)
            .run(
                PipelineInputs([MediaInput(data: large, name: "large.jpg"), MediaInput(data: small, name: nil)]),
                into: sink)
        let results = sink.sorted
        guard case .failure(let error) = results[0].outcome else {
            Issue.record("the large one was prepared")
            return
        }
        #expect(error.code == .maxMemoryExceeded && error.verdict == .rejected && error.fileName == "large.jpg")
        #expect(error.message.hasSuffix("more than the \(limit) allowed"))
        #expect(results[0].kind == .image && results[0].inputByteCount == large.count)
        #expect(results[1].verdict == .passthrough)
    }
}
