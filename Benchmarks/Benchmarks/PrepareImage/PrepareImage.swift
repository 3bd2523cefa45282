internal import Benchmark
internal import Jobs
internal import Measuring

@main enum PrepareImage: BenchmarkRunnerHooks {
    static func registerBenchmarks() { measure(PrepareJobs.all()) }
}
