internal import Foundation

/// A program and its arguments.
struct Program {
    private let arguments: [String]

    /// The time and memory of a run, in nanoseconds and bytes.
    struct Usage {
        var time: Int
        var processorTime: Int
        var peakMemory: Int
    }

    enum Failure: Error {
        /// The program is missing: the README's command builds it.
        case notBuilt(String)
        /// The program exited with this status.
        case ended(Int32)
    }

    init(_ program: URL, arguments: [String]) throws {
        guard FileManager.default.isExecutableFile(atPath: program.path) else { throw Failure.notBuilt(program.path) }
        self.arguments = [program.path] + arguments
    }

    /// Runs the program through `usage`, which is built with this program.
    func run() throws -> Usage {
        let process = Process(), output = Pipe()
        process.executableURL = Bundle.main.bundleURL.appending(path: "usage")
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let numbers = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        process.waitUntilExit()
        guard process.terminationStatus == 0, numbers.count == 3 else { throw Failure.ended(process.terminationStatus) }
        return Usage(time: numbers[0], processorTime: numbers[1], peakMemory: numbers[2])
    }
}
