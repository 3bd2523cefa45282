internal import ArgumentParser
internal import HTTPCalls
internal import Logging
internal import SystemPackage
internal import Uploading

/// The options for the transfer of files to the server.
struct TransferArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "File that contains only the token. Default: the environment variable PREP_TOKEN. No option takes the "
                + "token "
                + "itself, because other users can see the arguments of a command.", valueName: "file"))
    var tokenFile: PathArgument?

    @Option(
        help: ArgumentHelp(
            "Name of the token's account, if you send for several: the same file of two accounts is then sent twice. "
                + "It is not sent itself.", valueName: "name"))
    var account: String?

    @Option(help: ArgumentHelp("Maximum number of concurrent uploads.", valueName: "n"))
    var uploads = 4

    @Option(
        help: ArgumentHelp(
            "Maximum number of attempts per request. An answer of 429 does not count.", valueName: "n"))
    var maxAttempts = 10

    @Option(help: ArgumentHelp("Time limit of a call.", valueName: "seconds"))
    var timeout = 30.0

    @Option(
        help: ArgumentHelp(
            "Time limit of an upload, to which 1 s is added for each 32 KiB that is sent.", valueName: "seconds"))
    var uploadTimeout = 300.0

    @Option(
        help: ArgumentHelp(
            "Trusted certificate authorities in PEM, in place of those of the system.", valueName: "file"))
    var cacert: PathArgument?

    @Flag(help: "Send unconfirmed uploads again. The server may then have them twice.")
    var retryUnknown = false

    @Flag(
        help: """
            Prepare every input again, and send it as a new upload, even if the server already has it. If such a run \
            is interrupted, the same command begins again with the first input.
            """)
    var force = false

    @Option(
        help: ArgumentHelp("Directory for the server's response to each upload, as JSON.", valueName: "dir")
    )
    var responses: PathArgument?

    @Option(
        help: ArgumentHelp(
            "Log to standard error, from this level on.",
            valueName: "level"))
    var logLevel: LogLevel?

    mutating func validate() throws {
        if !(1...64).contains(uploads) { throw ValidationError("--uploads is invalid: \(uploads) (1 to 64).") }
        if !(1...1000).contains(maxAttempts) {
            throw ValidationError("--max-attempts is invalid: \(maxAttempts) (1 to 1000).")
        }
        for (name, seconds) in [("--timeout", timeout), ("--upload-timeout", uploadTimeout)]
        where !(0.001...86_400).contains(seconds) {
            throw ValidationError("\(name) is invalid: \(seconds) (0.001 to 86400 seconds).")
        }
    }

    var timeouts: HTTPClient.Timeouts {
        var timeouts = HTTPClient.Timeouts()
        timeouts.apiCall = .seconds(timeout)
        timeouts.upload = .seconds(uploadTimeout)
        // The server has most files that were sent, and answers soon. A second signal does not wait.
        timeouts.cancellation = .seconds(5)
        return timeouts
    }

    var logger: Logger {
        guard let logLevel else { return Logger(label: "prep") { _ in SwiftLogNoOpLogHandler() } }
        var logger = Logger(label: "prep") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = logLevel.loggerLevel
        return logger
    }
}

/// The level of log messages.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case trace, debug, info, notice, warning, error, critical

    /// The logger's level.
    var loggerLevel: Logger.Level { Logger.Level(rawValue: rawValue) ?? .critical }
}
