#if !os(iOS)
    internal import Imaging

    extension HEIFDecodeOperation {
        /// Decodes the planes in a worker.
        ///
        /// - Returns: The image and the colors of its samples before conversion; `nil` if no worker can be started, and
        ///   none is required.
        /// - Throws: ``CodecError/Code/decoderCrashed``, ``CodecError/Code/decoderTimedOut``,
        ///   ``CodecError/Code/decoderUnavailable``, and the errors of decoding.
        func decodePlanes(
            in isolation: DecoderIsolation, resampling: ResampleRequest
        ) throws(CodecError) -> (image: PlanarImage, colors: HEIFColors)? {
            let worker: DecoderWorkerProcess
            do throws(CodecError) {
                worker = try DecoderWorkerPool.shared.takeWorker(for: isolation)
            } catch {
                if isolation.isRequired { throw error }
                return nil
            }
            worker.limitMemory(toByteCount: isolation.memoryLimit ?? estimatedWorkerByteCount(resampling: resampling))
            let exchange = WorkerExchange(
                worker: worker, deadline: DecoderWorkerProcess.deadline(after: isolation.timeLimit))
            let answer: WorkerExchange.Answer
            do throws(DecoderWorkerProcess.Failure) {
                answer = try exchange.run(
                    DecodeRequest(
                        fileByteCount: file.bytes.count, resampling: resampling, options: options,
                        convertsToSRGB: convertsToSRGB),
                    bytes: file.bytes, sourceSize: file.header.storedSize)
            } catch {
                throw Self.failure(error, of: worker, timeLimit: isolation.timeLimit)
            }
            if answer.cpuMilliseconds < DecoderWorker.maxCPUSeconds * 500 {
                DecoderWorkerPool.shared.keep(worker, for: isolation)
            }
            return (try answer.result.get())
        }

        /// An upper bound of the memory that a worker takes for this file, in bytes: copies of the file, four times the
        /// estimate of the decoder's buffers, rows of three full planes, and the result, stored and upright.
        private func estimatedWorkerByteCount(resampling: ResampleRequest) -> Int {
            let rowByteCount = file.header.storedSize.width * 3 * (6 * 64 + 48)
            return 64 << 20 + 4 * file.bytes.count + 4 * file.header.decoderBufferByteCount + rowByteCount
                + 8 * resampling.size.pixelCount
        }

        private static func failure(
            _ failure: DecoderWorkerProcess.Failure, of worker: DecoderWorkerProcess, timeLimit: Duration
        ) -> CodecError {
            switch failure {
            case .timedOut:
                return CodecError(
                    .decoderTimedOut, stage: .decode,
                    message: "decoding takes more than the \(timeLimit.components.seconds) s allowed")
            case .ended:
                // The socket is closed a moment before the process can be waited for.
                return CodecError(
                    .decoderCrashed, stage: .decode,
                    message: "the process that decodes the image \(worker.end(grace: .seconds(2)))")
            case .invalidAnswer:
                return CodecError(
                    .decoderCrashed, stage: .decode, message: "the process that decodes the image gave no valid answer")
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

        func run(
            _ request: DecodeRequest, bytes: [UInt8], sourceSize: PixelSize
        ) throws(DecoderWorkerProcess.Failure) -> Answer {
            try worker.send(request.numbers, deadline: deadline)
            try worker.send(bytes, deadline: deadline)
            let numbers = try worker.receiveNumbers(count: DecodeAnswer.numberCount, deadline: deadline)
            guard let answer = DecodeAnswer(numbers: numbers) else { throw .invalidAnswer }
            switch answer {
            case .image(let chroma, let planeCount, let colors):
                var image = try receiveImage(size: request.resampling.size, chroma: chroma, planeCount: planeCount)
                if request.resampling.makesOverview {
                    image.overview = try receivePlane(request.resampling.overviewSize(ofSourceWithSize: sourceSize))
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
