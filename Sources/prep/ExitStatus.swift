internal import ArgumentParser

/// What the process tells its caller.
enum ExitStatus: Int32 {
    case success = 0
    case someInputsFailed = 1
    case runFailed = 2
    case interrupted = 130
    case terminated = 143

    /// As shells have it: 128 and the signal's number.
    init(signal: Int32) { self = ExitStatus(rawValue: 128 + signal) ?? .terminated }
}

/// Why the run as a whole could not be carried out.
struct RunError: Error, CustomStringConvertible {
    var message: String
    init(_ message: String) { self.message = message }
    var description: String { message }
}

extension ExitStatus {
    /// Does a command's work, says why it could not be done, and ends the process with its status.
    static func exitWithStatus(of work: () async throws -> ExitStatus) async throws {
        let status: ExitStatus
        do {
            status = try await work()
        } catch let error as RunError {
            Terminal.printError("prep: \(error.message)")
            status = .runFailed
        } catch let caught as SignalInterruption.InterruptedError {
            status = ExitStatus(signal: caught.signal)
        }
        if status != .success { throw ExitCode(status.rawValue) }
    }
}
