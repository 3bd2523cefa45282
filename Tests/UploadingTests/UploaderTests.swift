import HTTPTestSupport
import Foundation
import HTTPTypes
import Ledger
import MultipartBody
import Synchronization
import SystemSupport
import Testing
import TestSupport

@testable import HTTPCalls
@testable import Uploading

@Suite("Each item is sent once", .timeLimit(.minutes(20)))
final class UploaderTests: Sendable {
    private let directory: TemporaryDirectory
    private let ledgerPath: [UInt8]

    init() throws {
        directory = try TemporaryDirectory()
        ledgerPath = Array(directory.fileURL(named: "ledger.sqlite").path.utf8)
    }

    private static let createdResponse = ScriptedTransport.status(
        201, [.location: "17"], body: #"{"id":17}"#)

    private func makeItems(_ contents: String...) -> [UploadItem] {
        contents.enumerated().map {
            UploadItem(name: "\($0)", bytes: Array($1.utf8), mediaType: "text/plain", filename: "a.txt")
        }
    }

    /// Performs one run, as a separate process would.
    @discardableResult
    private func runUploader(
        _ items: [UploadItem], _ transport: ScriptedTransport, honorsKeys: Bool = false,
        policy: RetryPolicy = .withoutDelays,
        _ configure: (inout Uploader) -> Void = { _ in },
        onReceipt: (@Sendable (UploadItem, UploadReceipt) async throws -> Void)? = nil
    ) async throws -> [String: UploadResult] {
        let ledger = try LedgerDatabase(path: ledgerPath)
        var uploader = Uploader(
            destination: PlainDestination(honorsIdempotencyKeys: honorsKeys),
            client: HTTPClient(transport: transport, retryPolicy: policy), journal: ledger)
        configure(&uploader)
        let results = Mutex<[String: UploadResult]>([:])
        let stream = AsyncStream { continuation in
            for item in items { continuation.yield(item) }
            continuation.finish()
        }
        defer { try? ledger.close() }
        try await uploader.uploadAll(stream, onReceipt: onReceipt) { item, result in
            results.withLock { $0[item.name] = result }
        }
        return results.withLock { $0 }
    }

    @Test("A later run does not send acknowledged items")
    func acknowledgedItemIsNotResent() async throws {
        let transport = ScriptedTransport([Self.createdResponse])
        let first = try await runUploader(makeItems("a", "b"), transport)
        #expect(first.values.allSatisfy { $0.status == .acknowledged && $0.serverID == "17" && !$0.isFromEarlierRun })
        #expect(first["0"]?.attemptCount == 1)
        #expect(first["0"]?.bytesSent == 1)
        let second = try await runUploader(makeItems("a", "b"), transport)
        #expect(second.values.allSatisfy { $0.status == .acknowledged && $0.serverID == "17" && $0.isFromEarlierRun })
        #expect(second["0"]?.attemptCount == 1)
        #expect(transport.requests.count == 2)
    }

    @Test("A later run sends failed items; attempts are added up")
    func failedItemIsResentAndAttemptsAccumulate() async throws {
        let first = try await runUploader(makeItems("a"), ScriptedTransport(422))
        #expect(first["0"]?.status == .failed)
        #expect(first["0"]?.error?.code == .rejectedByServer)
        let second = try await runUploader(makeItems("a"), ScriptedTransport([Self.createdResponse]))
        #expect(second["0"]?.status == .acknowledged)
        #expect(second["0"]?.attemptCount == 2)
    }

    @Test("Items with an unknown outcome are listed, and only sent again on request")
    func unconfirmedItemIsResentOnlyOnRequest() async throws {
        let lost = ScriptedTransport([ScriptedTransport.failure(.connectionLost, isWhole: true)])
        for _ in 0..<2 {
            let result = try #require(try await runUploader(makeItems("a"), lost)["0"])
            #expect(result.status == .outcomeUnknown)
            #expect(result.error?.code == .outcomeUnknown)
        }
        #expect(lost.requests.count == 1)
        let result = try await runUploader(makeItems("a"), ScriptedTransport([Self.createdResponse])) {
            $0.retriesUnconfirmed = true
        }
        #expect(result["0"]?.status == .acknowledged)
    }

    /// The uncertainty that a first run leaves, and whether the request had a key.
    static let uncertaintyCases: [(ScriptedTransport.ResponseScript, Bool)] = [
        (ScriptedTransport.failure(.connectionLost, isWhole: true), false), (ScriptedTransport.status(500), false),
        (ScriptedTransport.status(500), true), (ScriptedTransport.failure(.timeout, isWhole: true), true),
        (ScriptedTransport.status(520), true),
    ]

    @Test(
        "An unknown outcome remains until the server responds, whatever later runs fail",
        arguments: uncertaintyCases.indices
    )
    func uncertaintyPersistsUntilServerAnswers(_ number: Int) async throws {
        let (answer, isKeyed) = Self.uncertaintyCases[number]
        try await runUploader(makeItems("a"), ScriptedTransport([answer]), honorsKeys: isKeyed)
        // It is sent again on request, but no byte leaves.
        let refused = ScriptedTransport([ScriptedTransport.failure(.connectionFailed)])
        let vain = try await runUploader(makeItems("a"), refused) { $0.retriesUnconfirmed = true }
        #expect(vain["0"]?.status == .outcomeUnknown)
        #expect(refused.requests.count == 10)
        // Without a request to do so, nothing is sent: neither without a key nor with a key that the server never
        // received.
        let never = ScriptedTransport([Self.createdResponse])
        #expect(try await runUploader(makeItems("a"), never)["0"]?.status == .outcomeUnknown)
        let keyed = try await runUploader(makeItems("a"), never, honorsKeys: true)
        #expect(keyed["0"]?.status == (isKeyed ? .acknowledged : .outcomeUnknown))
        #expect(never.requests.count == (isKeyed ? 1 : 0))
    }

    @Test("Acknowledged items are also reported if no more may be sent")
    func acknowledgedItemIsReportedAfterBatchEnd() async throws {
        try await runUploader(makeItems("b"), ScriptedTransport([Self.createdResponse]))
        var policy = RetryPolicy.withoutDelays
        policy.treats429AsQuota = true
        let results = try await runUploader(makeItems("a", "b", "c"), ScriptedTransport(429), policy: policy) {
            $0.maxConcurrentUploads = 1
        }
        #expect((0..<3).map { results["\($0)"]?.status } == [.failed, .acknowledged, .notSent])
    }

    @Test(
        "An attempt is recorded before it starts, so that a run that is stopped leaves a record of it",
        arguments: [true, false])
    func interruptedItemIsRecordedBeforeSending(honorsKeys: Bool) async throws {
        let copy = ledgerPath + Array(".copy".utf8)
        let files = ["", "-wal"].map { suffix in
            [ledgerPath, copy].map { String(decoding: $0, as: UTF8.self) + suffix }
        }
        let transport = ScriptedTransport([
            ScriptedTransport.status { _ in
                // The state that a process leaves if it is killed here.
                for names in files { try? FileManager.default.copyItem(atPath: names[0], toPath: names[1]) }
                return 201
            }
        ])
        try await runUploader(makeItems("a"), transport, honorsKeys: honorsKeys)
        let ledger = try LedgerDatabase(path: copy)
        defer { try? ledger.close() }
        let after = ScriptedTransport([Self.createdResponse])
        let uploader = Uploader(
            destination: PlainDestination(honorsIdempotencyKeys: honorsKeys),
            client: HTTPClient(transport: after, retryPolicy: .withoutDelays), journal: ledger)
        let results = Mutex<[UploadResult]>([])
        let all = makeItems("a")
        try await uploader.uploadAll(AsyncStream(all)) { _, result in results.withLock { $0.append(result) } }
        #expect(results.withLock { $0.map(\.status) } == [honorsKeys ? .acknowledged : .outcomeUnknown])
        #expect(after.requests.count == (honorsKeys ? 1 : 0))
        let keys = (transport.requests + after.requests).map { $0.headerFields[.idempotencyKey] }
        #expect(Set(keys).count == 1)
        #expect((keys.first != .some(nil)) == honorsKeys)
    }

    @Test("Resending an acknowledged item uses a new key, and resuming that keeps it")
    func forcedResendUsesNewStableKey() async throws {
        let transport = ScriptedTransport([Self.createdResponse])
        try await runUploader(makeItems("a"), transport, honorsKeys: true)
        try await runUploader(makeItems("a"), transport, honorsKeys: true) { $0.resendsAcknowledged = true }
        try await runUploader(makeItems("a"), transport, honorsKeys: true)
        try await runUploader(makeItems("a"), transport, honorsKeys: true) { $0.resendsAcknowledged = true }
        let keys = transport.requests.compactMap { $0.headerFields[.idempotencyKey] }
        #expect(keys.count == 3)
        #expect(Set(keys).count == 3)
    }

    @Test(
        "Of equal items one is sent, and the others are reported as its duplicates with the same result",
        arguments: [1, 8])
    func equalItemsAreSentOnceAndReportedAsDuplicates(uploads: Int) async throws {
        let transport = ScriptedTransport([Self.createdResponse])
        let results = try await runUploader(makeItems("a", "b", "a", "a"), transport) {
            $0.maxConcurrentUploads = uploads
        }
        #expect(transport.requests.count == 2)
        let statuses = ["0", "2", "3"].compactMap { results[$0]?.status }
        #expect(statuses.count { $0 == .acknowledged } == 1)
        #expect(statuses.count { $0 == .duplicate } == 2)
        #expect(results.values.allSatisfy { $0.serverID == "17" })
        let original = ["0", "2", "3"].first { results[$0]?.status == .acknowledged }
        #expect(results.values.filter { $0.status == .duplicate }.allSatisfy { $0.originalItemName == original })
    }

    @Test("If the source of the first of equal items cannot be read, the next one is sent, once")
    func duplicateOfUnreadableItemIsSent() async throws {
        let transport = ScriptedTransport([ScriptedTransport.failure(.bodySourceFailed), Self.createdResponse])
        let results = try await runUploader(makeItems("same", "same", "same"), transport)
        #expect(results["0"]?.error?.code == .sourceChanged)
        #expect(Set([results["1"]?.status, results["2"]?.status]) == [.acknowledged, .duplicate])
        #expect(transport.requests.count == 2)
    }

    @Test("Equal items do not occupy upload slots")
    func duplicatesDoNotOccupyUploadSlots() async throws {
        let transport = ScriptedTransport([
            ScriptedTransport.status(201, whenRequestCountReaches: 2, of: AtomicCounter())
        ])
        let results = try await runUploader(makeItems("a", "a", "a", "b"), transport) { $0.maxConcurrentUploads = 2 }
        // The first response comes after the last request.
        #expect(results["0"]?.status == .acknowledged)
        #expect(results["3"]?.status == .acknowledged)
    }

    @Test("An item with another field is another item")
    func itemsWithDifferentFieldsAreDistinct() async throws {
        var items = makeItems("a", "a")
        items[1].fields = [FormField(name: "pet", value: "2")]
        let transport = ScriptedTransport([Self.createdResponse])
        #expect(try await runUploader(items, transport).values.allSatisfy { $0.status == .acknowledged })
        #expect(transport.requests.count == 2)
    }

    @Test("The number of concurrent uploads is limited", arguments: [1, 3])
    func concurrentUploadsAreBounded(uploads: Int) async throws {
        // The first requests are answered when all of them have arrived.
        let transport = ScriptedTransport([
            ScriptedTransport.status(200, whenRequestCountReaches: uploads, of: AtomicCounter())
        ])
        try await runUploader(makeItems("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"), transport) {
            $0.maxConcurrentUploads = uploads
        }
        #expect(transport.requests.count == 10)
        #expect(transport.maxConcurrentRequests == uploads)
    }

    @Test("After an error that ends the batch, the rest is not sent, and a later run sends it")
    func exhaustedQuotaLeavesRestForLaterRun() async throws {
        var policy = RetryPolicy.withoutDelays
        policy.treats429AsQuota = true
        let transport = ScriptedTransport([Self.createdResponse, Self.createdResponse, ScriptedTransport.status(429)])
        let items = makeItems("a", "b", "c", "d", "e")
        let results = try await runUploader(items, transport, policy: policy) { $0.maxConcurrentUploads = 1 }
        #expect(
            (0..<5).map { results["\($0)"]?.status } == [.acknowledged, .acknowledged, .failed, .notSent, .notSent])
        #expect((2..<5).allSatisfy { results["\($0)"]?.error?.code == .quotaExhausted })
        #expect(transport.requests.count == 3)
        let later = try await runUploader(items, ScriptedTransport([Self.createdResponse]))
        #expect(later.values.allSatisfy { $0.status == .acknowledged })
    }

