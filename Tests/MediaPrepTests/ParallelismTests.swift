import Foundation
import MediaPrep
import SystemSupport
import TestSupport
import Testing

@Suite("One image on two threads", .timeLimit(.minutes(60)))
struct ParallelismTests {
    private static let file = SampleMedia.goodImage(named: "throat-12mp.jpg")

    private static func prepare(parallelism: Int) throws -> Data {
        var options = ImageOptions(maxDimension: 700)
        options.parallelism = parallelism
        return try ImagePreparer(options).prepare(contentsOf: file).data
    }

    @Test("The result is the same with one thread and with two")
    func resultIsTheSame() throws {
        #expect(try Self.prepare(parallelism: 2) == Self.prepare(parallelism: 1))
    }

    @Test("Another thread is taken only if the option allows it", arguments: [1, 2])
    func threadIsTaken(parallelism: Int) throws {
        var options = ImageOptions(maxDimension: 700)
        options.parallelism = parallelism
        let threads = SpareThreads(count: 1), preparer = ImagePreparer(options)
        let image = try preparer.openImage(try SourceFile(Self.file))
        guard case .image = try preparer.makeOutcome(image, spareThreads: threads) else {
            Issue.record("the image is not prepared")
            return
        }
        #expect(threads.takenCount == parallelism - 1)
    }

    @Test("A pipeline with more jobs than images has the same results", arguments: [1, 2, 4])
    func pipelineHasSameResults(jobs: Int) async throws {
        let inputs = (0..<3).map { _ in MediaInput(url: Self.file) }
        var options = ImageOptions(maxDimension: 700)
        options.parallelism = 2
        let pipeline = MediaPipeline(imagePreparer: ImagePreparer(options), maxConcurrentJobs: jobs)
        let expected = try Self.prepare(parallelism: 1)
        var count = 0
        for try await result in pipeline.results(
            for: AsyncStream { continuation in
                for input in inputs { continuation.yield(input) }
                continuation.finish()
            })
        {
            guard case .image(let image) = result.outcome else {
                Issue.record("\(result.outcome)")
                continue
            }
            #expect(image.data == expected)
            count += 1
        }
        #expect(count == inputs.count)
    }
}
