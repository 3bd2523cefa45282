import Diagnostics
import Foundation
import Imaging
import SystemSupport
import Testing

@testable import MediaPrep

@Suite("One image on two threads", .timeLimit(.minutes(60)))
struct ParallelismTests {
    /// An image with just enough pixels for a second thread.
    private static let file = Result { try SmallJPEGs.makeColorNoise(width: 1024, height: 520, quality: 80) }

    private static func options(parallelism: Int) -> ImageOptions {
        // The result has enough pixels for a second thread, too.
        var options = ImageOptions(maxDimension: 600)
        options.parallelism = parallelism
        return options
    }

    private static func prepare(parallelism: Int) throws -> Data {
        try ImagePreparer(options(parallelism: parallelism)).prepare(file.get()).data
    }

    @Test("The result is the same with one thread and with two")
    func resultIsTheSame() throws {
        #expect(try Self.prepare(parallelism: 2) == Self.prepare(parallelism: 1))
    }

    @Test("Another thread is taken only if the option allows it", arguments: [1, 2])
    func threadIsTaken(parallelism: Int) throws {
        let threads = SpareThreads(count: 3)
        let preparer = ImagePreparer(Self.options(parallelism: parallelism))
        let image = try preparer.openImage(SourceFile([UInt8](Self.file.get())))
        guard case .image = try preparer.makeOutcome(image, spareThreads: threads) else {
            Issue.record("the image is not prepared")
            return
        }
        // One to parse the image, one to measure it, and one to encode a half. They may all be at work at once.
        #expect(threads.takenCount == (parallelism > 1 ? 3 : 0))
    }

    @Test(
        "An image that is measured while it is encoded has the same measures, warnings and verdict",
        arguments: [ImagePolicy.Action.warn, .reject])
    func assessmentIsTheSame(action: ImagePolicy.Action) throws {
        func outcome(
            _ threads: SpareThreads?
        ) throws -> (ImageMeasures, warnings: [Diagnostic], reasons: [MediaError.Code]) {
            var options = Self.options(parallelism: 2)
            // The image is noise, which no limit of brightness allows.
            options.policy = ImagePolicy([.tooBright: .init(limit: 0.01, action: action)])
            let preparer = ImagePreparer(options)
            let image = try preparer.openImage(SourceFile([UInt8](Self.file.get())))
            switch try preparer.makeOutcome(image, spareThreads: threads) {
            case .image(let image): return (image.measures, image.warnings, [])
            case .rejectedImage(let assessment):
                return (assessment.measures, assessment.warnings, assessment.rejectionReasons.map(\.code))
            default: throw CancellationError()
            }
        }
        let threads = SpareThreads(count: 3)
        let expected = try outcome(nil), found = try outcome(threads)
        // If the image may be rejected, it is measured first, and then not encoded.
        #expect(threads.takenCount == (action == .warn ? 3 : 1))
        #expect(found == expected)
        #expect(found.reasons.isEmpty == (action == .warn))
        #expect(found.warnings.contains { $0.code.rawValue == ImageFault.tooBright.rawValue } == (action == .warn))
    }

    @Test("A pipeline with more jobs than images has the same results", arguments: [1, 2, 4])
    func pipelineHasSameResults(jobs: Int) async throws {
        let data = try Self.file.get(), expected = try Self.prepare(parallelism: 1)
        let pipeline = MediaPipeline(
            imagePreparer: ImagePreparer(Self.options(parallelism: 2)), maxConcurrentJobs: jobs)
        let inputs = AsyncStream { continuation in
            for _ in 0..<3 { continuation.yield(MediaInput(data: data, name: nil)) }
            continuation.finish()
        }
        var count = 0
        for try await result in pipeline.results(for: inputs) {
            guard case .image(let image) = result.outcome else {
                Issue.record("\(result.outcome)")
                continue
            }
            #expect(image.data == expected)
            count += 1
        }
        #expect(count == 3)
    }
}
