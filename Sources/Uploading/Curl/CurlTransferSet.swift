internal import HTTPCalls

/// The transfers in progress, and the submissions that wait for one of them to end. Used only on the event loop's
/// thread.
struct CurlTransferSet {
    let curlMultiHandle: CurlMultiHandle
    let options: CurlTransport.Options
    private var activeTransfers: [ObjectIdentifier: CurlTransfer] = [:]
    /// The submissions that wait, from `nextWaiting` on.
    private var waiting: [CurlSubmission] = []
    private var nextWaiting = 0

    init(curlMultiHandle: CurlMultiHandle, options: CurlTransport.Options) {
        self.curlMultiHandle = curlMultiHandle
        self.options = options
    }

    mutating func add(_ submissions: [CurlSubmission]) {
        for submission in submissions {
            // A task that was cancelled before it submitted its request is not noted again.
            if submission.isCancelled {
                submission.completeUnsent(code: .cancelled)
            } else {
                waiting.append(submission)
            }
        }
        startWaiting()
    }

    /// Ends the transfers, and the submissions that wait, of tasks that were cancelled.
    mutating func removeCancelled() {
        for transfer in activeTransfers.values where transfer.isCancelled {
            finish(transfer, with: .failure(transfer.transportError(code: .cancelled)))
        }
        let left = waiting[nextWaiting...]
        (waiting, nextWaiting) = ([], 0)
        for submission in left {
            if submission.isCancelled {
                submission.completeUnsent(code: .cancelled)
            } else {
                waiting.append(submission)
            }
        }
        startWaiting()
    }

    /// Runs all transfers as far as possible, then waits until there is more to do.
    mutating func performAndWait() {
        for transfer in activeTransfers.values { transfer.resumeIfPaused() }
        curlMultiHandle.performTransfers()
        while let (callbackContext, outcome) = curlMultiHandle.nextFinishedTransfer() {
            guard let transfer = activeTransfers[ObjectIdentifier(callbackContext)] else { continue }
            finish(transfer, with: transfer.transferResult(for: outcome))
        }
        startWaiting()
        // libcurl does not end a paused transfer, even if its response is complete. Such a transfer is therefore
        // resumed after each wait and pauses again, which delays an error response by up to 20 ms.
        let hasPausedTransfer = activeTransfers.values.contains { $0.callbackContext.isPaused }
        curlMultiHandle.waitForActivity(milliseconds: hasPausedTransfer ? 20 : 60_000)
    }

    private mutating func startWaiting() {
        while activeTransfers.count < max(1, options.maxConcurrentRequests), nextWaiting < waiting.count {
            startTransfer(waiting[nextWaiting])
            nextWaiting += 1
        }
        // The array is shortened when at least half of it was started, so that each submission is moved once.
        if nextWaiting * 2 >= waiting.count {
            waiting.removeFirst(nextWaiting)
            nextWaiting = 0
        }
    }

    private mutating func startTransfer(_ submission: CurlSubmission) {
        guard let transfer = CurlTransfer(submission: submission, options: options) else {
            return submission.completeUnsent(code: .outOfResources)
        }
        guard curlMultiHandle.addTransfer(transfer.curlEasyHandle) else {
            transfer.complete(with: .failure(transfer.transportError(code: .outOfResources)))
            return
        }
        activeTransfers[ObjectIdentifier(transfer.callbackContext)] = transfer
    }

    private mutating func finish(_ transfer: CurlTransfer, with result: Result<TransportResponse, TransportError>) {
        activeTransfers[ObjectIdentifier(transfer.callbackContext)] = nil
        curlMultiHandle.removeTransfer(transfer.curlEasyHandle)
        transfer.complete(with: result)
    }
}
