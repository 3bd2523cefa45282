internal import CFloors
internal import Jobs

/// Two tasks that are measured in turns, so that other work on the machine affects both equally.
struct Comparison {
    private let task: Job.Task
    private let other: Job.Task

    /// The CPU time of each task, in milliseconds.
    struct Outcome {
        var task: Double
        var other: Double

        /// The task's time divided by that of the other.
        var multiple: Double { task / other }
    }

    init(_ task: @escaping Job.Task, against other: @escaping Job.Task) {
        self.task = task
        self.other = other
    }

    /// Compares a job with its floor, which it must have.
    init(_ job: Job) throws {
        let made = try job.make()
        guard let floor = made.floor else { preconditionFailure("\(job.name) has no floor") }
        self.init(made.task, against: floor)
    }

    /// Returns the medians of `pairs` turns, after one to warm up.
    func outcome(pairs: Int = 15) throws -> Outcome {
        _ = try (time(task), time(other))
        var tasks: [Double] = [], others: [Double] = []
        for _ in 0..<pairs {
            tasks.append(try time(task))
            others.append(try time(other))
        }
        return Outcome(task: tasks.sorted()[pairs / 2], other: others.sorted()[pairs / 2])
    }

    private func time(_ task: Job.Task) throws -> Double {
        let start = floor_cpu_time()
        try task()
        return Double(floor_cpu_time() - start) / 1e6
    }
}
