/// The transfers under way. Lives on the loop's thread.
struct CurlTransfers {
    let multi: CurlMulti
    let options: CurlTransport.Options
    private var active: [ObjectIdentifier: CurlTransfer] = [:]

    init(multi: CurlMulti, options: CurlTransport.Options) {
        self.multi = multi
        self.options = options
    }

    mutating func start(_ submission: CurlSubmission) {
        guard let transfer = CurlTransfer(submission, options) else {
            let error = TransportError(.outOfResources, "no memory for a transfer")
            submission.continuation.resume(returning: .failure(error))
            return
        }
        guard multi.add(transfer.easy) else {
            transfer.finish(.failure(transfer.error(.outOfResources)))
            return
        }
        active[ObjectIdentifier(transfer.exchange)] = transfer
    }

    /// Moves all of them on, and waits until there is more to do.
    mutating func advance() {
        for transfer in active.values {
            if transfer.isCancelled {
                end(transfer, .failure(transfer.error(.cancelled)))
            } else {
                transfer.release()
            }
        }
        multi.perform()
        while let (exchange, outcome) = multi.nextEnded() {
            guard let transfer = active[ObjectIdentifier(exchange)] else { continue }
            end(transfer, transfer.result(outcome))
        }
        // libcurl doesn't end a transfer that is held, not even when its response is complete: it has to be released, and
        // asks again. 20 ms are what a refusal may be late.
        let holds = active.values.contains { $0.exchange.isHeld }
        multi.wait(milliseconds: holds ? 20 : 60_000)
    }

    private mutating func end(_ transfer: CurlTransfer, _ result: Result<HTTPResponse, TransportError>) {
        active[ObjectIdentifier(transfer.exchange)] = nil
        multi.remove(transfer.easy)
        transfer.finish(result)
    }
}
