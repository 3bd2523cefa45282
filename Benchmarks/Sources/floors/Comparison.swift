internal import CFloors
internal import Jobs

/// Two tasks that are measured in turns, so that both meet the machine in the same mood.
struct Comparison {
    private let task: Job.Task
    private let other: Job.Task

    /// The processor time that each took, in milliseconds.
    struct Outcome {
        var task: Double
        var other: Double

        /// How many times as long as the other the task took.
        var multiple: Double { task / other }
    }

    init(_ task: @escaping Job.Task, against other: @escaping Job.Task) {
        self.task = task
        self.other = other
    }

    /// A job against its floor, which it must have.
    init(_ job: Job) throws {
        let made = try job.make()
        guard let floor = made.floor else { preconditionFailure("\(job.name) has no floor") }
        self.init(made.task, against: floor)
    }

    /// Medians of `pairs` turns, behind one that warms up.
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
