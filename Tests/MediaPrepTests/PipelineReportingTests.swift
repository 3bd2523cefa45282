import Foundation
import InMemoryLogging
import Logging
import MetricsTestKit
import Testing

@testable import MediaPrep

@Suite("Logs and metrics of a pipeline")
struct PipelineReportingTests {
    private static func makeInputs() throws -> CountingInputSequence {
        CountingInputSequence(
            try CountingInputSequence.makeMixedInputs() + [
                MediaInput(
                    data: try SmallJPEGs.makeColorNoise(width: 2000, height: 2000, quality: 50, isProgressive: true),
                    name: "large.jpg")
            ])
    }

    private static func runPipeline(logHandler handler: InMemoryLogHandler, metrics: TestMetrics) async throws
        -> [MediaResult]
    {
        var pipeline = MediaPipeline(
            imagePreparer: ImagePreparer(maxDimension: 100), maxConcurrentJobs: 2, memoryLimit: 8 << 20)
        pipeline.logger = Logger(label: "test") { _ in handler }
        pipeline.metricsFactory = metrics
        let sink = CollectingSink()
        try await pipeline.run(try makeInputs(), into: sink)
        return sink.resultsByInputOrder
    }

    @Test("Names are only logged at debug level, with their verdicts; the end is logged with counts")
    func namesAreLoggedOnlyAtDebugLevel() async throws {
        var handler = InMemoryLogHandler()
        handler.logLevel = .trace
        let results = try await Self.runPipeline(logHandler: handler, metrics: TestMetrics())
        let debug = handler.entries.filter { $0.level == .debug }
        #expect(debug.count == results.count)
        for result in results {
            let metadata: Logger.Metadata = [
                "name": "\(result.input.name ?? "")", "verdict": "\(result.verdict.rawValue)",
            ]
            #expect(debug.contains { $0.metadata == metadata })
        }
        let others = handler.entries.filter { $0.level != .debug }
        #expect(others.map(\.level) == [.warning, .info])
        #expect(others.map(\.message) == ["an input takes more memory than is allowed", "run ended"])
        #expect(others.first?.metadata.isEmpty == true)
        let counts: Logger.Metadata = [
            "converted": "3", "passthrough": "0", "accepted": "1", "cleaned": "2", "rejected": "8", "failed": "2",
        ]
        #expect(others.last?.metadata == counts)
    }

    @Test("Files are counted by kind and verdict, with bytes and durations")
    func metricsCountFilesBytesAndDurations() async throws {
        let metrics = TestMetrics()
        let results = try await Self.runPipeline(logHandler: InMemoryLogHandler(), metrics: metrics)
        let counts = [
            ("image", "converted", 3), ("image", "passthrough", 0), ("image", "rejected", 3), ("image", "failed", 0),
            ("audio", "accepted", 1), ("audio", "cleaned", 2), ("audio", "rejected", 2), ("audio", "failed", 0),
            ("other", "rejected", 3), ("other", "failed", 2),
        ]
        for (kind, verdict, count) in counts {
            let dimensions = [("kind", kind), ("verdict", verdict)]
            #expect(metrics.counterTotal(label: "mediaprep_files", dimensions: dimensions) == count, "\(dimensions)")
        }
        #expect(metrics.counters(label: "mediaprep_files").count == counts.count)
        #expect(
            metrics.counterTotal(label: "mediaprep_input_bytes") == results.reduce(0) { $0 + ($1.inputByteCount ?? 0) })
        #expect(metrics.counterTotal(label: "mediaprep_output_bytes") == results.reduce(0) { $0 + $1.outputByteCount })
        let timers = metrics.timers(label: "mediaprep_prepare_duration")
        #expect(timers.count == 3)
        #expect(timers.reduce(0) { $0 + $1.values.count } == results.count)
    }

    @Test("A pipeline without a logger of the host's logs nothing")
    func defaultPipelineLogsNothing() { #expect(MediaPipeline().logger.handler is SwiftLogNoOpLogHandler) }
}