    @Test("An item that waits for a rate limit when the quota is exhausted is not sent again")
    func quotaEndsWaitingItems() async throws {
        var policy = RetryPolicy.withoutDelays
        policy.treats429AsQuota = true
        let transport = ScriptedTransport([ScriptedTransport.rateLimitThenQuota(AtomicCounter())])
        let results = try await runUploader(makeItems("a", "b", "c", "d"), transport, policy: policy) {
            $0.maxConcurrentUploads = 2
        }
        #expect(results.values.allSatisfy { $0.error?.code == .quotaExhausted })
        #expect(results.values.count { $0.status == .failed } == 1)
        #expect(results.values.count { $0.status == .notSent } == 3)
        #expect(transport.requests.count == 2)
    }

    @Test("Only the item that the backend does not accept fails")
    func invalidItemFailsAlone() async throws {
        var items = makeItems("a", "b")
        items[0].mediaType = "text/html"
        let results = try await runUploader(items, ScriptedTransport([Self.createdResponse]))
        #expect(results["0"]?.error?.code == .invalidItem)
        #expect(results["1"]?.status == .acknowledged)
    }

    @Test("An item with an invalid form is an invalid item, because no file was read")
    func invalidFormIsInvalidItem() async throws {
        let version = FileVersion(size: -1, modifiedNanoseconds: 0, changedNanoseconds: 0, inode: 0)
        let items = [
            UploadItem(name: "0", bytes: [1], mediaType: "image/jpeg\r\n", filename: "image.jpg"),
            UploadItem(
                name: "1", path: Array("/missing".utf8), version: version, sha256: "", mediaType: "image/jpeg",
                filename: "image.jpg"),
        ]
        for item in items {
            let error = #expect(throws: CallError.self) { try item.makeMultipartBody(partName: "file", fields: []) }
            #expect(error?.code == .invalidItem)
            #expect(error?.cause is MultipartError)
        }
    }

