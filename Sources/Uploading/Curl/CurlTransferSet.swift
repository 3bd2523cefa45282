internal import HTTPCalls

/// The transfers in progress. Used only on the event loop's thread.
struct CurlTransferSet {
    let curlMultiHandle: CurlMultiHandle
    let options: CurlTransport.Options
    private var activeTransfers: [ObjectIdentifier: CurlTransfer] = [:]

    init(curlMultiHandle: CurlMultiHandle, options: CurlTransport.Options) {
        self.curlMultiHandle = curlMultiHandle
        self.options = options
    }

    mutating func startTransfer(_ submission: CurlSubmission) {
        guard let transfer = CurlTransfer(submission: submission, options: options) else {
            let error = TransportError(code: .outOfResources, message: "not enough memory for a transfer")
            submission.continuation.resume(returning: .failure(error))
            return
        }
        guard curlMultiHandle.addTransfer(transfer.curlEasyHandle) else {
            transfer.complete(with: .failure(transfer.transportError(code: .outOfResources)))
            return
        }
        activeTransfers[ObjectIdentifier(transfer.callbackContext)] = transfer
    }

    /// Runs all transfers as far as possible, then waits until there is more to do.
    mutating func performAndWait() {
        for transfer in activeTransfers.values {
            if transfer.isCancelled {
                finish(transfer, with: .failure(transfer.transportError(code: .cancelled)))
            } else {
                transfer.resumeIfPaused()
            }
        }
        curlMultiHandle.performTransfers()
        while let (callbackContext, outcome) = curlMultiHandle.nextFinishedTransfer() {
            guard let transfer = activeTransfers[ObjectIdentifier(callbackContext)] else { continue }
            finish(transfer, with: transfer.transferResult(for: outcome))
        }
        // libcurl does not end a paused transfer, even if its response is complete. Such a transfer is therefore
        // resumed after each wait and pauses again, which delays an error response by up to 20 ms.
        let hasPausedTransfer = activeTransfers.values.contains { $0.callbackContext.isPaused }
        curlMultiHandle.waitForActivity(milliseconds: hasPausedTransfer ? 20 : 60_000)
    }

    private mutating func finish(_ transfer: CurlTransfer, with result: Result<TransportResponse, TransportError>) {
        activeTransfers[ObjectIdentifier(transfer.callbackContext)] = nil
        curlMultiHandle.removeTransfer(transfer.curlEasyHandle)
        transfer.complete(with: result)
    }
}
