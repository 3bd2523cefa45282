internal import ArgumentParser
internal import Logging
internal import SystemPackage
internal import Uploading

/// The options that say how to send.
struct TransferArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "File that holds the token alone. Default: the environment's PREP_TOKEN. There is no option for the token itself: "
                + "other users see a command's arguments.", valueName: "file"))
    var tokenFile: PathArgument?

    @Option(help: ArgumentHelp("Files sent at a time.", valueName: "n"))
    var uploads = 4

    @Option(
        help: ArgumentHelp(
            "How often a request is sent at most; what is answered with 429 doesn't count.", valueName: "n"))
    var maxAttempts = 10

    @Option(help: ArgumentHelp("How long a call may take.", valueName: "seconds"))
    var timeout = 30.0

    @Option(help: ArgumentHelp("How long an upload may take.", valueName: "seconds"))
    var uploadTimeout = 300.0

    @Option(
        help: ArgumentHelp("Certificates that are trusted, in PEM. Default: the system's.", valueName: "file"))
    var cacert: PathArgument?

    @Flag(help: "Send again what was sent whole without an answer: the server may then have it twice.")
    var retryUnknown = false

    @Flag(help: "Prepare everything again, and send again, as something new, what the server has.")
    var force = false

    @Option(
        help: ArgumentHelp("Keep what the server answers to each upload, as JSON, in this directory.", valueName: "dir")
    )
    var responses: PathArgument?

    @Option(
        help: ArgumentHelp(
            "Say on standard error what is done.",
            valueName: "level"))
    var logLevel: LogLevel?

    mutating func validate() throws {
        if !(1...64).contains(uploads) { throw ValidationError("--uploads must be 1 to 64, not \(uploads).") }
        if !(1...1000).contains(maxAttempts) {
            throw ValidationError("--max-attempts must be 1 to 1000, not \(maxAttempts).")
        }
        for (name, seconds) in [("--timeout", timeout), ("--upload-timeout", uploadTimeout)]
        where !(0.001...86_400).contains(seconds) {
            throw ValidationError("\(name) must be 0.001 to 86400 seconds, not \(seconds).")
        }
    }

    var timeouts: HTTPClient.Timeouts {
        var timeouts = HTTPClient.Timeouts()
        timeouts.apiCall = .seconds(timeout)
        timeouts.upload = .seconds(uploadTimeout)
        return timeouts
    }

    var logger: Logger {
        guard let logLevel else { return Logger(label: "prep") { _ in SwiftLogNoOpLogHandler() } }
        var logger = Logger(label: "prep") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = logLevel.loggerLevel
        return logger
    }
}

/// How much is said.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case trace, debug, info, notice, warning, error, critical

    /// The same for the logger.
    var loggerLevel: Logger.Level { Logger.Level(rawValue: rawValue) ?? .critical }
}
