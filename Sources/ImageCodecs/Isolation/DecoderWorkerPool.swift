#if !os(iOS)
    internal import Synchronization

    /// The idle workers of the process. A worker that decodes an image belongs to the thread that waits for it.
    final class DecoderWorkerPool: Sendable {
        static let shared = DecoderWorkerPool()

        /// The most idle workers of one kind. More are needed only while more images are decoded.
        private static let maxIdleCount = 64

        private let idleWorkers = Mutex<[DecoderIsolation: [DecoderWorkerProcess]]>([:])

        /// Returns an idle worker, or starts one.
        ///
        /// - Throws: ``CodecError/Code/decoderUnavailable``.
        func takeWorker(for isolation: DecoderIsolation) throws(CodecError) -> DecoderWorkerProcess {
            while let worker = idleWorkers.withLock({ $0[isolation]?.popLast() }) {
                // Someone else may have ended it.
                if !worker.hasEnded { return worker }
            }
            return try DecoderWorkerProcess(isolation)
        }

        /// Keeps a worker that has answered for further images.
        func keep(_ worker: DecoderWorkerProcess, for isolation: DecoderIsolation) {
            idleWorkers.withLock {
                if $0[isolation, default: []].count < Self.maxIdleCount { $0[isolation, default: []].append(worker) }
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
