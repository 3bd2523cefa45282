import HTTPTypes
import Testing

@testable import HTTPCalls

@Suite("Retry decisions")
struct RetryPolicyTests {
    /// A status and two decisions: for a request that is idempotent or was not sent completely, and for any other.
    static let statusCases: [(Int, RetryPolicy.RetryDecision, RetryPolicy.RetryDecision)] = [
        (200, .succeed, .succeed), (201, .succeed, .succeed), (204, .succeed, .succeed), (299, .succeed, .succeed),
        (400, .fail(.rejectedByServer), .fail(.rejectedByServer)),
        (403, .fail(.rejectedByServer), .fail(.rejectedByServer)),
        (404, .fail(.rejectedByServer), .fail(.rejectedByServer)),
        (409, .fail(.rejectedByServer), .fail(.rejectedByServer)),
        (413, .fail(.contentTooLarge), .fail(.contentTooLarge)),
        (422, .fail(.rejectedByServer), .fail(.rejectedByServer)),
        (501, .fail(.rejectedByServer), .fail(.rejectedByServer)),
        (505, .fail(.rejectedByServer), .fail(.rejectedByServer)),
        (507, .fail(.rejectedByServer), .fail(.rejectedByServer)),
        (401, .renewToken, .renewToken), (429, .closeGate(retryAfter: nil), .closeGate(retryAfter: nil)),
        (503, .retry(after: nil), .retry(after: nil)),
        (408, .retry(after: nil), .fail(.outcomeUnknown)), (500, .retry(after: nil), .fail(.outcomeUnknown)),
        (502, .retry(after: nil), .fail(.outcomeUnknown)), (504, .retry(after: nil), .fail(.outcomeUnknown)),
        (301, .fail(.invalidResponse), .fail(.outcomeUnknown)),
        (303, .fail(.invalidResponse), .fail(.outcomeUnknown)),
        (304, .fail(.invalidResponse), .fail(.outcomeUnknown)), (307, .fail(.invalidResponse), .fail(.invalidResponse)),
        (425, .retry(after: nil), .fail(.outcomeUnknown)), (520, .retry(after: nil), .fail(.outcomeUnknown)),
        (599, .retry(after: nil), .fail(.outcomeUnknown)), (600, .fail(.invalidResponse), .fail(.outcomeUnknown)),
    ]

    @Test("after responses", arguments: statusCases)
    func decisionForStatus(_ status: Int, harmless: RetryPolicy.RetryDecision, twice: RetryPolicy.RetryDecision) {
        let policy = RetryPolicy()
        let whole = TransportResponse(status: status, sendProgress: SendProgress(bytesSent: 9, totalBodyBytes: 9))
        let partial = TransportResponse(status: status, sendProgress: SendProgress(bytesSent: 8, totalBodyBytes: 9))
        #expect(policy.retryDecision(for: whole, isIdempotent: true) == harmless)
        #expect(policy.retryDecision(for: partial, isIdempotent: true) == harmless)
        #expect(policy.retryDecision(for: partial, isIdempotent: false) == harmless)
        #expect(policy.retryDecision(for: whole, isIdempotent: false) == twice)
    }

    static let transportErrorCases: [(TransportError.Code, RetryPolicy.RetryDecision, RetryPolicy.RetryDecision)] = [
        (.connectionFailed, .retry(after: nil), .retry(after: nil)),
        (.connectionLost, .retry(after: nil), .fail(.outcomeUnknown)),
        (.timeout, .retry(after: nil), .fail(.outcomeUnknown)),
        (.invalidResponse, .fail(.invalidResponse), .fail(.outcomeUnknown)),
        (.tlsFailed, .fail(.tlsFailed), .fail(.tlsFailed)),
        (.bodySourceFailed, .fail(.sourceChanged), .fail(.sourceChanged)),
        (.invalidURL, .fail(.invalidURL), .fail(.invalidURL)),
        (.cancelled, .fail(.cancelled), .fail(.outcomeUnknown)),
    ]

    @Test("without a response", arguments: transportErrorCases)
    func decisionForTransportError(
        _ code: TransportError.Code, harmless: RetryPolicy.RetryDecision, twice: RetryPolicy.RetryDecision
    ) {
        let policy = RetryPolicy()
        let whole = TransportError(code: code, message: "", sendProgress: SendProgress(bytesSent: 9, totalBodyBytes: 9))
        let partial = TransportError(
            code: code, message: "", sendProgress: SendProgress(bytesSent: 8, totalBodyBytes: 9))
        #expect(policy.retryDecision(for: whole, isIdempotent: true) == harmless)
        #expect(policy.retryDecision(for: partial, isIdempotent: false) == harmless)
        #expect(policy.retryDecision(for: whole, isIdempotent: false) == twice)
    }

    @Test("Delays are between 0 and a limit that doubles up to 30 s; the tenth limit equals the eighth")
    func backoffDoublesUpToLimit() {
        let policy = RetryPolicy()
        for (attempt, limit) in [(1, 250), (2, 500), (3, 1000), (7, 16_000), (8, 30_000), (10, 30_000), (999, 30_000)] {
            let waits = (0..<200).map { _ in policy.delay(afterAttempt: attempt, retryAfter: nil) }
            #expect(waits.allSatisfy { $0 >= .zero && $0 <= .milliseconds(limit) })
            // Full jitter: the chance that none of 200 delays is in the upper half is 10^-60.
            #expect(waits.contains { $0 > .milliseconds(limit / 2) })
        }
    }

    @Test("The server's Retry-After is respected, up to an hour")
    func requestedWaitIsCappedAtOneHour() {
        #expect(RetryPolicy().delay(afterAttempt: 1, retryAfter: .seconds(7)) == .seconds(7))
        #expect(RetryPolicy().delay(afterAttempt: 1, retryAfter: .seconds(7200)) == .seconds(3600))
    }

    @Test(
        "Retry-After is seconds, or a date in each form of HTTP, by the server's clock",
        arguments: [
            ("0", nil, 0), ("120", nil, 120), ("99999999999999999999", nil, Int(Int32.max)), ("-1", nil, nil),
            ("soon", nil, nil), ("", nil, nil), ("1.5", nil, nil),
            ("Sun, 06 Nov 1994 08:50:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", 60),
            ("Sunday, 06-Nov-94 08:50:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", 60),
            ("Sun Nov  6 08:50:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT", 60),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:37 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT", nil, 0),
        ] as [(String, String?, Int?)])
    func retryAfterIsParsedInEveryForm(_ value: String, date: String?, seconds: Int?) {
        var response = TransportResponse(status: 429, headerFields: [.retryAfter: value])
        if let date { response.head.headerFields[.date] = date }
        #expect(response.retryAfter == seconds.map { .seconds($0) })
    }
}
