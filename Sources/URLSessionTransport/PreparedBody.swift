internal import Dispatch
internal import Foundation
internal import HTTPCalls
internal import MultipartBody

/// A body as `URLSession` takes it: bytes, or a file for a form.
struct PreparedBody {
    enum Content {
        case none
        case bytes(Data)
        /// A temporary file, which the transport removes.
        case file(URL)
    }

    let content: Content
    private let length: Int64

    /// Writing a form blocks a thread, which must not be one of Swift's.
    private static let queue = DispatchQueue(label: "media-prep.form-files", attributes: .concurrent)

    /// Prepares a body. A form is written to a temporary file, because `URLSession` needs its length, and a stream has
    /// none.
    ///
    /// - Throws: ``TransportError/Code/bodySourceFailed`` if the form cannot be read;
    ///   ``TransportError/Code/outOfResources`` if it cannot be written.
    static func prepare(
        _ body: RequestBody, temporaryDirectory: URL?
    ) async throws(TransportError) -> PreparedBody {
        guard case .multipart = body else { return try PreparedBody(body, temporaryDirectory: nil) }
        let result: Result<PreparedBody, TransportError> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(TransportError) in
                        try PreparedBody(body, temporaryDirectory: temporaryDirectory)
                    })
            }
        }
        return try result.get()
    }

    private init(_ body: RequestBody, temporaryDirectory: URL?) throws(TransportError) {
        length = body.contentLength
        switch body {
        case .empty: content = .none
        case .bytes(let bytes, _): content = .bytes(Data(bytes))
        case .multipart(let form):
            let directory = temporaryDirectory ?? FileManager.default.temporaryDirectory
            let file = directory.appending(path: "media-prep-\(UUID().uuidString)")
            do { try form.write(toFile: Array(file.path.utf8)) } catch {
                throw TransportError(
                    code: error.code == .destinationUnwritable ? .outOfResources : .bodySourceFailed,
                    message: error.message,
                    sendProgress: SendProgress(totalBodyBytes: body.contentLength), cause: error)
            }
            content = .file(file)
        }
    }

    /// How much was sent: all of it, or nothing.
    func progress(isSent: Bool) -> SendProgress {
        // A request without a body is sent whole when its head is: one byte stands for that.
        let total = isSent ? length : max(length, 1)
        return SendProgress(bytesSent: isSent ? length : 0, totalBodyBytes: total, attemptCount: 1)
    }

    func removeFile() {
        if case .file(let file) = content { try? FileManager.default.removeItem(at: file) }
    }
}
