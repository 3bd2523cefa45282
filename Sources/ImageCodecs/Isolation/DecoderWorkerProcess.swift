// `unsafe`: passes the addresses of arrays to C for the duration of a call.

#if !os(iOS)
    internal import CDecoderProcess
    internal import Synchronization
    internal import SystemSupport

    /// A worker of ``DecoderIsolation``, as its host sees it. It is killed when this object is deinitialized.
    final class DecoderWorkerProcess: Sendable {
        /// The reason for which a worker did not answer.
        enum Failure: Error {
            /// It closed its socket, or the socket failed.
            case ended
            case timedOut
            /// It sent something that is no answer.
            case invalidAnswer
        }

        /// The first bytes that a worker sends. The size of its address space follows.
        static let greeting: [UInt8] = Array("PREPDW02".utf8)
        /// The most time that a worker may take to start.
        private static let startTimeLimit = Duration.seconds(20)
        /// The most time between the closing of a worker's socket and the end of its process.
        static let endGrace = Duration.seconds(2)

        private let worker: prep_worker
        /// The size of the worker's address space at its start, in bytes; 0 if it is not known.
        private let initialAddressSpace: UInt64
        private let isDestroyed = Atomic(false)

        /// Starts a worker.
        ///
        /// - Throws: ``CodecError/Code/decoderUnavailable``.
        init(_ isolation: DecoderIsolation) throws(CodecError) {
            let command = isolation.command
            let texts = command.flatMap { Array($0.utf8CString) }
            var worker = prep_worker()
            let status = unsafe prep_worker_start(isolation.executable, texts, command.count, &worker)
            if status != 0 { throw Self.unavailable(SystemCallError(errnoCode: status).message) }
            self.worker = worker
            let deadline = Self.deadline(after: Self.startTimeLimit)
            var greeting = [UInt8](repeating: 0, count: Self.greeting.count)
            var size: UInt64 = 0
            let greetingStatus = unsafe prep_worker_read(worker, &greeting, greeting.count, deadline)
            let sizeStatus = unsafe prep_worker_read(worker, &size, MemoryLayout.size(ofValue: size), deadline)
            initialAddressSpace = min(size, 1 << 60)
            if greetingStatus == 0 && sizeStatus == 0 && greeting == Self.greeting { return }
            if sizeStatus == prep_worker_timed_out {
                throw Self.unavailable("no greeting within \(Self.startTimeLimit.components.seconds) s")
            }
            throw Self.unavailable(greetingStatus == 0 ? "invalid greeting" : "it \(end(grace: Self.endGrace))")
        }

        deinit { _ = destroy(grace: .zero) }

        private static func unavailable(_ reason: String) -> CodecError {
            CodecError(
                .decoderUnavailable, stage: .decode,
                message: "the process that decodes the image cannot be started: \(reason)")
        }

        /// Whether the process has ended.
        var hasEnded: Bool { prep_worker_has_ended(worker) }

        /// Returns the time after `duration` as ``send(_:deadline:)`` and ``receive(_:deadline:)`` take it.
        static func deadline(after duration: Duration) -> Int64 {
            let (seconds, attoseconds) = duration.components
            // At most a century, so that the sum does not overflow.
            return prep_worker_now() + min(max(seconds, 0), 3_155_760_000) * 1_000_000_000 + attoseconds / 1_000_000_000
        }

        /// Limits the memory that the worker can take from now on, in bytes, in addition to what it took at its start.
        /// Has no effect on systems other than Linux.
        ///
        /// - Throws: ``CodecError/Code/decoderUnavailable`` if Linux does not set the limit.
        func limitMemory(toByteCount count: Int) throws(CodecError) {
            #if os(Linux)
                guard initialAddressSpace > 0 else { throw Self.unavailable("the size of its memory is unknown") }
                let status = prep_worker_limit_memory(worker, initialAddressSpace + UInt64(max(count, 0)))
                if status != 0 {
                    let reason = SystemCallError(errnoCode: status).message
                    throw Self.unavailable("its memory cannot be limited: \(reason)")
                }
            #endif
        }

        func send(_ bytes: [UInt8], deadline: Int64) throws(Failure) {
            try check(unsafe prep_worker_write(worker, bytes, bytes.count, deadline))
        }

        func send(_ numbers: [Int64], deadline: Int64) throws(Failure) {
            try check(unsafe prep_worker_write(worker, numbers, 8 * numbers.count, deadline))
        }

        func receiveNumbers(count: Int, deadline: Int64) throws(Failure) -> [Int64] {
            var numbers = [Int64](repeating: 0, count: count)
            try check(unsafe prep_worker_read(worker, &numbers, 8 * count, deadline))
            return numbers
        }

        func receiveBytes(count: Int, deadline: Int64) throws(Failure) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            try check(unsafe prep_worker_read(worker, &bytes, count, deadline))
            return bytes
        }

        /// Fills `samples`.
        func receive(_ samples: inout ContiguousArray<UInt8>, deadline: Int64) throws(Failure) {
            let count = samples.count
            let status = unsafe samples.withUnsafeMutableBufferPointer { buffer in
                unsafe buffer.baseAddress.map { unsafe prep_worker_read(worker, $0, count, deadline) } ?? 0
            }
            try check(status)
        }

        private func check(_ status: CInt) throws(Failure) {
            if status != 0 { throw status == prep_worker_timed_out ? .timedOut : .ended }
        }

        /// Ends the process, which may take `grace` to end by itself, and describes its end.
        func end(grace: Duration) -> String {
            let end = destroy(grace: grace)
            return end.signal != 0 ? "was ended by signal \(end.signal)" : "ended with status \(end.status)"
        }

        private func destroy(grace: Duration) -> prep_worker_end {
            if isDestroyed.exchange(true, ordering: .relaxed) { return prep_worker_end() }
            return prep_worker_destroy(worker, Self.deadline(after: grace) - prep_worker_now())
        }
    }
#endif
