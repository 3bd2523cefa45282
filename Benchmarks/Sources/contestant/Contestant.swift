internal import Imaging

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The worker of MediaPrep in `Peers/run`: repeats one task on one input.
///
/// `contestant TASK INPUT [key=value ...]` performs the task once and prints `ready`. Then it reads commands from
/// standard input until its end:
///
/// - `run N`: performs the task N times; prints the CPU time, the wall time and the bytes of the last output.
/// - `save PATH`: writes the last output.
/// - `peak`: prints the peak resident memory of the process, and its value before the first task.
///
/// The workers of peers have the same protocol.
@main
struct Contestant {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let task = arguments.first, let input = arguments.dropFirst().first else {
            throw UsageError("contestant TASK INPUT [key=value ...]")
        }
        var options: [String: String] = [:]
        for argument in arguments.dropFirst(2) {
            let parts = argument.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { throw UsageError("\(argument) is not key=value") }
            options[String(parts[0])] = String(parts[1])
        }
        switch task {
        case "prepare": try serve(ImagePreparationWorkload(input, options))
        case "floor": try serve(DecodeFloorWorkload(input))
        case "probe": try serve(AudioProbeWorkload(input))
        case "resize": try serve(ResamplingWorkload(input, options))
        default: throw UsageError("no task \(task)")
        }
    }
}

/// An error in the arguments or in a line of the protocol.
struct UsageError: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

extension [String: String] {
    /// Returns a required number.
    func number(_ key: String) throws -> Int {
        guard let number = self[key].flatMap({ Int($0) }) else { throw UsageError("needs \(key)=NUMBER") }
        return number
    }
}
