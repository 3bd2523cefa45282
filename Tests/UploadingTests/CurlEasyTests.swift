import HTTPTypes
import Testing

@testable import HTTPCalls
@testable import Uploading

@Suite struct CurlEasyTests {
    @Test("Callbacks of libcurl live as long as the handle")
    func callbackContextOutlivesCurlHandle() throws {
        let request = try TransportRequest(method: .get, endpoint: Endpoint("http://127.0.0.1/"))
        var exchange: CurlCallbackContext? = CurlCallbackContext(request: request, maxResponseBytes: 1)
        weak let observed = exchange
        let easy = try CurlEasyHandle(
            request: request, options: CurlTransport.Options(), callbackContext: #require(exchange))
        exchange = nil
        #expect(observed != nil)
        guard let easy else {
            Issue.record("no memory")
            return
        }
        let hasBegun = easy.hasSentAnyByte
        #expect(!hasBegun)
    }
}