    @Test("The response is passed on before the acknowledgment is recorded")
    func receiptIsDeliveredBeforeRecording() async throws {
        let transport = ScriptedTransport([Self.createdResponse])
        struct Full: Error {}
        let failed = try await runUploader(
            makeItems("a"), transport, honorsKeys: true, onReceipt: { _, _ in throw Full() })
        #expect(failed["0"]?.error?.code == .journalFailed)
        let kept = Mutex<[String]>([])
        let again = try await runUploader(
            makeItems("a"), transport, honorsKeys: true,
            onReceipt: { _, receipt in
                kept.withLock { $0.append(String(decoding: receipt.responseBody, as: UTF8.self)) }
            })
        // The acknowledgment is recorded nevertheless, because the item must not be sent again.
        #expect(again["0"]?.status == .acknowledged)
        #expect(again["0"]?.isFromEarlierRun == true)
        #expect(kept.withLock { $0 }.isEmpty)
        try await runUploader(
            makeItems("b"), transport,
            onReceipt: { _, receipt in
                kept.withLock { $0.append(String(decoding: receipt.responseBody, as: UTF8.self)) }
            })
        #expect(kept.withLock { $0 } == [#"{"id":17}"#])
    }

    @Test("After cancellation it stops, and a later run sends what was not sent completely")
    func cancellationLeavesUnsentItemsForLaterRun() async throws {
        let transport = ScriptedTransport([ScriptedTransport.status(200, afterDelay: .seconds(60))])
        let task = Task { try await runUploader(makeItems("a", "b", "c", "d", "e", "f"), transport) }
        while transport.requests.count < 4 { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(transport.requests.count == 4)
        let later = try await runUploader(
            makeItems("a", "b", "c", "d", "e", "f"), ScriptedTransport([Self.createdResponse]))
        #expect(later.values.allSatisfy { $0.status == .acknowledged })
    }
}

extension AsyncStream where Element: Sendable {
    /// A sequence of these items.
    init(_ elements: [Element]) {
        self.init { continuation in
            for element in elements { continuation.yield(element) }
            continuation.finish()
        }
    }
}

@Suite("Idempotency keys")
struct UploadKeyTests {
    private let uploadKey = UploadKey(
        endpoint: .testEndpoint, fields: [FormField(name: "b", value: "2"), FormField(name: "a", value: "1")],
        partName: "file")

