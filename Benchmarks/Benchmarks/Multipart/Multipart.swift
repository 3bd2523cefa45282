internal import Benchmark
internal import Jobs
internal import Measuring

@main enum Multipart: BenchmarkRunnerHooks {
    static func registerBenchmarks() { measure(MultipartJobs.all()) }
}
