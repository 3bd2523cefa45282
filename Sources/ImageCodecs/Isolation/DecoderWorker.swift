// `unsafe`: passes the addresses of arrays to C for the duration of a call.

#if !os(iOS)
    internal import CDecoderProcess
    internal import Imaging

    #if HEIF
        internal import CHEIFShim
    #endif
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Darwin)
        internal import Darwin
    #endif

    /// The worker of a ``DecoderIsolation``.
    public enum DecoderWorker {
        /// Decodes the images that the host sends until the host ends. An executable that is a worker calls this before
        /// it does anything else, and before it has a second thread.
        ///
        /// If descriptor 0 is not the socket of a host, the process prints an error and exits with status 64.
        public static func run() -> Never {
            guard prep_worker_has_socket() else {
                let message = Array("\(internalUseMessage)\n".utf8)
                _ = unsafe write(2, message, message.count)
                exit(64)
            }
            // Libraries cannot be loaded later.
            #if HEIF
                _ = prep_heif_is_available(PREP_HEIF_HEVC)
                _ = prep_heif_is_available(PREP_HEIF_AV1)
            #endif
            let addressSpace = prep_worker_address_space()
            guard prep_worker_confine(UInt64(maxCPUSeconds)) == 0 else { exit(1) }
            guard send(DecoderWorkerProcess.greeting), send([Int64(clamping: addressSpace)]) else { exit(0) }
            while let request = receiveRequest() {
                guard let bytes = receiveBytes(count: request.fileByteCount) else { break }
                prep_worker_begin_work()
                let isAnswered = answer(request, bytes: bytes)
                prep_worker_finish_work()
                if !isAnswered { break }
            }
            exit(0)
        }

        private static let internalUseMessage =
            "decode-worker is for internal use: standard input is not the socket of a host"

        /// The most CPU time of a worker. The host limits the time of each image, and replaces a worker after half of
        /// this time; the limit is for a worker whose host has ended.
        static let maxCPUSeconds = 3600

        private static func receiveRequest() -> DecodeRequest? {
            var numbers = [Int64](repeating: 0, count: DecodeRequest.numberCount)
            guard unsafe prep_worker_receive(&numbers, 8 * numbers.count) else { return nil }
            return DecodeRequest(numbers: numbers)
        }

        private static func receiveBytes(count: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: count)
            return unsafe prep_worker_receive(&bytes, count) ? bytes : nil
        }

        /// Decodes a file and sends the answer. Returns `false` if the host has ended.
        private static func answer(_ request: DecodeRequest, bytes: [UInt8]) -> Bool {
            do throws(CodecError) {
                let (image, colors) = try decode(request, bytes: bytes)
                let answer = DecodeAnswer.image(
                    chromaSubsampling: image.chromaSubsampling, planeCount: image.planes.count,
                    hasOverview: image.overview != nil, colors: colors)
                defer { for plane in image.planes { SampleBufferPool.shared.recycle(plane.samples) } }
                return send(answer.numbers(cpuMilliseconds: prep_worker_cpu_milliseconds()))
                    && image.planes.allSatisfy { send($0.samples) }
                    && image.overview.map { send($0.samples) } ?? true
            } catch {
                let answer = DecodeAnswer(error)
                let texts = Array(error.code.rawValue.utf8) + error.message.utf8
                guard case .error(let codeByteCount, let messageByteCount, _, _) = answer else { return false }
                return send(answer.numbers(cpuMilliseconds: prep_worker_cpu_milliseconds()))
                    && send(Array(texts.prefix(codeByteCount + messageByteCount)))
            }
        }

        private static func decode(
            _ request: DecodeRequest, bytes: [UInt8]
        ) throws(CodecError) -> (PlanarImage, HEIFColors) {
            var parser = ImageFileParser(limits: request.limits)
            guard case .heif(let file) = try parser.parseFile(bytes) else {
                throw CodecError(.damaged, stage: .probe, message: "the file is not HEIC or AVIF")
            }
            return try HEIFDecodeOperation.decodePlanes(
                of: file, resampling: request.resampling, background: request.background,
                convertsToSRGB: request.convertsToSRGB)
        }

        private static func send(_ numbers: [Int64]) -> Bool { unsafe prep_worker_send(numbers, 8 * numbers.count) }

        private static func send(_ bytes: [UInt8]) -> Bool { unsafe prep_worker_send(bytes, bytes.count) }

        private static func send(_ samples: ContiguousArray<UInt8>) -> Bool {
            unsafe samples.withUnsafeBufferPointer { samples in
                unsafe samples.baseAddress.map { unsafe prep_worker_send($0, samples.count) } ?? true
            }
        }
    }
#endif
