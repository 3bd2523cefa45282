import Testing

@testable import Uploading

@Suite struct CurlEasyTests {
    @Test("What libcurl calls is there for as long as its handle")
    func exchangeOutlives() throws {
        let request = try HTTPRequest(.get, Endpoint("http://127.0.0.1/"))
        var exchange: CurlExchange? = CurlExchange(request, responseLimit: 1)
        weak let observed = exchange
        let easy = try CurlEasy(request, CurlTransport.Options(), #require(exchange))
        exchange = nil
        #expect(observed != nil)
        guard let easy else {
            Issue.record("no memory")
            return
        }
        let hasBegun = easy.hasBegun
        #expect(!hasBegun)
    }
}
