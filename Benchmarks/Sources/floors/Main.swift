internal import CFloors
internal import Imaging
internal import Inputs
internal import Jobs

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Compares each task with its floor, in turns within one process.
@main enum Main {
    static let usage = """
        floors                  every area, as a table
        floors FILE...          your own JPEG files, from bytes to bytes
        floors --ratios         the ratios that `check` compares with its bounds
        floors --entropy FILE   the entropy decode of a JPEG once, for `check` to count its instructions
        """

    static func main() throws {
        floor_keep_memory()
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case nil: try printAll()
        case "--ratios" where arguments.count == 1: try printRatios()
        case "--entropy" where arguments.count == 2:
            try Floors.entropyDecode([UInt8](Data(contentsOf: URL(filePath: arguments[1]))))()
        case let first? where !first.hasPrefix("-"):
            try Table.print(
                arguments.flatMap { path in [720, 1024, 1600].map { PrepareJobs.jpeg(path, to: $0) } })
        default:
            print(usage)
            exit(64)
        }
    }

    private static func printAll() throws {
        for area in Job.allWithFloor() { try Table.print(area) }
        for (set, other) in comparedSets {
            print("Resize.lanczos3", set, "against \(other), times")
            for limit in [1024, 1600, 3200] {
                print("12 MP to \(limit)", Table.decimal(try resize(to: limit, set, against: other).outcome().multiple))
            }
        }
    }

    /// Prints a name and a ratio in each line.
    private static func printRatios() throws {
        for limit in [1024, 1600] {
            let outcome = try Comparison(PrepareJobs.phone(to: limit)).outcome(pairs: 21)
            print("prepare-\(limit)-\(InstructionSet.selected)", Table.decimal(outcome.multiple))
        }
        for (set, other) in comparedSets {
            let outcome = try resize(to: 1600, set, against: other).outcome(pairs: 21)
            print("resize-\(set)-\(other)", Table.decimal(outcome.multiple))
        }
    }

    /// The instruction sets of this processor, each with the slower set that it is compared with.
    private static let comparedSets: [(InstructionSet, InstructionSet)] =
        [(.neon, .portable), (.avx2, .portable), (.avx512, .avx2)].filter { $0.0.isAvailable }

    /// Measures the resampler with two instruction sets.
    private static func resize(
        to limit: Int, _ set: InstructionSet, against other: InstructionSet
    ) throws -> Comparison {
        Comparison(
            try ResizeJobs.job(.lanczos3, to: limit, instructionSet: other).make().task,
            against: try ResizeJobs.job(.lanczos3, to: limit, instructionSet: set).make().task)
    }
}
