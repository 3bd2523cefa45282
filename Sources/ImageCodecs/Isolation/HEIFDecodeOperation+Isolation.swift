#if !os(iOS)
    internal import Imaging

    extension HEIFDecodeOperation {
        /// Decodes the planes in a worker.
        ///
        /// - Parameters:
        ///   - isolation: The worker's command line, and its limits.
        ///   - resampling: How to resample.
        ///   - reusedWorkerFailure: The error with which a worker that had decoded other images failed with this one.
        ///     The image is then decoded by a new worker.
        /// - Returns: The image and the colors of its samples before conversion; `nil` if no worker can be started, and
        ///   none is required.
        /// - Throws: ``CodecError/Code/decoderCrashed``, ``CodecError/Code/decoderTimedOut``,
        ///   ``CodecError/Code/decoderUnavailable``, and the errors of decoding.
        func decodePlanes(
            in isolation: DecoderIsolation, resampling: ResampleRequest, after reusedWorkerFailure: CodecError? = nil
        ) throws(CodecError) -> (image: PlanarImage, colors: HEIFColors)? {
            let worker: DecoderWorkerProcess, isReused: Bool
            do throws(CodecError) {
                (worker, isReused) = try DecoderWorkerPool.shared.takeWorker(
                    for: isolation, allowsReuse: reusedWorkerFailure == nil)
                try worker.limitMemory(
                    toByteCount: isolation.memoryLimit ?? estimatedWorkerByteCount(resampling: resampling))
            } catch {
                // An image that may be the cause of a crash is not decoded in this process.
                if let reusedWorkerFailure { throw reusedWorkerFailure }
                if isolation.isRequired { throw error }
                return nil
            }
            let exchange = WorkerExchange(
                worker: worker, deadline: DecoderWorkerProcess.deadline(after: isolation.timeLimit))
            let answer: WorkerExchange.Answer
            do throws(DecoderWorkerProcess.Failure) {
                answer = try exchange.run(
                    DecodeRequest(
                        fileByteCount: file.bytes.count, resampling: resampling, options: options,
                        convertsToSRGB: convertsToSRGB),
                    for: file)
            } catch {
                let failure = Self.failure(error, of: worker, timeLimit: isolation.timeLimit)
                // An earlier image may have damaged the worker, so only the failure of a new one is the verdict.
                if isReused && error != .timedOut {
                    return try decodePlanes(in: isolation, resampling: resampling, after: failure)
                }
                throw failure
            }
            if answer.cpuMilliseconds < DecoderWorker.maxCPUSeconds * 500 {
                DecoderWorkerPool.shared.keep(worker, for: isolation)
            }
            return (try answer.result.get())
        }

        /// An upper bound of the memory that a worker takes for this file, in bytes: copies of the file, four times the
        /// estimate of the decoder's buffers, rows of three full planes, and the result with 16 bits, with 8, and
        /// upright.
        private func estimatedWorkerByteCount(resampling: ResampleRequest) -> Int {
            let rowByteCount = file.header.storedSize.width * file.header.bytesPerSample * 3 * (6 * 64 + 48)
            return 64 << 20 + 4 * file.bytes.count + 4 * file.header.decoderBufferByteCount + rowByteCount
                + 12 * resampling.size.pixelCount
        }

        private static func failure(
            _ failure: DecoderWorkerProcess.Failure, of worker: DecoderWorkerProcess, timeLimit: Duration
        ) -> CodecError {
            // The process ends a moment after its socket is closed. Otherwise it is killed.
            let end = worker.end(grace: failure == .ended ? DecoderWorkerProcess.endGrace : .zero)
            switch failure {
            case .timedOut:
                return CodecError(
                    .decoderTimedOut, stage: .decode,
                    message: "decoding takes too long (at most \(timeLimit.components.seconds) s)")
            case .ended:
                return CodecError(
                    .decoderCrashed, stage: .decode, message: "the process that decodes the image \(end)")
            case .invalidAnswer:
                return CodecError(
                    .decoderCrashed, stage: .decode,
                    message: "the process that decodes the image gave an invalid answer")
            }
        }
    }

    /// One request to a worker, and its answer.
    private struct WorkerExchange {
        struct Answer {
            /// The CPU time that the worker has taken since its start.
            var cpuMilliseconds: Int64
            var result: Result<(image: PlanarImage, colors: HEIFColors), CodecError>
        }

        let worker: DecoderWorkerProcess
        let deadline: Int64

        func run(_ request: DecodeRequest, for file: HEIFFile) throws(DecoderWorkerProcess.Failure) -> Answer {
            try worker.send(request.numbers, deadline: deadline)
            try worker.send(file.bytes, deadline: deadline)
            let numbers = try worker.receiveNumbers(count: DecodeAnswer.numberCount, deadline: deadline)
            guard let answer = DecodeAnswer(numbers: numbers) else { throw .invalidAnswer }
            switch answer {
            case .image(let chroma, let planeCount, let hasOverview, let colors):
                guard planeCount == file.image.configuration.chromaFormat.planeCount else { throw .invalidAnswer }
                let resampling = request.resampling
                let sourceSize = file.header.storedSize
                guard
                    hasOverview
                        ? resampling.isMeasured
                        : !resampling.isMeasured || resampling.reducesLumaToOverview(ofSourceWithSize: sourceSize)
                else { throw .invalidAnswer }
                var image = try receiveImage(size: resampling.size, chroma: chroma, planeCount: planeCount)
                if hasOverview {
                    image.overview = try receivePlane(resampling.overviewSize(ofSourceWithSize: sourceSize))
                }
                return Answer(cpuMilliseconds: numbers[0], result: .success((image, colors)))
            case .error(let codeByteCount, let messageByteCount, let stage, let offset):
                let codeBytes = try worker.receiveBytes(count: codeByteCount, deadline: deadline)
                let message = try worker.receiveBytes(count: messageByteCount, deadline: deadline)
                let code = CodecError.Code(rawValue: String(decoding: codeBytes, as: UTF8.self))
                guard DecodeAnswer.errorCodes.contains(code) else { throw .invalidAnswer }
                let error = CodecError(
                    code, stage: stage, offset: offset, message: String(decoding: message, as: UTF8.self))
                return Answer(cpuMilliseconds: numbers[0], result: .failure(error))
            }
        }

        private func receiveImage(
            size: PixelSize, chroma: ChromaSubsampling, planeCount: Int
        ) throws(DecoderWorkerProcess.Failure) -> PlanarImage {
            var planes: [Plane] = []
            for index in 0..<planeCount {
                planes.append(try receivePlane(DecodeAnswer.planeSize(index, of: size, chroma: chroma)))
            }
            return PlanarImage(size: size, chromaSubsampling: planeCount == 1 ? .none : chroma, planes: planes)
        }

        private func receivePlane(_ size: PixelSize) throws(DecoderWorkerProcess.Failure) -> Plane {
            var plane = Plane(width: size.width, height: size.height)
            try worker.receive(&plane.samples, deadline: deadline)
            return plane
        }
    }
#endif
