import Testing

@testable import Uploading

@Suite("What is tried again")
struct RetryPolicyTests {
    /// A status, and what follows from it: where a repeat is harmless or the body wasn't sent whole, and where it might be done
    /// twice.
    static let statuses: [(Int, RetryPolicy.Decision, RetryPolicy.Decision)] = [
        (200, .done, .done), (201, .done, .done), (204, .done, .done), (299, .done, .done),
        (400, .give(up: .refused), .give(up: .refused)), (403, .give(up: .refused), .give(up: .refused)),
        (404, .give(up: .refused), .give(up: .refused)), (409, .give(up: .refused), .give(up: .refused)),
        (413, .give(up: .tooLarge), .give(up: .tooLarge)), (422, .give(up: .refused), .give(up: .refused)),
        (501, .give(up: .refused), .give(up: .refused)), (505, .give(up: .refused), .give(up: .refused)),
        (507, .give(up: .refused), .give(up: .refused)),
        (401, .renewToken, .renewToken), (429, .wait(nil), .wait(nil)), (503, .again(after: nil), .again(after: nil)),
        (408, .again(after: nil), .give(up: .outcomeUnknown)), (500, .again(after: nil), .give(up: .outcomeUnknown)),
        (502, .again(after: nil), .give(up: .outcomeUnknown)), (504, .again(after: nil), .give(up: .outcomeUnknown)),
        (301, .give(up: .badAnswer), .give(up: .outcomeUnknown)),
        (303, .give(up: .badAnswer), .give(up: .outcomeUnknown)),
        (304, .give(up: .badAnswer), .give(up: .outcomeUnknown)), (307, .give(up: .badAnswer), .give(up: .badAnswer)),
        (520, .give(up: .badAnswer), .give(up: .outcomeUnknown)),
        (599, .give(up: .badAnswer), .give(up: .outcomeUnknown)),
    ]

    @Test("of answers", arguments: statuses)
    func answers(_ status: Int, harmless: RetryPolicy.Decision, twice: RetryPolicy.Decision) {
        let policy = RetryPolicy()
        let whole = HTTPResponse(status: status, progress: SendProgress(sent: 9, total: 9))
        let partial = HTTPResponse(status: status, progress: SendProgress(sent: 8, total: 9))
        #expect(policy.decision(on: whole, mayRepeat: true) == harmless)
        #expect(policy.decision(on: partial, mayRepeat: true) == harmless)
        #expect(policy.decision(on: partial, mayRepeat: false) == harmless)
        #expect(policy.decision(on: whole, mayRepeat: false) == twice)
    }

    static let lost: [(TransportError.Code, RetryPolicy.Decision, RetryPolicy.Decision)] = [
        (.connect, .again(after: nil), .again(after: nil)),
        (.connectionLost, .again(after: nil), .give(up: .outcomeUnknown)),
        (.timeout, .again(after: nil), .give(up: .outcomeUnknown)),
        (.badResponse, .give(up: .badAnswer), .give(up: .outcomeUnknown)),
        (.tls, .give(up: .tls), .give(up: .tls)), (.source, .give(up: .sourceChanged), .give(up: .sourceChanged)),
        (.invalidURL, .give(up: .invalidURL), .give(up: .invalidURL)),
        (.cancelled, .give(up: .cancelled), .give(up: .outcomeUnknown)),
    ]

    @Test("where no answer came", arguments: lost)
    func failures(_ code: TransportError.Code, harmless: RetryPolicy.Decision, twice: RetryPolicy.Decision) {
        let policy = RetryPolicy()
        let whole = TransportError(code, "", progress: SendProgress(sent: 9, total: 9))
        let partial = TransportError(code, "", progress: SendProgress(sent: 8, total: 9))
        #expect(policy.decision(on: whole, mayRepeat: true) == harmless)
        #expect(policy.decision(on: partial, mayRepeat: false) == harmless)
        #expect(policy.decision(on: whole, mayRepeat: false) == twice)
    }

    @Test("Waits are between nothing and a limit that doubles up to 30 s; the tenth is no longer than the eighth")
    func waits() {
        let policy = RetryPolicy()
        for (attempt, limit) in [(1, 250), (2, 500), (3, 1000), (7, 16_000), (8, 30_000), (10, 30_000), (999, 30_000)] {
            let waits = (0..<200).map { _ in policy.wait(after: attempt, asked: nil) }
            #expect(waits.allSatisfy { $0 >= .zero && $0 <= .milliseconds(limit) })
            // Full jitter: of 200, one lies in the upper half but for once in 10 to the 60.
            #expect(waits.contains { $0 > .milliseconds(limit / 2) })
        }
    }

    @Test("What the server asks for is waited, and no more than an hour")
    func asked() {
        #expect(RetryPolicy().wait(after: 1, asked: .seconds(7)) == .seconds(7))
        #expect(RetryPolicy().wait(after: 1, asked: .seconds(7200)) == .seconds(3600))
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
    func retryAfter(_ value: String, date: String?, seconds: Int?) {
        var response = HTTPResponse(status: 429, headers: [HTTPHeader("retry-after", value)])
        if let date { response.headers.append(HTTPHeader("Date", date)) }
        #expect(response.retryAfter == seconds.map { .seconds($0) })
    }
}
