import HTTPTestSupport
import Foundation
import Ledger
import Synchronization
import Testing

@testable import dev_backend
@testable import HTTPCalls
@testable import Uploading

/// Sends items as forms to a plain endpoint.
private struct FormDestination: UploadDestination {
    let endpoint: Endpoint
    let honorsIdempotencyKeys: Bool

    func uploadKey(for item: UploadItem) -> UploadKey {
        UploadKey(endpoint: endpoint, fields: item.fields, partName: "file")
    }

    func upload(
        _ item: UploadItem, uploadKey address: UploadKey, session delivery: UploadSession
    ) async throws(CallError) -> UploadReceipt {
        UploadReceipt(serverID: nil, response: try await delivery.postItemForm(to: address.endpoint))
    }
}

@Suite("Uploads to a backend that fails")
struct FaultyBackendTests {
    /// Sends distinct items of 20 KB, 8 at a time.
    private func sendItems(
        _ count: Int, honorsKeys: Bool, _ faults: FaultConfiguration,
        _ check: (DevBackend, [String: UploadResult]) throws -> Void
    ) async throws {
        var options = DevBackendOptions()
        options.honorsIdempotencyKeys = honorsKeys
        options.faults = faults
        try await DevBackend.withRunningBackend(options: options) { backend in
            let directory = FileManager.default.temporaryDirectory.appending(path: "FaultyBackend-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            let ledger = try LedgerDatabase(path: Array(directory.appending(path: "ledger.sqlite").path.utf8))
            defer { try? ledger.close() }
            var uploader = Uploader(
                destination: FormDestination(
                    endpoint: try Endpoint(backend.url + "/upload"), honorsIdempotencyKeys: honorsKeys),
                client: HTTPClient(transport: try CurlTransport(), retryPolicy: .withoutDelays), journal: ledger)
            uploader.maxConcurrentUploads = 8
            let items = (0..<count).map { number in
                let bytes = Array("\(number) ".utf8) + [UInt8](repeating: 7, count: 20_000)
                return UploadItem(
                    name: "\(number)", bytes: bytes, mediaType: "application/octet-stream", filename: "data.bin")
            }
            let results = Mutex<[String: UploadResult]>([:])
            try await uploader.uploadAll(AsyncStream(items)) { item, result in
                results.withLock { $0[item.sha256] = result }
            }
            try check(backend, results.withLock { $0 })
        }
    }

    private var frequentFaults: FaultConfiguration {
        var faults = FaultConfiguration()
        (faults.errorRate, faults.resetRate, faults.dropRate, faults.rateLimitBurstRate) = (0.1, 0.05, 0.05, 0.01)
        faults.retryAfter = .seconds(0)
        return faults
    }

    @Test("A backend that honors keys stores each item once, and every item is acknowledged")
    func keyedBackendStoresEachItemOnce() async throws {
        try await sendItems(200, honorsKeys: true, frequentFaults) { backend, results in
            let held = try backend.storedForms().flatMap { $0.files.map(\.sha256) }
            #expect(held.count == 200)
            #expect(Set(held) == Set(results.keys))
            #expect(results.values.allSatisfy { $0.status == .acknowledged })
            // The faults were injected.
            #expect(
                backend.faultCounts.droppedResponses > 0 && backend.faultCounts.connectionResets > 0
                    && backend.faultCounts.errorResponses > 0)
        }
    }

    @Test("A backend that ignores keys stores no item twice, and dropped responses are outcome-unknown")
    func unkeyedBackendStoresNoItemTwice() async throws {
        try await sendItems(200, honorsKeys: false, frequentFaults) { backend, results in
            let held = try backend.storedForms().flatMap { $0.files.map(\.sha256) }
            #expect(held.count == Set(held).count)
            #expect(!backend.droppedFileDigests.isEmpty)
            #expect(backend.droppedFileDigests.allSatisfy { results[$0]?.status == .outcomeUnknown })
            for (digest, result) in results {
                if result.status == .acknowledged { #expect(held.contains(digest)) }
                if result.status == .failed { #expect(!held.contains(digest)) }
            }
        }
    }

    @Test(
        "A rejection for size is reported as such, however the server closes", arguments: [false, true], [0, 10_000])
    func tooLargeResponseIsReported(isAbrupt: Bool, after: Int) async throws {
        var faults = FaultConfiguration()
        faults.bodySizeLimit = .init(maxBodyBytes: 10_000, bytesReadBeforeResponse: after, resetsConnection: isAbrupt)
        try await sendItems(5, honorsKeys: false, faults) { backend, results in
            let items = try backend.storedForms()
            #expect(items.isEmpty)
            #expect(results.values.allSatisfy { $0.status == .failed && $0.error?.code == .contentTooLarge })
            // A reset can overtake the response (RFC 9112, section 9.6). Then the request is sent again.
            #expect(isAbrupt ? (5...50).contains(backend.requestCount) : backend.requestCount == 5)
        }
    }

    @Test(
        "A connection that was closed while idle does not count as an attempt",
        arguments: [FaultConfiguration.KeepAliveBehavior.closeAfterResponse, .resetOnReuse])
    func deadKeepAliveConnectionIsReplaced(_ keepAlive: FaultConfiguration.KeepAliveBehavior) async throws {
        var faults = FaultConfiguration()
        faults.keepAliveBehavior = keepAlive
        try await sendItems(20, honorsKeys: true, faults) { backend, results in
            let items = try backend.storedForms()
            #expect(items.count == 20)
            #expect(results.values.allSatisfy { $0.status == .acknowledged })
        }
    }
}
