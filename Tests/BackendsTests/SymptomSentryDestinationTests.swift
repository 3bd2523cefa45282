import Backends
import Foundation
import HTTPCalls
import HTTPTestSupport
import HTTPTypes
import SymptomSentryAPI
import MediaPrep
import Testing
import Uploading

@Suite("SymptomSentry: uploads")
struct SymptomSentryDestinationTests {
    private static let analysis = #"{"id":"a1","type":"throat","conditions":[],"timestamp":"2025-06-01T00:00:00Z"}"#

    @Test("only a JPEG of a known type is uploaded", arguments: ["image/png", "audio/mp4", "text/html"])
    func onlyJPEGIsUploaded(_ type: String) {
        let item = UploadItem(name: "a", bytes: [1], mediaType: type, filename: "a")
        let upload = SymptomSentryClient.Destination(baseEndpoint: .test, defaultAnalysisType: .ear)
        #expect(throws: CallError.self) { try upload.uploadKey(for: item) }
        #expect(throws: CallError.self) {
            try upload.uploadKey(for: .makeImage(fields: [FormField(name: "type", value: "nose")]))
        }
    }

    @Test("a successful response with a message and without an analysis is a refusal")
    func messageWithoutAnalysisIsRefusal() async throws {
        let upload = SymptomSentryClient.Destination(baseEndpoint: .test, defaultAnalysisType: .ear)
        let answer = StubTransport(.json(#"{"message":"Blurred."}"#))
        let (results, _) = try await UploadHarness().upload([.makeImage()], to: upload, HTTPClient(stub: answer))
        #expect(results[0].status == .failed && results[0].error?.code == .rejectedByServer)
        #expect(results[0].error?.localizedDescription == "Blurred.")
    }

    @Test(
        "429 without a delay, or with more than 10 minutes, means that the quota is exhausted", arguments: [nil, "601"])
    func long429EndsQuota(_ retryAfter: String?) async throws {
        let headers = retryAfter.map { [.retryAfter: $0] as HTTPFields } ?? [:]
        let body = #"{"error":true,"message":"Used up.","code":"quota-exceeded"}"#
        let transport = StubTransport(.json(Self.analysis), .json(429, body, headers))
        let client = HTTPClient(stub: transport, policy: SymptomSentryClient.retryPolicy)
        let items = (1...4).map { UploadItem.makeImage("\($0)") }
        let upload = SymptomSentryClient.Destination(baseEndpoint: .test, defaultAnalysisType: .throat)
        let (results, receipts) = try await UploadHarness().upload(items, to: upload, client)
        #expect(results.map(\.status) == [.acknowledged, .failed, .notSent, .notSent])
        #expect(results[1].error?.code == .quotaExhausted && results[1].error?.serverMessage?.code == "quota-exceeded")
        #expect(results[0].serverID == "a1" && receipts.map(\.serverID) == ["a1"])
        #expect(transport.requests.count == 2)
    }

    @Test(
        "an upload goes to the endpoint of its type, with a key if the backend honors keys", arguments: [false, true])
    func uploadUsesTypePathAndKey(_ honorsKeys: Bool) async throws {
        let transport = StubTransport(.json(Self.analysis))
        let upload = SymptomSentryClient.Destination(
            baseEndpoint: .test, defaultAnalysisType: .throat, honorsIdempotencyKeys: honorsKeys)
        let items = [UploadItem.makeImage(), .makeImage(fields: [FormField(name: "type", value: "ear")])]
        let (results, _) = try await UploadHarness().upload(items, to: upload, HTTPClient(stub: transport))
        #expect(results.map(\.status) == [.acknowledged, .acknowledged])
        #expect(transport.requests.map { $0.text.contains("\r\n\r\near\r\n") } == [false, true])
        let keys = transport.requests.map { $0.headerFields[.idempotencyKey] }
        #expect(Set(keys).count == (honorsKeys ? 2 : 1) && (keys[0] != nil) == honorsKeys)
        #expect(!transport.requests[0].text.contains("patient"))
    }

    @Test("an upload with an unreadable response is only sent again with a key", arguments: [false, true])
    func unreadableResponseIsRetriedOnlyWithKey(_ honorsKeys: Bool) async throws {
        let journal = try UploadHarness()
        let upload = SymptomSentryClient.Destination(
            baseEndpoint: .test, defaultAnalysisType: .throat, honorsIdempotencyKeys: honorsKeys)
        let first = try await journal.upload([.makeImage()], to: upload, HTTPClient(stub: StubTransport(.json("?"))))
        #expect(first.results[0].status == (honorsKeys ? .failed : .outcomeUnknown))
        #expect(first.results[0].error?.code == (honorsKeys ? .invalidResponse : .outcomeUnknown))
        let transport = StubTransport(.json(Self.analysis))
        let second = try await journal.upload([.makeImage()], to: upload, HTTPClient(stub: transport))
        #expect(second.results[0].status == (honorsKeys ? .acknowledged : .outcomeUnknown))
        #expect(transport.requests.count == (honorsKeys ? 1 : 0))
    }

    @Test("images are encoded at a quality of 0.8")
    func imageQualityIs80() { #expect(SymptomSentryClient.imageOptions.quality == 80) }
}
