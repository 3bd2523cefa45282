import HTTPTestSupport
import HTTPTypes
import Synchronization
import Testing
import UploadRecords

@testable import HTTPCalls
@testable import Uploading

@Suite("A batch belongs to the account it began with", .timeLimit(.minutes(20)))
struct AccountBatchTests {
    private let alice = Credentials(account: "alice", token: "a-token")
    private let bob = Credentials(account: "bob", token: "b-token")
    private let journal = InMemoryUploadJournal()

    private func makeItems(_ count: Int) -> [UploadItem] {
        (0..<count).map {
            UploadItem(name: "\($0)", bytes: [UInt8($0)], mediaType: "text/plain", filename: "a.txt")
        }
    }

    /// Uploads items, two at a time, and returns their results in order.
    private func upload(
        _ items: [UploadItem], _ transport: ScriptedTransport, _ session: Session, honorsKeys: Bool = false
    ) async throws -> [UploadResult] {
        var uploader = Uploader(
            destination: PlainDestination(honorsIdempotencyKeys: honorsKeys),
            client: HTTPClient(transport: transport, session: session, retryPolicy: .withoutDelays), journal: journal)
        uploader.maxConcurrentUploads = 2
        let results = Mutex<[String: UploadResult]>([:])
        try await uploader.uploadAll(AsyncStream(items)) { item, result in
            results.withLock { $0[item.name] = result }
        }
        return try items.map { item in try #require(results.withLock { $0[item.name] }) }
    }

    /// Signs Bob in while Alice's first two items are sent, and returns the results and the keys of her batch.
    private func interruptBatch(
        _ items: [UploadItem], isWhole: Bool, honorsKeys: Bool = false
    ) async throws -> (results: [UploadResult], keys: Set<String>) {
        let transport = ScriptedTransport([ScriptedTransport.status(200, afterDelay: .seconds(3600), isWhole: isWhole)])
        let session = Session(alice)
        let batch = Task { try await upload(items, transport, session, honorsKeys: honorsKeys) }
        while transport.requests.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
        try session.signOut()
        try session.signIn(bob)
        let results = try await batch.value
        #expect(transport.requests.map(\.bearerToken?.secret) == ["a-token", "a-token"])
        return (results, transport.idempotencyKeys)
    }

    @Test("after the sign-out, items sent whole are unknown, the rest is not sent, and the next account gets nothing")
    func sentItemsAreUnknown() async throws {
        let items = makeItems(5)
        let results = try await interruptBatch(items, isWhole: true).results
        #expect(results.map(\.status) == [.outcomeUnknown, .outcomeUnknown, .notSent, .notSent, .notSent])
        #expect(results.dropFirst(2).allSatisfy { $0.error?.code == .signedOut && $0.attemptCount == 0 })

        // Bob's equal files are not duplicates of Alice's.
        let transport = ScriptedTransport(200)
        let own = try await upload(items, transport, Session(bob))
        #expect(own.allSatisfy { $0.status == .acknowledged && !$0.isFromEarlierRun })
        #expect(transport.requests.allSatisfy { $0.bearerToken?.secret == "b-token" })

        let later = try await upload(items, transport, Session(alice))
        #expect(
            later.map(\.status) == [.outcomeUnknown, .outcomeUnknown, .acknowledged, .acknowledged, .acknowledged])
        #expect(transport.requests.count == 8)
    }

    @Test("items that were not sent whole are not sent, and a later run of the account sends them")
    func interruptedItemsAreNotSent() async throws {
        let items = makeItems(4)
        let results = try await interruptBatch(items, isWhole: false).results
        #expect(results.allSatisfy { $0.status == .notSent && $0.error?.code == .signedOut })
        let transport = ScriptedTransport(200)
        let later = try await upload(items, transport, Session(alice))
        #expect(later.allSatisfy { $0.status == .acknowledged })
        #expect(transport.requests.count == 4)
    }

    @Test("items sent whole with a key are unknown, and a later run of the account sends them with the same key")
    func keyedItemsAreSentAgain() async throws {
        let items = makeItems(2)
        let (results, keys) = try await interruptBatch(items, isWhole: true, honorsKeys: true)
        #expect(results.map(\.status) == [.outcomeUnknown, .outcomeUnknown])
        for (credentials, hasSameKeys) in [(bob, false), (alice, true)] {
            let transport = ScriptedTransport(200)
            let later = try await upload(items, transport, Session(credentials), honorsKeys: true)
            #expect(later.allSatisfy { $0.status == .acknowledged && !$0.isFromEarlierRun })
            #expect(transport.idempotencyKeys.count == 2)
            #expect((transport.idempotencyKeys == keys) == hasSameKeys)
        }
    }

    @Test("without an account nothing is sent")
    func nothingIsSentWithoutAccount() async throws {
        let transport = ScriptedTransport(200)
        let results = try await upload(makeItems(3), transport, Session())
        #expect(results.allSatisfy { $0.status == .notSent && $0.error?.code == .signedOut })
        #expect(transport.requests.isEmpty)
    }

    @Test("keys of uploads without an account are those of earlier versions, and depend on the account otherwise")
    func keysDependOnAccount() {
        let keys = [nil, "alice", "bob", ""].map { account in
            UploadKey(
                endpoint: .testEndpoint, fields: [FormField(name: "b", value: "2"), FormField(name: "a", value: "1")],
                partName: "file", accountID: account
            ).idempotencyKey(sha256: "00", forcedResendCount: 0, step: "")
        }
        #expect(keys[0] == "0dNHa8gkT0CijNTHEiKVKhm9MaCL8LdEHYOmg_SW7QQ")
        #expect(Set(keys).count == 4)
    }
}
