internal import Jobs

/// Lines of milliseconds, and how many times its floor a job is.
enum Table {
    /// Measures the jobs and prints each as it is there, below a heading.
    static func print(_ jobs: [Job]) throws {
        printLine("", ["ours, ms", "floor, ms", "multiple"])
        for job in jobs {
            let outcome = try Comparison(job).outcome()
            printLine(job.name, [outcome.task, outcome.other, outcome.multiple].map(decimal))
        }
        Swift.print()
    }

    private static func printLine(_ name: String, _ cells: [String]) {
        let padding = String(repeating: " ", count: max(0, 48 - name.count))
        let right = cells.map { String(repeating: " ", count: max(0, 11 - $0.count)) + $0 }
        Swift.print(name + padding + right.joined())
    }

    /// Two digits behind the point.
    static func decimal(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
