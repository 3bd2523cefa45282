#if canImport(Darwin)
    public import Foundation

    // The body is passed to an app's URLSession as a file. A background session accepts only files ("Upload tasks from
    // NSData are not supported in background sessions", Alamofire#740). Unlike a stream, a file has a length and can be
    // sent again.

    extension URLSession {
        /// Returns a suspended task that uploads a form.
        ///
        /// ```swift
        /// let file = URL.cachesDirectory.appending(path: UUID().uuidString)
        /// let task = try session.uploadTask(with: request, form: form, writingTo: file)
        /// task.resume()
        /// // When the delegate is told that the task ended: FileManager.default.removeItem(at: file).
        /// ```
        ///
        /// A `URLSession` resolves names below `localhost` by a name server. Do not use plain http to such a name; use
        /// 127.0.0.1.
        ///
        /// The call blocks on the disk. Call it off the main actor and off the cooperative pool.
        ///
        /// - Parameters:
        ///   - request: The request. Its `Content-Type` header is replaced.
        ///   - form: The body.
        ///   - file: The file to which the whole body is written first. It must not exist yet, must be kept until the
        ///     task ends, and must be removed by the caller.
        /// - Returns: The task, not yet resumed.
        /// - Throws: The errors of ``MultipartForm/write(toFile:)``.
        /// - Complexity: O(*n*) in the length of the body.
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
        /// The message, which `localizedDescription` returns.
        public var errorDescription: String? { message }
    }
#endif
