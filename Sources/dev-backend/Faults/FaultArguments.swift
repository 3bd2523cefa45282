internal import ArgumentParser

/// The command-line options for faults.
struct FaultArguments: ParsableArguments {
    @Option(help: "Delay of each answer in milliseconds.")
    var latency = 0

    @Option(help: "Seed of the random numbers: the same requests in the same order get the same faults.")
    var seed: UInt64 = 1

    @Option(
        name: .customLong("fault"),
        help: ArgumentHelp(
            "Fault of the next request; may be given several times, the first for the first request: none, a status "
                + "such as 500, html or html:STATUS for a page instead of JSON, busy for a 429, reset within the body, "
                + "drop for no answer, or cut for half an answer.", valueName: "fault"))
    var scriptedFaults: [FaultConfiguration.Fault] = []

    @Option(help: "Share of requests, 0 to 1, that are answered with 500, 502, 503 or 504.")
    var errorRate = 0.0

    @Option(help: "Share of requests with a connection that is reset within the body.")
    var resetRate = 0.0

    @Option(help: "Share of requests that are committed and then get no answer.")
    var dropRate = 0.0

    @Option(help: "Share of requests at which a burst of 429 begins.")
    var busyRate = 0.0

    @Option(help: "Number of requests that a burst answers with 429.")
    var busyBurst = 3

    @Option(help: "Retry-After of a 429 in seconds. Default: none.")
    var retryAfter: Int?

    @Flag(help: "Sends Retry-After as a date.")
    var retryAfterDate = false

    @Option(help: "Largest body in bytes; a larger one is answered with 413 before it is read.")
    var tooLarge: Int64?

    @Option(help: "Bytes of a body that is too large that are read before the answer.")
    var tooLargeAfter = 0

    @Flag(help: "Resets the connection right after a 413.")
    var tooLargeAbrupt = false

    @Option(help: "Maximum speed of reading bodies in bytes per second.")
    var slow: Int?

    @Option(help: "Answer to `Expect: 100-continue`: 100, 417, 413, or 0 for none.")
    var expect = 100

    @Option(help: "Fate of a connection after an answer: kept, closed or reset.")
    var keepAlive = "kept"

    func validate() throws {
        let rates = [errorRate, resetRate, dropRate, busyRate]
        guard rates.allSatisfy({ (0...1).contains($0) }), errorRate + resetRate + dropRate <= 1 else {
            throw ValidationError("A rate is from 0 to 1, as is the sum of those of errors, resets and drops.")
        }
        guard latency >= 0, busyBurst > 0, retryAfter ?? 0 >= 0, tooLarge ?? 0 >= 0, tooLargeAfter >= 0, slow ?? 1 > 0
        else {
            throw ValidationError("Numbers of bytes, seconds and requests are not negative; speed and bursts not 0.")
        }
    }

    func makeFaultConfiguration() throws -> FaultConfiguration {
        var faults = FaultConfiguration()
        faults.seed = seed
        faults.scriptedFaults = scriptedFaults
        (faults.errorRate, faults.resetRate, faults.dropRate) = (errorRate, resetRate, dropRate)
        (faults.rateLimitBurstRate, faults.rateLimitBurstLength) = (busyRate, busyBurst)
        if let retryAfter { faults.retryAfter = retryAfterDate ? .date(retryAfter) : .seconds(retryAfter) }
        faults.bodySizeLimit = tooLarge.map {
            .init(maxBodyBytes: $0, bytesReadBeforeResponse: tooLargeAfter, resetsConnection: tooLargeAbrupt)
        }
        faults.bodyBytesPerSecond = slow
        switch expect {
        case 100: faults.continueExpectation = .continued
        case 0: faults.continueExpectation = .ignored
        case 413, 417: faults.continueExpectation = .rejected(expect)
        default: throw ValidationError("--expect is 100, 0, 413 or 417.")
        }
        switch keepAlive {
        case "kept": faults.keepAliveBehavior = .keepOpen
        case "closed": faults.keepAliveBehavior = .closeAfterResponse
        case "reset": faults.keepAliveBehavior = .resetOnReuse
        default: throw ValidationError("--keep-alive is kept, closed or reset.")
        }
        return faults
    }
}

extension FaultConfiguration.Fault: ExpressibleByArgument {
    /// Parses a fault of the command line.
    ///
    /// - Returns: `nil` for an unknown name, and for a status that is not from 200 to 599.
    init?(argument: String) {
        let isPage = argument.hasPrefix("html:")
        let status = Int(isPage ? argument.dropFirst(5) : argument[...]).flatMap { (200...599).contains($0) ? $0 : nil }
        switch argument {
        case "none": self = .none
        case "html": self = .htmlPage(200)
        case "busy": self = .tooManyRequests
        case "reset": self = .resetWithinBody(0.5)
        case "drop": self = .dropResponse
        case "cut": self = .cutResponse
        default:
            guard let status else { return nil }
            self = isPage ? .htmlPage(status) : .errorStatus(status)
        }
    }
}
