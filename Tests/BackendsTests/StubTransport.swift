// `unsafe`: memory to read a form into.

import HTTPCalls
import HTTPTypes
import MultipartBody
import Synchronization
import Uploading

/// A transport that returns the given responses and records the requests.
final class StubTransport: HTTPTransport {
    typealias Answer = @Sendable (TransportRequest) throws(TransportError) -> TransportResponse

    private let answer: Answer
    private let sent = Mutex<[TransportRequest]>([])

    /// Creates a transport that responds with the result of `answer`.
    init(answer: @escaping Answer) { self.answer = answer }

    /// Creates a transport that responds with each of `responses` in turn, and then always with the last.
    convenience init(_ responses: TransportResponse...) {
        let left = Mutex(responses)
        self.init { _ in left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
    }

    /// The requests, in order.
    var requests: [TransportRequest] { sent.withLock { $0 } }
    /// The methods and URLs of the requests, in order.
    var calls: [String] { requests.map { "\($0.method.rawValue) \($0.endpoint)" } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try nextResponse(for: request)
    }

    /// Returns the response to a request.
    func nextResponse(for request: TransportRequest) throws(TransportError) -> TransportResponse {
        sent.withLock { $0.append(request) }
        var response = try answer(request)
        let length = Int64(request.bytes.count)
        response.sendProgress = SendProgress(bytesSent: length, totalBodyBytes: length)
        return response
    }
}

extension TransportResponse {
    /// A response in JSON.
    static func json(_ status: Int, _ body: String, _ headerFields: HTTPFields = [:]) -> TransportResponse {
        TransportResponse(status: status, headerFields: headerFields, body: Array(body.utf8))
    }

    /// The same with a status of 200.
    static func json(_ body: String) -> TransportResponse { json(200, body) }
}

extension TransportRequest {
    /// The bytes of the body.
    var bytes: [UInt8] {
        switch body {
        case .empty: return []
        case .bytes(let bytes, _): return bytes
        case .multipart(let form): do { return try form.bytes() } catch { fatalError("\(error)") }
        }
    }

    /// The body as text, with `--B` for the boundary of a form.
    var text: String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard case .multipart(let form) = body else { return text }
        return text.replacing("--\(form.boundary)", with: "--B")
    }

    /// The body's media type, without parameters.
    var type: String {
        switch body {
        case .empty: ""
        case .bytes(_, let type): type
        case .multipart: "multipart/form-data"
        }
    }
}

extension MultipartForm {
    fileprivate func bytes() throws(MultipartError) -> [UInt8] {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(contentLength) + 1, alignment: 1)
        defer { unsafe memory.deallocate() }
        var output = unsafe OutputRawSpan(buffer: memory, initializedCount: 0)
        var reader = makeReader()
        try reader.read(into: &output)
        return unsafe Array(memory[..<output.finalize(for: memory)])
    }
}
