internal import Benchmark
internal import Jobs
internal import Measuring

@main enum Encode: BenchmarkRunnerHooks {
    static func registerBenchmarks() { measure(EncodeJobs.all()) }
}
