internal import Benchmark
internal import Jobs
internal import Measuring

@main enum ProbeAudio: BenchmarkRunnerHooks {
    static func registerBenchmarks() { measure(ProbeJobs.all()) }
}
