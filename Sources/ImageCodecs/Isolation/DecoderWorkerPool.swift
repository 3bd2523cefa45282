#if !os(iOS)
    internal import Synchronization

    /// The idle workers of the process. A worker that decodes an image belongs to the thread that waits for it.
    final class DecoderWorkerPool: Sendable {
        static let shared = DecoderWorkerPool()

        /// The most idle workers of one kind. More are needed only while more images are decoded.
        private static let maxIdleCount = 64

        /// The workers by their command lines. The limits of an isolation are those of each image.
        private let idleWorkers = Mutex<[[String]: [DecoderWorkerProcess]]>([:])

        /// Returns an idle worker, or starts one.
        ///
        /// - Parameters:
        ///   - isolation: The worker's command line.
        ///   - allowsReuse: Whether the worker may have decoded other images.
        /// - Returns: The worker, and whether it has decoded other images.
        /// - Throws: ``CodecError/Code/decoderUnavailable``.
        func takeWorker(
            for isolation: DecoderIsolation, allowsReuse: Bool
        ) throws(CodecError) -> (worker: DecoderWorkerProcess, isReused: Bool) {
            while allowsReuse, let worker = idleWorkers.withLock({ $0[isolation.command]?.popLast() }) {
                // Someone else may have ended it.
                if !worker.hasEnded { return (worker, true) }
            }
            return (try DecoderWorkerProcess(isolation), false)
        }

        /// Keeps a worker that has answered for further images.
        func keep(_ worker: DecoderWorkerProcess, for isolation: DecoderIsolation) {
            let command = isolation.command
            idleWorkers.withLock {
                if $0[command, default: []].count < Self.maxIdleCount { $0[command, default: []].append(worker) }
            }
        }

        /// Ends all idle workers.
        func removeAll() {
            // They are deinitialized outside the lock.
            _ = idleWorkers.withLock { workers in
                let removed = workers
                workers = [:]
                return removed
            }
        }
    }
#endif
