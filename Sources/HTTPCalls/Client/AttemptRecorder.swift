/// Records the attempts of a request, so that another run knows what the server may have received.
package protocol AttemptRecorder: Sendable {
    /// Records that an attempt is about to start.
    ///
    /// - Throws: An error if the attempt must not be made.
    func recordAttemptStart() async throws(CallError)

    /// Remembers that the outcome of the current attempt is unknown.
    func markUncertain()

    /// Records that the request waits to be sent again.
    ///
    /// - Throws: An error if the request must not be sent again.
    func recordWaitForRetry() async throws(CallError)
}
