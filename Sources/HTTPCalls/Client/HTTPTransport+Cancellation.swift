extension HTTPTransport {
    /// Sends a request that may go on for a time after its task is cancelled.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - time: The time. If it is 0, or the task is cancelled already, the request ends at once.
    /// - Returns: The complete response.
    /// - Throws: The errors of ``send(_:)``.
    func send(
        _ request: TransportRequest, continuingAfterCancellationFor time: Duration
    ) async throws(TransportError) -> TransportResponse {
        if time <= .zero || Task.isCancelled { return try await send(request) }
        let task = Task {
            do throws(TransportError) {
                return Result<TransportResponse, TransportError>.success(try await send(request))
            } catch {
                return .failure(error)
            }
        }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            Task {
                try? await Task.sleep(for: time)
                task.cancel()
            }
        }
        return try result.get()
    }
}