    @Test("are the same on every machine, and have 43 characters that are valid in any header")
    func keyIsStableAndURLSafe() {
        let key = uploadKey.idempotencyKey(sha256: "00", forcedResendCount: 0, step: "")
        #expect(key == "0dNHa8gkT0CijNTHEiKVKhm9MaCL8LdEHYOmg_SW7QQ")
        #expect(key.utf8.count == 43)
    }

    @Test("do not depend on the order of fields")
    func keyIgnoresFieldOrder() {
        let other = UploadKey(
            endpoint: .testEndpoint, fields: [FormField(name: "a", value: "1"), FormField(name: "b", value: "2")],
            partName: "file")
        #expect(
            other.idempotencyKey(sha256: "00", forcedResendCount: 0, step: "")
                == uploadKey.idempotencyKey(sha256: "00", forcedResendCount: 0, step: ""))
        #expect(other.uploadIdentity(sha256: "00") == uploadKey.uploadIdentity(sha256: "00"))
    }

    @Test("depend on everything else")
    func keyDiffersWithEveryComponent() throws {
        var addresses = [uploadKey, uploadKey, uploadKey, uploadKey]
        addresses[1].partName = "file2"
        addresses[2].fields = [FormField(name: "a", value: "12"), FormField(name: "b", value: "")]
        addresses[3].endpoint = try Endpoint("https://backend.test/uploads")
        var keys = addresses.map { $0.idempotencyKey(sha256: "00", forcedResendCount: 0, step: "") }
        keys += [
            uploadKey.idempotencyKey(sha256: "01", forcedResendCount: 0, step: ""),
            uploadKey.idempotencyKey(sha256: "00", forcedResendCount: 1, step: ""),
            uploadKey.idempotencyKey(sha256: "00", forcedResendCount: 0, step: "x"),
        ]
        #expect(Set(keys).count == keys.count)
    }
}
