internal import Imaging

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Our side of `Peers/run`: one kind of work on one input, as often as it is told to.
///
/// `contestant TASK INPUT [key=value ...]` prepares itself, does the work once, and prints `ready`. Then it does what
/// the lines of standard input say, until they end:
///
/// - `run N`: the work, N times; prints the CPU time, the wall time and the bytes that came of one of them.
/// - `save PATH`: writes what came of the last.
/// - `peak`: prints the most memory that the process ever had resident, and what it had before its first work.
///
/// The peers' workers speak the same, so that one script takes turns between all of them.
@main
struct Contestant {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let task = arguments.first, let input = arguments.dropFirst().first else {
            throw Misuse("contestant TASK INPUT [key=value ...]")
        }
        var options: [String: String] = [:]
        for argument in arguments.dropFirst(2) {
            let parts = argument.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { throw Misuse("\(argument) is not key=value") }
            options[String(parts[0])] = String(parts[1])
        }
        switch task {
        case "prepare": try serve(PreparingWork(input, options))
        case "floor": try serve(FloorWork(input))
        case "probe": try serve(ProbingWork(input))
        case "resize": try serve(ResizingWork(input, options))
        default: throw Misuse("no task \(task)")
        }
    }
}

/// What is wrong with the arguments, or with a line of the protocol.
struct Misuse: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

extension [String: String] {
    /// A number that must be given.
    func number(_ key: String) throws -> Int {
        guard let number = self[key].flatMap({ Int($0) }) else { throw Misuse("needs \(key)=NUMBER") }
        return number
    }
}
