import Foundation
import Ledger
import MultipartBody
import Synchronization
import Testing
import Uploading
import UploadRecords

extension Endpoint {
    static let test: Endpoint = {
        do { return try Endpoint("https://backend.test/v1") } catch { fatalError("\(error)") }
    }()
}

/// What no error, result or description may show.
let secret = "s3cret-token"

/// Gives the token that it has.
final class MutableTokenProvider: TokenProvider {
    private let current: Mutex<BearerToken?>

    init(_ token: BearerToken?) { current = Mutex(token) }

    /// From now on.
    func setToken(_ token: BearerToken) { current.withLock { $0 = token } }

    func token(replacing refused: BearerToken?) -> BearerToken? { current.withLock { $0 } }
}

extension RetryPolicy {
    /// This one, so quick that no test waits.
    var hurried: RetryPolicy {
        var policy = self
        policy.maxAttempts = 3
        policy.initialRetryDelayLimit = .milliseconds(1)
        policy.maxRetryDelay = .milliseconds(4)
        return policy
    }
}

extension HTTPClient {
    convenience init(stub: StubTransport, policy: RetryPolicy = RetryPolicy()) {
        self.init(
            transport: stub, tokenProvider: MutableTokenProvider(BearerToken(secret)), retryPolicy: policy.hurried)
    }
}

extension UploadItem {
    /// A picture, as far as a stub can tell.
    static func makeImage(_ text: String = "JPEG", fields: [FormField] = []) -> UploadItem {
        UploadItem(
            name: "patient-17.jpg", bytes: Array(text.utf8), mediaType: "image/jpeg", filename: "image.jpg",
            fields: fields)
    }

    /// A recording, as far as a stub can tell.
    static func makeAudio(_ text: String = "SOUND", pet: String? = "Pet1", duration: Double? = 12.5) -> UploadItem {
        UploadItem(
            name: "rex.m4a", bytes: Array(text.utf8), mediaType: "audio/mp4", filename: "recording.m4a",
            durationSeconds: duration,
            fields: pet.map { [FormField(name: "pet_id", value: $0)] } ?? [])
    }
}

/// The error that `body` throws.
func uploadError(
    _ body: () async throws(UploadError) -> some Any, at location: SourceLocation = #_sourceLocation
) async -> UploadError? {
    do throws(UploadError) {
        _ = try await body()
        Issue.record("nothing was thrown", sourceLocation: location)
        return nil
    } catch {
        return error
    }
}

/// A ledger in a directory of its own, which is removed with this object, and runs that record in it.
final class UploadHarness: Sendable {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "BackendsTests-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// One run, as a process of its own would do it.
    ///
    /// - Returns: the results in the order of the items, and the receipts as they came.
    func upload(
        _ items: [UploadItem], to destination: any UploadDestination, _ client: HTTPClient, uploads: Int = 1,
        retriesUnknown: Bool = false
    ) async throws -> (results: [UploadResult], receipts: [UploadReceipt]) {
        let ledger = try LedgerDatabase(path: Array(directory.appending(path: "ledger.sqlite").path.utf8))
        defer { try? ledger.close() }
        var uploader = Uploader(destination: destination, client: client, journal: ledger)
        uploader.maxConcurrentUploads = uploads
        uploader.retriesUnconfirmed = retriesUnknown
        let results = Mutex<[Int: UploadResult]>([:])
        let receipts = Mutex<[UploadReceipt]>([])
        let stream = AsyncStream { continuation in
            for (place, item) in items.enumerated() { continuation.yield(Placed(place: place, uploadItem: item)) }
            continuation.finish()
        }
        try await uploader.uploadAll(stream, onReceipt: { _, receipt in receipts.withLock { $0.append(receipt) } }) {
            source, result in
            results.withLock { $0[source.place] = result }
        }
        let all = results.withLock { $0 }
        return (try items.indices.map { try #require(all[$0]) }, receipts.withLock { $0 })
    }

    /// Records what a run would have recorded.
    func keep(_ record: UploadRecord) async throws {
        let ledger = try LedgerDatabase(path: Array(directory.appending(path: "ledger.sqlite").path.utf8))
        try await ledger.saveUpload(record)
        try ledger.close()
    }

    private struct Placed: UploadItemConvertible {
        var place: Int
        var uploadItem: UploadItem
    }
}
