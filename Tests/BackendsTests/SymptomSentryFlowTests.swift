import HTTPTestSupport
import Backends
import Foundation
import HTTPCalls
import MediaPrep
import MultipartBody
import SymptomSentryAPI
import Testing
import TestSupport
import Uploading

@Suite("SymptomSentry over HTTP: the flows of its specification")
struct SymptomSentryFlowTests {
    private func makeImageItem(_ name: String = "ear-passthrough.jpg", quality: Int = 80) async throws -> UploadItem {
        var options = SymptomSentryClient.imageOptions
        options.maxDimension = 320
        options.quality = quality
        return UploadItem(try await ImagePreparer(options).prepare(contentsOf: SampleMedia.goodImage(named: name)))
    }

    @Test("log in, analyze, save, use up the quota, subscribe, and go on")
    func loginAnalyzeSaveQuotaAndSubscribeFlow() async throws {
        try await RunningBackend.withBackend { backend in
            let session = Session()
            let client = HTTPClient(
                transport: try CurlTransport(), session: session, retryPolicy: SymptomSentryClient.retryPolicy)
            let api = SymptomSentryClient(baseEndpoint: try Endpoint(backend.url), client: client)

            // No user is logged in yet.
            let stranger = await callError { () async throws(CallError) in try await api.profile() }
            #expect(stranger?.code == .signedOut)
            let wrong = await callError { () async throws(CallError) in
                try await api.login(email: "patient@example.com", password: "wrong")
            }
            #expect(wrong?.code == .unauthorized)
            let login = try await api.login(email: "patient@example.com", password: "correct horse")
            try session.signIn(Credentials(token: login.token))
            #expect(login.user.subscription == .free && login.user.remainingAnalyses == 5)

            let item = try await makeImageItem().mediaFile
            let analysis = try await api.analyze(item, type: .throat)
            #expect(analysis.type == .throat && analysis.userID == login.user.id && analysis.timestamp != nil)
            let primary = try #require(analysis.primaryCondition)
            let secondary = try #require(analysis.secondaryCondition)
            #expect(primary.confidence > secondary.confidence)
            let sent = try #require(try backend.storedItems().last)
            #expect(sent.fields == ["type=throat"])
            #expect(sent.files == ["image image.jpg image/jpeg \(item.content.byteCount)"])

            let saved = try await api.saveAnalysis(analysis)
            #expect(saved.analysis.id == analysis.id && saved.analysis.conditions == analysis.conditions)
            #expect(saved.analysis.userID == login.user.id)
            #expect(saved.subscription.analysisLimit == 5 && saved.subscription.analysisRemaining == 4)

            #expect(try await api.profile().remainingAnalyses == 4)
            let renamed = try await api.updateProfile(name: "New Name", email: "new@example.com")
            #expect(renamed.name == "New Name" && renamed.email == "new@example.com")

            for _ in 2...5 { _ = try await api.analyze(item, type: .ear) }
            #expect(try await api.profile().remainingAnalyses == 0)
            let sixth = await callError { () async throws(CallError) in try await api.analyze(item, type: .ear) }
            #expect(sixth?.code == .quotaExhausted && sixth?.serverMessage?.code == "quota-exceeded")

            // The same client buys the subscription, and goes on.
            let premium = try await api.updateSubscription(to: .premium, paymentToken: "paid")
            #expect(premium.subscription == .premium && premium.remainingAnalyses == nil)
            let seventh = try await api.analyze(item, type: .ear)
            let status = try await api.saveAnalysis(seventh).subscription
            #expect(status.analysisCount == 6 && status.analysisLimit == nil && status.analysisRemaining == nil)
            #expect(try backend.storedItems().count == 6)
        }
    }

    @Test("an exhausted quota ends the batch")
    func batchEndsWithQuota() async throws {
        try await RunningBackend.withBackend { backend in
            var items: [UploadItem] = []
            for quality in 60..<68 { items.append(try await makeImageItem("ear-passthrough.jpg", quality: quality)) }
            let client = HTTPClient(
                transport: try CurlTransport(), session: Session(token: "dev-token"),
                retryPolicy: SymptomSentryClient.retryPolicy)
            let upload = SymptomSentryClient.Destination(
                baseEndpoint: try Endpoint(backend.url), defaultAnalysisType: .ear)
            let (results, receipts) = try await UploadHarness().upload(items, to: upload, client)
            #expect(results.map(\.status) == Array(repeating: .acknowledged, count: 5) + [.failed, .notSent, .notSent])
            #expect(results[5].error?.code == .quotaExhausted)
            #expect(receipts.map(\.serverID) == results.prefix(5).map(\.serverID))
            #expect(Set(results.prefix(5).map(\.serverID)).count == 5)
            #expect(try backend.storedItems().count == 5)
        }
    }

    @Test("an image that cannot be decoded is rejected with the server's message")
    func undecodableImageIsRejectedWithServerMessage() async throws {
        try await RunningBackend.withBackend { backend in
            let client = HTTPClient(
                transport: try CurlTransport(), session: Session(token: "dev-token"))
            let api = SymptomSentryClient(baseEndpoint: try Endpoint(backend.url), client: client)
            let error = await callError { () async throws(CallError) in
                try await api.analyze(.makeImage("no JPEG"), type: .ear)
            }
            #expect(
                error?.code == .rejectedByServer && error?.status == 400
                    && error?.serverMessage?.code == "invalid-image")
            #expect(error?.message.contains(try #require(error?.serverMessage?.message)) == true)
            #expect(try await api.profile().remainingAnalyses == 5)
        }
    }
}
