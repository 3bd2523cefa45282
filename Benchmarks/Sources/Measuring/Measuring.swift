internal import Benchmark
internal import CFloors
public import Jobs

/// Registers jobs and their floors as benchmarks with rates.
///
/// The times of a job and of its floor are measured minutes apart. `floors` measures their ratio.
public func measure(_ jobs: [Job], withFloors: Bool = true) {
    for job in jobs {
        register(job.name, job) { try job.make().task }
        if withFloors { register(job.floorName, job) { try job.make().floor } }
    }
}

private func register(_ name: String, _ job: Job, make: @escaping () throws -> Job.Task?) {
    let rate = job.amount.unit.rate
    // The framework's own CPU time has a resolution of 10 ms.
    let time = BenchmarkMetric.custom("CPU time (μs)", useScalingFactor: false)
    let configuration = Benchmark.Configuration(
        metrics: [.wallClock, .peakMemoryResident, time, rate], units: [time: .count, rate: .count])
    var task: Job.Task?
    Benchmark(name, configuration: configuration) { benchmark in
        // The input is made when the benchmark first runs, because many benchmarks are only listed.
        if task == nil { task = try make() }
        let start = floor_cpu_time()
        benchmark.startMeasurement()
        try task?()
        benchmark.stopMeasurement()
        let seconds = Double(floor_cpu_time() - start) / 1e9
        benchmark.measurement(time, Int(seconds * 1e6))
        benchmark.measurement(rate, Int(Double(job.amount.count) / job.amount.unit.size / seconds))
    }
}

extension Job.Unit {
    /// The rate by CPU time, which other programs affect less.
    fileprivate var rate: BenchmarkMetric {
        switch self {
        case .pixels: .custom("Megapixels / s of CPU", polarity: .prefersLarger, useScalingFactor: false)
        case .bytes: .custom("Megabytes / s of CPU", polarity: .prefersLarger, useScalingFactor: false)
        case .files: .custom("Files / s of CPU", polarity: .prefersLarger, useScalingFactor: false)
        }
    }

    /// The number of units that the rate counts as one.
    fileprivate var size: Double { self == .files ? 1 : 1e6 }
}
