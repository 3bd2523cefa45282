internal import Benchmark
internal import Inputs
internal import MediaPrep

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// All samples, repeated: images, audio, and both.
@main enum Pipeline: BenchmarkRunnerHooks {
    static func registerBenchmarks() {
        for (name, files) in [("images", imageFiles), ("audio", audioFiles), ("both", imageFiles + audioFiles)] {
            for jobs in [1, 2, 4] { measure("\(name)(\(files.count) files, \(jobs) jobs)", files, jobs: jobs) }
        }
    }

    private static func measure(_ name: String, _ files: [URL], jobs: Int) {
        let metrics: [BenchmarkMetric] = [.wallClock, .cpuTotal, .peakMemoryResident]
        Benchmark("Pipeline.\(name)", configuration: .init(metrics: metrics, maxDuration: .seconds(3))) { benchmark in
            let pipeline = MediaPipeline(maxConcurrentJobs: jobs)
            benchmark.startMeasurement()
            try await pipeline.run(inputs(files), into: ResultCheckingSink())
            benchmark.stopMeasurement()
        }
    }
}

let imageFiles = (0..<2).flatMap { _ in
    [
        "ear-444.jpg", "ear-gray.jpg", "ear-mirrored.jpg", "ear-passthrough.jpg", "ear-turned-left.jpg",
        "ear-upright.jpg",
        "throat-12mp.jpg", "throat-16bit-alpha.png", "throat-display-p3.jpg", "throat-progressive.jpg",
        "throat-turned-180.jpg",
    ].map(Files.sampleImage)
}

let audioFiles = (0..<40).flatMap { _ in
    ["caf", "flac", "opus", "wav"].map { Files.sampleAudio("visit-note.\($0)") }
        + ["-live.webm", "-position.m4a", "-vbr-no-xing.mp3", "-vbr.mp3"].map { Files.sampleAudio("visit-note\($0)") }
}

func inputs(_ files: [URL]) -> AsyncStream<MediaInput> {
    AsyncStream { inputs in
        for file in files { inputs.yield(MediaInput(url: file)) }
        inputs.finish()
    }
}

/// Discards results, and throws the error of a failed one, because a failure takes less time.
struct ResultCheckingSink: MediaResultSink {
    func receiveResult(_ result: MediaResult) async throws {
        if case .failure(let error) = result.outcome { throw error }
    }
}
