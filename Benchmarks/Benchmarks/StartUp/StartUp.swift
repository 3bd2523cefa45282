internal import Benchmark
internal import Imaging
internal import Inputs

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// `prep` as a process, from its first instruction to its last.
@main enum StartUp: BenchmarkRunnerHooks {
    static func registerBenchmarks() {
        measure("help") { ["--help"] }
        measure("one small image") {
            let image = try Files.write(JPEGInput(.yuv420, size: .init(width: 320, height: 240)).bytes, as: "small.jpg")
            let output = Files.directory.appending(path: "ready").path
            return ["run", image.path, "--output", output, "--no-state", "--quiet", "--manifest", "/dev/null"]
        }
    }
}

private func measure(_ name: String, arguments: @escaping () throws -> [String]) {
    let time = BenchmarkMetric.custom("Time of prep (μs)", useScalingFactor: false)
    let processorTime = BenchmarkMetric.custom("CPU time of prep (μs)", useScalingFactor: false)
    let memory = BenchmarkMetric.custom("Peak memory of prep (KiB)", useScalingFactor: false)
    let metrics = [time, processorTime, memory]
    let units = Dictionary(uniqueKeysWithValues: metrics.map { ($0, BenchmarkUnits.count) })
    Benchmark("StartUp.\(name)", configuration: .init(metrics: metrics, units: units)) { benchmark in
        let usage = try Program(Files.prep, arguments: arguments()).run()
        benchmark.measurement(time, usage.time / 1000)
        benchmark.measurement(processorTime, usage.processorTime / 1000)
        benchmark.measurement(memory, usage.peakMemory / 1024)
    }
}
