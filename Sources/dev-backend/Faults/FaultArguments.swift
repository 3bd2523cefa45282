internal import ArgumentParser

/// The command's options for faults.
struct FaultArguments: ParsableArguments {
    @Option(help: "Holds each answer back for so many milliseconds.")
    var latency = 0

    @Option(help: "Where the random numbers begin: the same requests in the same order meet the same faults.")
    var seed: UInt64 = 1

    @Option(help: "The share of requests, 0 to 1, answered 500, 502, 503 or 504.")
    var errorRate = 0.0

    @Option(help: "The share of requests whose connection is reset within the body.")
    var resetRate = 0.0

    @Option(help: "The share of requests that are committed and whose answer is then dropped.")
    var dropRate = 0.0

    @Option(help: "The share of requests at which a burst of 429 begins.")
    var busyRate = 0.0

    @Option(help: "How many requests such a burst answers.")
    var busyBurst = 3

    @Option(help: "Seconds that a 429 asks to wait; without, it doesn't say.")
    var retryAfter: Int?

    @Flag(help: "Says that as a date.")
    var retryAfterDate = false

    @Option(help: "Answers bodies of more bytes with 413, before they are read.")
    var tooLarge: Int64?

    @Option(help: "How much of these is read before the answer.")
    var tooLargeAfter = 0

    @Flag(help: "Resets the connection right after that answer.")
    var tooLargeAbrupt = false

    @Option(help: "Reads bodies no faster than so many bytes a second.")
    var slow: Int?

    @Option(help: "What `Expect: 100-continue` is answered with: 100, 0 for nothing, 417 or 413.")
    var expect = 100

    @Option(help: "What becomes of a connection that is kept open: kept, closed, reset.")
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
