#if !os(iOS)
    /// The decoding of HEIC and AVIF in a process of its own, with limits on memory and time and without network.
    ///
    /// A fault of a decoder's library then costs one image: its error is ``CodecError/Code/decoderCrashed`` or
    /// ``CodecError/Code/decoderTimedOut``. The result is the same as without isolation.
    ///
    /// The worker is an executable that calls ``DecoderWorker/run()``, such as `prep` with the argument
    /// `decode-worker`. One is started for each image that is decoded at the same time, and is kept for further images.
    /// It is replaced when an image makes it fail, and ends with its host. If it has decoded other images before, which
    /// may have damaged it, the image is decoded again by a new worker, and only that worker's failure is an error.
    ///
    /// On Linux for x86-64 and arm64, a worker cannot open a file, use the network, start a process or make memory
    /// executable: it can only compute, and exchange bytes with its host. On macOS, resource limits keep it from
    /// opening descriptors, and its memory is not limited.
    public struct DecoderIsolation: Hashable, Sendable {
        /// The path of the worker's executable.
        public var executable: String
        /// The arguments of the executable, without its name.
        public var arguments: [String]
        /// The most time that one image may take, on a clock that also counts waiting. The default is 60 seconds.
        public var timeLimit = Duration.seconds(60)
        /// The most memory that a worker may take for an image, in bytes. If it is `nil`, the limit is computed from
        /// the image's size. A negative limit counts as 0.
        public var memoryLimit: Int?
        /// Whether an image fails with ``CodecError/Code/decoderUnavailable`` if no worker can be started, or if its
        /// memory cannot be limited on Linux.
        ///
        /// The default is `true`. If it is `false`, the image is then decoded in this process. No image can cause that,
        /// because a worker is started before it receives one.
        public var isRequired = true

        /// Creates an isolation by a worker.
        ///
        /// - Parameters:
        ///   - executable: The path of the worker's executable.
        ///   - arguments: The arguments of the executable, without its name.
        public init(executable: String, arguments: [String] = ["decode-worker"]) {
            self.executable = executable
            self.arguments = arguments
        }

        /// The command line of the worker.
        var command: [String] { [executable] + arguments }

        /// Ends the workers that are kept for further images. Those that decode an image are not affected.
        ///
        /// A server may call this after a burst of images, and a command at its end.
        public static func endIdleWorkers() { DecoderWorkerPool.shared.removeAll() }
    }
#endif
