import Foundation
import Imaging
import MediaPrep
import TestSupport
import Testing

@testable import ImageCodecs

#if HEIF && os(Linux)
    @Suite("HEIC and AVIF are decoded in processes of their own", .serialized, .timeLimit(.minutes(60)))
    struct IsolationTests {
        static let samples = ["throat.heic", "throat-444.heic", "ear.avif", "ear-gray.avif", "small-hdr.avif"]

        static func sample(_ name: String) throws -> Data {
            try Data(contentsOf: SampleMedia.heifSample(named: name))
        }

        /// A HEIC of `columns` by `columns` tiles of a sample.
        static func largeImage(columns: Int) throws -> Data {
            let tile = PixelSize(width: 256, height: 192)
            return Data(
                HEIFFileBuilder(
                    gridOf: try HEIFFileBuilder.Item(sample: "throat.heic"), tileSize: tile, columns: columns,
                    rows: columns, size: PixelSize(width: columns * tile.width, height: columns * tile.height),
                    isInItemDataBox: false
                ).fileBytes)
        }

        /// An isolation by the built command.
        static func isolation() throws -> DecoderIsolation {
            DecoderIsolation(executable: try #require(PrepProcess.executablePath))
        }

        /// An isolation by a shell script, which greets as a worker does. In it, `$request` is the size of the request
        /// to decode `throat.heic`, in bytes.
        static func isolation(beforeGreeting: String = ":", script: String) throws -> DecoderIsolation {
            let requestByteCount = 8 * DecodeRequest.numberCount + (try sample("throat.heic").count)
            // The second number is the size of the address space: 4 GiB, which is more than that of the shell.
            let greeting = #"printf 'PREPDW02\0\0\0\0\1\0\0\0' >&0"#
            return DecoderIsolation(
                executable: "/bin/sh",
                arguments: ["-c", "request=\(requestByteCount); \(beforeGreeting); \(greeting); \(script)"])
        }

        /// An isolation by a shell script that runs in the first worker. All others run another shell command instead.
        static func isolation(
            firstWorker script: String, others: String, in workspace: TestWorkspace
        ) throws -> DecoderIsolation {
            // Only the first worker can create the directory.
            let marker = workspace.fileURL(at: "started").path
            return try isolation(beforeGreeting: "mkdir '\(marker)' 2> /dev/null || \(others)", script: script)
        }

        /// A shell command that becomes a worker.
        static func workerCommand() throws -> String {
            let executable = try #require(PrepProcess.executablePath)
            return "exec '\(executable)' decode-worker"
        }

        /// A shell command that sends the beginning of an answer to the host.
        static func send(_ answer: DecodeAnswer) -> String { send(answer.numbers(cpuMilliseconds: 0)) }

        static func send(_ numbers: [Int64]) -> String {
            let bytes = numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
            return "printf '\(bytes.map { "\\" + String($0, radix: 8) }.joined())' >&0"
        }

        /// A shell command that sends an image to the host.
        static func sendImage(
            horizontalFactor: Int = 1, verticalFactor: Int = 1, planeCount: Int, hasOverview: Bool = true
        ) -> String {
            let answer = DecodeAnswer.image(
                chromaSubsampling: ChromaSubsampling(
                    horizontalFactor: horizontalFactor, verticalFactor: verticalFactor),
                planeCount: planeCount, hasOverview: hasOverview,
                colors: HEIFColors(primaries: 1, transfer: 1, matrix: 1, isFullRange: true))
            return "\(send(answer)); head -c 1000000 /dev/zero >&0"
        }

        /// A shell command that sends an error to the host.
        static func sendError(_ code: String) -> String {
            let error = CodecError(CodecError.Code(rawValue: code), stage: .decode, message: "")
            return "\(send(DecodeAnswer(error))); printf \(code) >&0"
        }

        static func preparer(_ isolation: DecoderIsolation?, maxDimension: Int? = 100) -> ImagePreparer {
            var options = ImageOptions(maxDimension: maxDimension)
            options.isolation = isolation
            return ImagePreparer(options)
        }

        /// The error of preparing a file, which is `throat.heic` by default; `nil` if it is prepared.
        static func error(_ isolation: DecoderIsolation?, _ file: Data? = nil) throws -> MediaError? {
            let data = try file ?? sample("throat.heic")
            do throws(MediaError) {
                _ = try preparer(isolation).prepare(data)
                return nil
            } catch {
                return error
            }
        }

        static func errorCode(_ isolation: DecoderIsolation, _ file: Data? = nil) throws -> String? {
            try error(isolation, file)?.code.rawValue
        }

        @Test("The result is the same as without isolation", arguments: samples, [nil, 200, 61] as [Int?])
        func sameResult(name: String, maxDimension: Int?) throws {
            let file = try Self.sample(name)
            let expected = try Self.preparer(nil, maxDimension: maxDimension).prepare(file)
            let isolated = try Self.preparer(Self.isolation(), maxDimension: maxDimension).prepare(file)
            #expect(isolated.data == expected.data)
            #expect(isolated.measures == expected.measures)
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
        /// with another number of planes than `throat.heic` has, one with less chroma than any JPEG can have, and one
        /// without an overview that is too small to be measured.
        static let invalidAnswers = [
            send([Int64](repeating: 7, count: DecodeAnswer.numberCount)), sendError("cancelled"),
            sendImage(planeCount: 1), sendImage(horizontalFactor: 4, verticalFactor: 4, planeCount: 3),
            sendImage(planeCount: 3, hasOverview: false),
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
                (#"printf 'PREPDW02\0\0\0\0\0\0\0\0' >&0; exec sleep 60"#, "the size of its memory is unknown"),
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
    }
#endif
