/// What the process tells its caller.
enum ExitStatus: Int32 {
    case success = 0
    case someNotPrepared = 1
    case runFailed = 2
    case interrupted = 130
    case terminated = 143

    /// As shells have it: 128 and the signal's number.
    init(signal: Int32) { self = ExitStatus(rawValue: 128 + signal) ?? .terminated }
}

/// Why the run as a whole could not be carried out.
struct RunError: Error {
    var message: String
    init(_ message: String) { self.message = message }
}
