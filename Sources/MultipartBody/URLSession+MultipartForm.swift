#if canImport(Darwin)
    public import Foundation

    // How an app hands a body to its own URLSession: by a file, which every session takes. One in the background
    // refuses memory ("Upload tasks from NSData are not supported in background sessions", Alamofire#740); and a file
    // has a length, and can be sent again, where a stream can't.

    extension URLSession {
        /// A task that sends a form. It is not yet begun.
        ///
        /// ```swift
        /// let file = URL.cachesDirectory.appending(path: UUID().uuidString)
        /// let task = try session.uploadTask(with: request, form: form, writingTo: file)
        /// task.resume()
        /// // When the delegate is told that the task ended: FileManager.default.removeItem(at: file).
        /// ```
        ///
        /// A session asks a name server for names below `localhost`: refuse plain http to them, or use 127.0.0.1.
        ///
        /// It waits for the disk: call it off the main actor and the cooperative pool.
        ///
        /// - Parameters:
        ///   - request: its `Content-Type` is set here.
        ///   - file: where the whole body is written to first, so that it takes its length in space. It must not exist,
        ///     must last until the task ends, and is the caller's to remove.
        /// - Throws: what `MultipartForm.write(toFile:)` throws.
        public func uploadTask(
            with request: URLRequest, form: MultipartForm, writingTo file: URL
        ) throws(MultipartError) -> URLSessionUploadTask {
            try form.write(toFile: Array(file.path.utf8))
            var request = request
            request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
            return uploadTask(with: request, fromFile: file)
        }
    }

    extension MultipartError: LocalizedError {
        /// The sentence: what `localizedDescription` returns.
        public var errorDescription: String? { message }
    }
#endif
