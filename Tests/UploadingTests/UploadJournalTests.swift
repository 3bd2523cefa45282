import HTTPTestSupport
import Foundation
import MultipartBody
import Synchronization
import Testing
import UploadRecords

@testable import HTTPCalls
@testable import Uploading

/// A journal that cannot be read, or cannot be written.
private struct FailingJournal: UploadJournal {
    struct Failure: Error {}
    var isReadable: Bool

    func uploadRecord(identity: [UInt8]) async throws -> UploadRecord? {
        if !isReadable { throw Failure() }
        return nil
    }

    func saveUpload(_ record: UploadRecord) async throws { throw Failure() }
}

@Suite("A journal records the state of uploads")
struct UploadJournalTests {
    private let item = UploadItem(name: "a", bytes: [1], mediaType: "text/plain", filename: "a.txt")

    private func run(_ uploader: Uploader) async throws -> UploadResult? {
        let results = Mutex<[UploadResult]>([])
        let items = AsyncStream { continuation in
            continuation.yield(item)
            continuation.finish()
        }
        try await uploader.uploadAll(items) { _, result in results.withLock { $0.append(result) } }
        return results.withLock { $0.first }
    }

    private func makeUploader(_ transport: ScriptedTransport, journal: (any UploadJournal)? = nil) -> Uploader {
        let client = HTTPClient(transport: transport, retryPolicy: .withoutDelays)
        return journal.map { Uploader(destination: PlainDestination(), client: client, journal: $0) }
            ?? Uploader(destination: PlainDestination(), client: client)
    }

    @Test("Without a journal of its own, an uploader sends an item once as long as it lives")
    func defaultJournalLivesWithTheUploader() async throws {
        let transport = ScriptedTransport(201)
        let uploader = makeUploader(transport)
        #expect(try await run(uploader)?.isFromEarlierRun == false)
        #expect(try await run(uploader)?.isFromEarlierRun == true)
        #expect(transport.requests.count == 1)
        _ = try await run(makeUploader(transport))
        #expect(transport.requests.count == 2)
    }

    @Test("Uploaders share a journal")
    func journalIsShared() async throws {
        let transport = ScriptedTransport(201), journal = InMemoryUploadJournal()
        for _ in 0..<3 { #expect(try await run(makeUploader(transport, journal: journal))?.status == .acknowledged) }
        #expect(transport.requests.count == 1)
    }

    @Test("Nothing is sent if the journal fails", arguments: [true, false])
    func failingJournalPreventsSending(isReadable: Bool) async throws {
        let transport = ScriptedTransport(201)
        let result = try await run(makeUploader(transport, journal: FailingJournal(isReadable: isReadable)))
        #expect(result?.error?.code == .journalFailed)
        #expect(transport.requests.isEmpty)
    }
}
