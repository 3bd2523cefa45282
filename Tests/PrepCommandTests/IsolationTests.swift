import Batch
import Foundation
import Imaging
import MediaPrep
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import ImageCodecs
@testable import prep

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

#if HEIF && os(Linux)
    @Suite("HEIC and AVIF are decoded in processes of their own", .serialized, .timeLimit(.minutes(60)))
    struct IsolationTests {
        static let samples = ["throat.heic", "throat-444.heic", "ear.avif", "ear-gray.avif", "small-hdr.avif"]

        private static func sample(_ name: String) throws -> Data {
            try Data(contentsOf: SampleMedia.heifSample(named: name))
        }

        /// A HEIC of `columns` by `columns` tiles of a sample.
        private static func largeImage(columns: Int) throws -> Data {
            let tile = PixelSize(width: 256, height: 192)
            return Data(
                HEIFFileBuilder(
                    gridOf: try HEIFFileBuilder.Item(sample: "throat.heic"), tileSize: tile, columns: columns,
                    rows: columns, size: PixelSize(width: columns * tile.width, height: columns * tile.height),
                    isInItemDataBox: false
                ).fileBytes)
        }

        /// An isolation by the built command.
        private static func isolation() throws -> DecoderIsolation {
            DecoderIsolation(executable: try #require(PrepProcess.executablePath))
        }

        /// An isolation by a shell script, which greets as a worker does. In it, `$request` is the size of the request
        /// to decode `throat.heic`, in bytes.
        private static func isolation(beforeGreeting: String = ":", script: String) throws -> DecoderIsolation {
            let requestByteCount = 8 * DecodeRequest.numberCount + (try sample("throat.heic").count)
            // The second number is the size of the address space: 4 GiB, which is more than that of the shell.
            let greeting = #"printf 'PREPDW01\0\0\0\0\1\0\0\0' >&0"#
            return DecoderIsolation(
                executable: "/bin/sh",
                arguments: ["-c", "request=\(requestByteCount); \(beforeGreeting); \(greeting); \(script)"])
        }

        /// An isolation by a shell script that runs in the first worker. All others run another shell command instead.
        private static func isolation(
            firstWorker script: String, others: String, in workspace: TestWorkspace
        ) throws -> DecoderIsolation {
            // Only the first worker can create the directory.
            let marker = workspace.fileURL(at: "started").path
            return try isolation(beforeGreeting: "mkdir '\(marker)' 2> /dev/null || \(others)", script: script)
        }

        /// A shell command that becomes a worker.
        private static func workerCommand() throws -> String {
            let executable = try #require(PrepProcess.executablePath)
            return "exec '\(executable)' decode-worker"
        }

        /// A shell command that sends the beginning of an answer to the host.
        private static func send(_ answer: DecodeAnswer) -> String { send(answer.numbers(cpuMilliseconds: 0)) }

        private static func send(_ numbers: [Int64]) -> String {
            let bytes = numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
            return "printf '\(bytes.map { "\\" + String($0, radix: 8) }.joined())' >&0"
        }

        /// A shell command that sends an image to the host.
        private static func sendImage(horizontalFactor: Int = 1, verticalFactor: Int = 1, planeCount: Int) -> String {
            let answer = DecodeAnswer.image(
                chromaSubsampling: ChromaSubsampling(
                    horizontalFactor: horizontalFactor, verticalFactor: verticalFactor),
                planeCount: planeCount, colors: HEIFColors(primaries: 1, transfer: 1, matrix: 1, isFullRange: true))
            return "\(send(answer)); head -c 1000000 /dev/zero >&0"
        }

        /// A shell command that sends an error to the host.
        private static func sendError(_ code: String) -> String {
            let error = CodecError(CodecError.Code(rawValue: code), stage: .decode, message: "")
            return "\(send(DecodeAnswer(error))); printf \(code) >&0"
        }

        private static func preparer(_ isolation: DecoderIsolation?, maxDimension: Int? = 100) -> ImagePreparer {
            var options = ImageOptions(maxDimension: maxDimension)
            options.isolation = isolation
            return ImagePreparer(options)
        }

        /// The error of preparing a file, which is `throat.heic` by default; `nil` if it is prepared.
        private static func error(_ isolation: DecoderIsolation?, _ file: Data? = nil) throws -> MediaError? {
            let data = try file ?? sample("throat.heic")
            do throws(MediaError) {
                _ = try preparer(isolation).prepare(data)
                return nil
            } catch {
                return error
            }
        }

        private static func errorCode(_ isolation: DecoderIsolation, _ file: Data? = nil) throws -> String? {
            try error(isolation, file)?.code.rawValue
        }

        @Test("The result is the same as without isolation", arguments: samples, [nil, 200, 61] as [Int?])
        func sameResult(name: String, maxDimension: Int?) throws {
            let file = try Self.sample(name)
            let expected = try Self.preparer(nil, maxDimension: maxDimension).prepare(file)
            let isolated = try Self.preparer(Self.isolation(), maxDimension: maxDimension).prepare(file)
            #expect(isolated.data == expected.data)
            #expect(isolated.warnings == expected.warnings && isolated.sourceColor == expected.sourceColor)
            #expect(isolated.width == expected.width && isolated.chromaSubsampling == expected.chromaSubsampling)
        }

        @Test("An error of decoding is the same, with its place")
        func sameError() throws {
            var damaged = try Self.sample("throat.heic")
            for index in stride(from: damaged.count / 2, to: damaged.count, by: 7) { damaged[index] ^= 0x55 }
            let expected = try #require(try Self.error(nil, damaged))
            #expect(try Self.error(Self.isolation(), damaged)?.description == expected.description)
            // The worker goes on.
            #expect(try Self.errorCode(Self.isolation()) == nil)
        }

        /// Scripts of workers that end before they answer.
        static let endingScripts = [
            "kill -ABRT $$", "kill -SEGV $$", "exit 0", "exit 3", "head -c 100 <&0 > /dev/null; kill -KILL $$",
            "head -c 8 /dev/zero >&0; exit 0",
        ]

        /// Shell commands that send an invalid answer: other numbers, a code that stands for something else, an image
        /// with another number of planes than `throat.heic` has, and one with less chroma than any JPEG can have.
        static let invalidAnswers = [
            send([Int64](repeating: 7, count: DecodeAnswer.numberCount)), sendError("cancelled"),
            sendImage(planeCount: 1), sendImage(horizontalFactor: 4, verticalFactor: 4, planeCount: 3),
        ]

        @Test(
            "A worker that ends before it answers, or answers something else, is a crash",
            arguments: endingScripts
                + invalidAnswers.map { "head -c $request <&0 > /dev/null; \($0); exec sleep 60" })
        func failingWorkerIsCrash(_ script: String) throws {
            let error = try #require(try Self.error(Self.isolation(script: script)))
            #expect(error.code.rawValue == "decoder-crashed" && error.verdict == .failed)
        }

        @Test(
            "An image on which a reused worker fails is decoded by a new one",
            arguments: ["exit 1", "kill -SEGV $$"] + invalidAnswers.map { "\($0); exec sleep 60" })
        func reusedWorkerIsReplaced(_ ending: String) throws {
            // The first worker answers one request, and fails when it receives the second.
            let script =
                "head -c $request <&0 > /dev/null; \(Self.sendError("damaged")); head -c 1 <&0 > /dev/null; \(ending)"
            let workspace = try TestWorkspace()
            let isolation = try Self.isolation(firstWorker: script, others: Self.workerCommand(), in: workspace)
            #expect(try Self.errorCode(isolation) == "damaged")
            #expect(try Self.errorCode(isolation) == nil)
        }

        @Test(
            "An image on which a reused worker fails is not decoded here if a new one fails or cannot be started",
            arguments: [("exit 1", 3), ("answer='exit 4'", 4)])
        func newWorkerFailsToo(others: String, status: Int) throws {
            let script =
                "head -c $request <&0 > /dev/null; eval \"$answer\"; \(Self.sendError("damaged")); "
                + "head -c 1 <&0 > /dev/null; exit 3"
            let workspace = try TestWorkspace()
            var isolation = try Self.isolation(firstWorker: script, others: others, in: workspace)
            isolation.isRequired = false
            #expect(try Self.errorCode(isolation) == "damaged")
            let error = try #require(try Self.error(isolation))
            #expect(error.code.rawValue == "decoder-crashed" && error.message.hasSuffix("ended with status \(status)"))
        }

        @Test(
            "A worker that hangs is killed after the time limit", arguments: ["exec sleep 600", "while :; do :; done"])
        func hangingWorkerIsKilled(_ script: String) throws {
            let workspace = try TestWorkspace()
            let pidFile = workspace.fileURL(at: "pid").path
            var isolation = try Self.isolation(beforeGreeting: "echo $$ > '\(pidFile)'", script: script)
            isolation.timeLimit = .milliseconds(300)
            let error = try #require(try Self.error(isolation))
            #expect(error.code.rawValue == "decoder-timeout" && error.verdict == .failed)
            let text = String(decoding: try workspace.contents(ofFileAt: "pid"), as: UTF8.self)
            let pid = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(Self.hasEnded(pid), "the worker still runs")
        }

        @Test(
            "Without a worker, an image fails, or is decoded here if isolation is not required",
            arguments: [
                ("exit 7", "it ended with status 7"), ("kill -SEGV $$", "it was ended by signal 11"),
                ("echo something else >&0", "invalid greeting"),
                // Without the size of its address space, its memory cannot be limited.
                (#"printf 'PREPDW01\0\0\0\0\0\0\0\0' >&0; exec sleep 60"#, "the size of its memory is unknown"),
            ])
        func missingWorker(script: String, reason: String) throws {
            var isolation = DecoderIsolation(executable: "/bin/sh", arguments: ["-c", script])
            let error = try #require(try Self.error(isolation))
            #expect(error.code.rawValue == "decoder-unavailable" && error.verdict == .failed)
            #expect(error.message.hasSuffix("cannot be started: \(reason)"))
            isolation.isRequired = false
            #expect(try Self.errorCode(isolation) == nil)
            isolation.executable = "/nonexistent/sh"
            #expect(try Self.errorCode(isolation) == nil)
            isolation.isRequired = true
            #expect(try Self.errorCode(isolation) == "decoder-unavailable")
        }

        @Test("The memory of a worker is limited")
        func memoryIsLimited() throws {
            // The file alone exceeds the 16 MiB that the allocator reserves before the limit is set.
            let file = try Self.sample("throat.heic") + Data(count: 32 << 20)
            var isolation = try Self.isolation()
            #expect(try Self.errorCode(isolation, file) == nil)
            for limit in [1 << 20, 0, -1, .min] {
                isolation.memoryLimit = limit
                let error = try #require(try Self.error(isolation, file), "\(limit) bytes are enough")
                #expect(["decoder-crashed", "out-of-memory"].contains(error.code.rawValue) && error.verdict == .failed)
            }
            isolation.memoryLimit = nil
            #expect(try Self.errorCode(isolation, file) == nil)
        }

        @Test("Images with different limits are decoded by the same worker")
        func limitsShareWorker() throws {
            DecoderIsolation.endIdleWorkers()
            var isolation = try Self.isolation()
            #expect(try Self.errorCode(isolation) == nil)
            let workers = Self.workers(of: getpid())
            isolation.timeLimit = .seconds(61)
            isolation.memoryLimit = 1 << 30
            isolation.isRequired = false
            #expect(try Self.errorCode(isolation) == nil)
            #expect(workers.count == 1 && Self.workers(of: getpid()) == workers)
        }

        @Test("A worker's system calls are filtered, its limits are low, and signals from a terminal do not end it")
        func workerIsConfined() throws {
            DecoderIsolation.endIdleWorkers()
            let isolation = try Self.isolation()
            #expect(try Self.errorCode(isolation) == nil)
            let worker = try #require(Self.workers(of: getpid()).first)
            let status = try String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8)
            #expect(status.contains("Seccomp:\t2\n") && status.contains("NoNewPrivs:\t1\n"))
            let ignored = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:\t") }?.split(separator: "\t").last
            let ignoredSignals = try #require(ignored.flatMap { UInt64($0, radix: 16) })
            for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE] {
                #expect(ignoredSignals >> (signal - 1) & 1 == 1, "signal \(signal)")
            }
            #expect(try Self.limits(on: "open files", of: worker) == ["3", "3"])
            for resource in ["core file size", "file size", "processes"] {
                #expect(try Self.limits(on: resource, of: worker) == ["0", "0"], "\(resource)")
            }
            // Only a privileged user can read these of a process that cannot be traced.
            if let environment = try? Data(contentsOf: URL(filePath: "/proc/\(worker)/environ")) {
                Self.expectNoSecrets(in: environment)
            }
            if let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(worker)/fd") {
                #expect(descriptors.sorted() == ["0", "1", "2"])
            }
            DecoderIsolation.endIdleWorkers()
            #expect(Self.workers(of: getpid()).isEmpty)
        }

        @Test("A worker keeps inherited limits that are lower than its own")
        func lowerLimitsAreKept() throws {
            DecoderIsolation.endIdleWorkers()
            let isolation = DecoderIsolation(
                executable: "/bin/sh", arguments: ["-c", "ulimit -t 600; \(try Self.workerCommand())"])
            #expect(try Self.errorCode(isolation) == nil)
            let worker = try #require(Self.workers(of: getpid()).first)
            #expect(try Self.limits(on: "cpu time", of: worker) == ["600", "600"])
        }

        /// The soft and the hard limit of a process on a resource, which is named as in `/proc/PID/limits`.
        private static func limits(on resource: String, of process: Int32) throws -> [Substring] {
            let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
            let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max \(resource) ") })
            return Array(line.dropFirst("Max \(resource) ".count).split(separator: " ").prefix(2))
        }

        @Test("A worker gets nothing of the host's environment except the path of its libraries")
        func workerHasNoSecrets() throws {
            let workspace = try TestWorkspace()
            let file = workspace.fileURL(at: "environment").path
            let isolation = try Self.isolation(
                beforeGreeting: "cat /proc/$$/environ > '\(file)'", script: "exit 0")
            #expect(try Self.errorCode(isolation) == "decoder-crashed")
            Self.expectNoSecrets(in: try workspace.contents(ofFileAt: "environment"))
            #expect(ProcessInfo.processInfo.environment["PATH"] != nil)
        }

        private static func expectNoSecrets(in environment: Data) {
            let names = environment.split(separator: 0).map { variable in
                String(decoding: variable.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            }
            #expect(Set(names).subtracting(["LD_LIBRARY_PATH"]) == ["SWIFT_BACKTRACE"])
        }

        /// The processes of workers whose parent is `host`.
        static func workers(of host: Int32) -> [Int32] {
            let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return entries.compactMap { Int32($0) }.filter { process in
                guard let line = try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline")),
                    line.split(separator: 0).last.map({ Array($0) }) == Array("decode-worker".utf8)
                else { return false }
                return statFields(of: process).dropFirst().first.flatMap { Int32($0) } == host
            }
        }

        /// The state of a process, the number of its parent, and so on; nothing if there is no such process.
        private static func statFields(of process: Int32) -> [Substring] {
            let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            return stat?.split(separator: ")").last?.split(separator: " ") ?? []
        }

        /// Whether a process has ended, even if nobody has waited for it.
        private static func hasEnded(_ process: Int32) -> Bool {
            let state = statFields(of: process).first
            return state == nil || state == "Z"
        }

        // MARK: Batches and the command

        /// The verdicts of a batch over the directory `in`, with two jobs.
        private static func verdicts(
            of isolation: DecoderIsolation, in workspace: TestWorkspace
        ) async throws -> [String: String] {
            let batch = MediaBatch(
                inputs: BatchInputs(paths: [FilePath(workspace.fileURL(at: "in").path)]),
                outputDirectory: FilePath(workspace.fileURL(at: "out").path),
                pipeline: MediaPipeline(imagePreparer: preparer(isolation, maxDimension: 60), maxConcurrentJobs: 2))
            _ = try await batch.run()
            return try workspace.manifestLines().verdictsByInput.reduce(into: [:]) { verdicts, line in
                verdicts[line.key.split(separator: "/").last.map { String($0) } ?? ""] = line.value
            }
        }

        @Test("A crash costs one image: the others are prepared, and the next run prepares the rest")
        func crashCostsOneImage() async throws {
            let workspace = try TestWorkspace()
            for number in 0..<6 { try workspace.writeFile(try Self.sample("throat.heic"), at: "in/\(number).heic") }
            try workspace.writeSmallImage(at: "in/a.jpg", "in/b.jpg")
            let isolation = try Self.isolation(
                firstWorker: "head -c 100 <&0 > /dev/null; kill -ABRT $$", others: Self.workerCommand(), in: workspace)
            let verdicts = try await Self.verdicts(of: isolation, in: workspace)
            #expect(verdicts.count == 8)
            #expect(verdicts.values.filter { $0 == "converted" }.count == 7)
            let line = try #require(try workspace.manifestLines().first { $0.verdict == "failed" })
            #expect(line.verdictAndReasonCodes == "failed decoder-crashed" && line.input.hasSuffix(".heic"))
            #expect(line.reasons[0].message.contains("was ended by signal 6"))
            #expect(Set(try await Self.verdicts(of: isolation, in: workspace).values) == ["converted"])
        }

        @Test("If every worker crashes, every HEIC and AVIF fails, and the images beside them are prepared")
        func crashesCostOnlyTheirImages() async throws {
            let workspace = try TestWorkspace()
            for name in Self.samples { try workspace.writeFile(try Self.sample(name), at: "in/\(name)") }
            try workspace.writeSmallImage(at: "in/a.jpg", "in/z.jpg")
            let isolation = try Self.isolation(script: "head -c 100 <&0 > /dev/null; kill -ABRT $$")
            let verdicts = try await Self.verdicts(of: isolation, in: workspace)
            #expect(verdicts.count == Self.samples.count + 2)
            for (name, verdict) in verdicts {
                #expect(verdict == (name.hasSuffix(".jpg") ? "converted" : "failed decoder-crashed"), "\(name)")
            }
        }

        #if arch(x86_64) || arch(arm64)
            @Test("The command uses a worker unless it must not, and with auto only if one can be started")
            func isolationOfModes() {
                #expect(IsolationMode.auto.decoderIsolation?.isRequired == false)
                #expect(IsolationMode.always.decoderIsolation?.isRequired == true)
                #expect(IsolationMode.never.decoderIsolation == nil)
                let command = ["/proc/self/exe", "decode-worker"]
                #expect(IsolationMode.allCases.compactMap(\.decoderIsolation).map(\.command) == [command, command])
            }
        #endif

        @Test("Every mode gives the same bytes with any number of jobs")
        func commandModesAgree() throws {
            let workspace = try TestWorkspace()
            for name in Self.samples { try workspace.writeFile(try Self.sample(name), at: "in/\(name)") }
            for (mode, jobs) in ["never", "always", "auto"].flatMap({ [($0, "1"), ($0, "3")] }) {
                let output = "\(mode)-\(jobs)"
                let run = try workspace.runPrep(
                    "in", "--output", output, "--isolate", mode, "--jobs", jobs, "--max-dimension", "90")
                #expect(run.exitStatus == 0)
                #expect(
                    try workspace.manifestLines(inOutput: output).withoutElapsedTimes
                        == workspace.manifestLines(inOutput: "never-1").withoutElapsedTimes)
            }
        }

        @Test("A worker that no host has started says so")
        func workerWithoutHost() throws {
            let run = try TestWorkspace().runPrep("decode-worker")
            #expect(run.exitStatus == 64)
            #expect(
                run.standardError
                    == "decode-worker is for internal use: standard input is not the socket of a host\n")
        }

        @Test("An interrupted or killed run leaves no worker", arguments: [SIGINT, SIGTERM, SIGKILL])
        func noWorkerIsLeft(_ signal: Int32) throws {
            let workspace = try TestWorkspace()
            let image = try Self.largeImage(columns: 12)
            for number in 0..<20 { try workspace.writeFile(image, at: "in/\(number).heic") }
            let seen = Mutex<Set<Int32>>([])
            _ = try PrepProcess(
                arguments: ["in", "--output", "out", "--jobs", "2", "--isolate", "always"], in: workspace.url
            ) { process in
                let workers = Self.workers(of: process)
                seen.withLock { $0.formUnion(workers) }
                if !workers.isEmpty { kill(process, signal) }
            }
            let workers = seen.withLock { $0 }
            try #require(!workers.isEmpty)
            // A worker of a host that was killed notices that within 50 ms.
            for _ in 0..<1000 where !workers.allSatisfy(Self.hasEnded) { usleep(10_000) }
            #expect(workers.allSatisfy(Self.hasEnded))
        }
    }
#endif
