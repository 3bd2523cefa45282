import HTTPTestSupport
import Foundation
import HTTPCalls
import Ledger
import MultipartBody
import Synchronization
import Testing
import Uploading
import UploadRecords

extension UploadItem {
    /// An item with the media type of an image.
    static func makeImage(_ text: String = "JPEG", fields: [FormField] = []) -> UploadItem {
        UploadItem(
            name: "patient-17.jpg", bytes: Array(text.utf8), mediaType: "image/jpeg", filename: "image.jpg",
            fields: fields)
    }

    /// An item with the media type of audio.
    static func makeAudio(_ text: String = "SOUND", pet: String? = "Pet1", duration: Double? = 12.5) -> UploadItem {
        UploadItem(
            name: "rex.m4a", bytes: Array(text.utf8), mediaType: "audio/mp4", filename: "recording.m4a",
            durationSeconds: duration,
            fields: pet.map { [FormField(name: "pet_id", value: $0)] } ?? [])
    }
}

/// A ledger in a temporary directory, and runs that record uploads in it. The directory is removed with this object.
final class UploadHarness: Sendable {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "BackendsTests-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Performs one run, as a separate process would.
    ///
    /// - Returns: the results in the order of the items, and the receipts in the order of their arrival.
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

    /// Records an upload as a run does.
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
