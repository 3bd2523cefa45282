import Foundation
import Ledger
import Synchronization
import Testing

@testable import Uploading
@testable import dev_backend

/// Forms, as a plain endpoint takes them.
private struct Forms: Destination {
    let endpoint: Endpoint
    let honoursKeys: Bool

    func address(of item: UploadItem) -> UploadAddress { UploadAddress(endpoint, fields: item.fields, part: "file") }

    func deliver(
        _ item: UploadItem, to address: UploadAddress, by delivery: Delivery
    ) async throws(UploadError) -> Receipt {
        Receipt(id: nil, response: try await delivery.postForm(to: address.endpoint).body)
    }
}

@Suite("Uploads to a backend that fails")
struct FaultyBackendTests {
    /// Sends distinct items of 20 KB, 8 at a time.
    private func send(
        _ count: Int, honoursKeys: Bool, _ faults: Faults,
        _ check: (DevBackend, [String: UploadResult]) throws -> Void
    ) async throws {
        var options = DevBackendOptions()
        options.honoursKeys = honoursKeys
        options.faults = faults
        try await DevBackend.running(options) { backend in
            let directory = FileManager.default.temporaryDirectory.appending(path: "FaultyBackend-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            let ledger = try Ledger(path: Array(directory.appending(path: "ledger.sqlite").path.utf8))
            defer { try? ledger.close() }
            var uploader = Uploader(
                Forms(endpoint: try Endpoint(backend.url + "/upload"), honoursKeys: honoursKeys),
                HTTPClient(try CurlTransport(), policy: .quick), journal: ledger)
            uploader.uploads = 8
            let items = (0..<count).map { number in
                let bytes = Array("\(number) ".utf8) + [UInt8](repeating: 7, count: 20_000)
                return UploadItem("\(number)", bytes, type: "application/octet-stream", filename: "data.bin")
            }
            let results = Mutex<[String: UploadResult]>([:])
            try await uploader.run(AsyncStream(items)) { item, result in
                results.withLock { $0[item.sha256] = result }
            }
            try check(backend, results.withLock { $0 })
        }
    }

    private var many: Faults {
        var faults = Faults()
        (faults.errorRate, faults.resetRate, faults.dropRate, faults.busyRate) = (0.1, 0.05, 0.05, 0.01)
        faults.retryAfter = .seconds(0)
        return faults
    }

    @Test("One that honours keys holds each item once, and every item is acknowledged")
    func keys() async throws {
        try await send(200, honoursKeys: true, many) { backend, results in
            let held = try backend.items().flatMap { $0.files.map(\.sha256) }
            #expect(held.count == 200)
            #expect(Set(held) == Set(results.keys))
            #expect(results.values.allSatisfy { $0.status == .acknowledged })
            // The faults were really made.
            #expect(backend.faultCounts.drops > 0 && backend.faultCounts.resets > 0 && backend.faultCounts.errors > 0)
        }
    }

    @Test("One that doesn't holds no item twice, and what it dropped after taking it is outcome-unknown")
    func noKeys() async throws {
        try await send(200, honoursKeys: false, many) { backend, results in
            let held = try backend.items().flatMap { $0.files.map(\.sha256) }
            #expect(held.count == Set(held).count)
            #expect(!backend.droppedItems.isEmpty)
            #expect(backend.droppedItems.allSatisfy { results[$0]?.status == .unknown })
            for (digest, result) in results {
                if result.status == .acknowledged { #expect(held.contains(digest)) }
                if result.status == .failed { #expect(!held.contains(digest)) }
            }
        }
    }

    @Test("A refusal for size is told as such, however the server hangs up", arguments: [false, true], [0, 10_000])
    func tooLarge(isAbrupt: Bool, after: Int) async throws {
        var faults = Faults()
        faults.tooLarge = .init(limit: 10_000, readBytes: after, isAbrupt: isAbrupt)
        try await send(5, honoursKeys: false, faults) { backend, results in
            let items = try backend.items()
            #expect(items.isEmpty)
            #expect(results.values.allSatisfy { $0.status == .failed && $0.error?.code == .tooLarge })
            // A reset can overtake the response on its way (RFC 9112, section 9.6): then the request is sent again.
            #expect(isAbrupt ? (5...50).contains(backend.requestCount) : backend.requestCount == 5)
        }
    }

    @Test(
        "A connection that died while nobody used it costs nothing",
        arguments: [Faults.KeepAlive.closed, .resetOnReuse])
    func keepAlive(_ keepAlive: Faults.KeepAlive) async throws {
        var faults = Faults()
        faults.keepAlive = keepAlive
        try await send(20, honoursKeys: true, faults) { backend, results in
            let items = try backend.items()
            #expect(items.count == 20)
            #expect(results.values.allSatisfy { $0.status == .acknowledged })
        }
    }
}
