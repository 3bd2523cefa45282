internal import ArgumentParser
internal import Batch

/// The exit status of the process.
enum ExitStatus: Int32 {
    case success = 0
    case someInputsFailed = 1
    case runFailed = 2
    case interrupted = 130
    case terminated = 143

    /// Creates the status for a signal as shells define it: 128 plus the signal's number.
    init(signal: Int32) { self = ExitStatus(rawValue: 128 + signal) ?? .terminated }
}

extension ExitStatus {
    /// Runs a command, prints its error, and throws its exit status.
    ///
    /// - Throws: `ExitCode` unless the status is 0; any other error of `work` unchanged.
    static func exitWithStatus(of work: () async throws -> ExitStatus) async throws {
        let status: ExitStatus
        do {
            status = try await work()
        } catch let error as BatchError {
            Terminal.printError("prep: \(error.message)")
            status = .runFailed
        } catch let caught as SignalInterruption.InterruptedError {
            status = ExitStatus(signal: caught.signal)
        }
        if status != .success { throw ExitCode(status.rawValue) }
    }
}
