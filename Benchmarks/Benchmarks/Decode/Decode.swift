internal import Benchmark
internal import Jobs
internal import Measuring

@main enum Decode: BenchmarkRunnerHooks {
    static func registerBenchmarks() { measure(DecodeJobs.all()) }
}
