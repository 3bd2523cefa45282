internal import Benchmark
internal import Jobs
internal import Measuring

@main enum Resize: BenchmarkRunnerHooks {
    static func registerBenchmarks() { measure(ResizeJobs.all(), withFloors: false) }
}
