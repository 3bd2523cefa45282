internal import Jobs

/// A table of times in milliseconds, and of the multiples of the floors.
enum Table {
    /// Prints a heading, then measures and prints each job.
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

    /// Formats a number with two decimals.
    static func decimal(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
