/// The transfers under way. Lives on the loop's thread.
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
            let error = TransportError(code: .outOfResources, message: "no memory for a transfer")
            submission.continuation.resume(returning: .failure(error))
            return
        }
        guard curlMultiHandle.addTransfer(transfer.curlEasyHandle) else {
            transfer.complete(with: .failure(transfer.transportError(code: .outOfResources)))
            return
        }
        activeTransfers[ObjectIdentifier(transfer.callbackContext)] = transfer
    }

    /// Moves all of them on, and waits until there is more to do.
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
        // libcurl doesn't end a transfer that is held, not even when its response is complete: it has to be released,
        // and asks again. 20 ms are what a refusal may be late.
        let hasPausedTransfer = activeTransfers.values.contains { $0.callbackContext.isPaused }
        curlMultiHandle.waitForActivity(milliseconds: hasPausedTransfer ? 20 : 60_000)
    }

    private mutating func finish(_ transfer: CurlTransfer, with result: Result<HTTPResponse, TransportError>) {
        activeTransfers[ObjectIdentifier(transfer.callbackContext)] = nil
        curlMultiHandle.removeTransfer(transfer.curlEasyHandle)
        transfer.complete(with: result)
    }
}
