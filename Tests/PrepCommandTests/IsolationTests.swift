import Foundation
import ImageCodecs
import Imaging
import MediaPrep
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

#if HEIF && os(Linux)
    @Suite("HEIC and AVIF are decoded in processes of their own", .serialized, .timeLimit(.minutes(10)))
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

        /// An isolation by a shell script, which greets as a worker does.
        private static func isolation(script: String) -> DecoderIsolation {
            DecoderIsolation(
                executable: "/bin/sh",
                arguments: ["-c", #"printf 'PREPDW01\0\0\0\0\0\0\0\0' >&0; "# + script])
        }

        private static func preparer(_ isolation: DecoderIsolation?, maxDimension: Int? = 100) -> ImagePreparer {
            var options = ImageOptions(maxDimension: maxDimension)
            options.isolation = isolation
            return ImagePreparer(options)
        }

        private static func errorCode(_ isolation: DecoderIsolation) throws -> String? {
            let file = try sample("throat.heic")
            do throws(MediaError) {
                _ = try preparer(isolation).prepare(file)
                return nil
            } catch {
                #expect(error.verdict == .failed, "\(error)")
                return error.code.rawValue
            }
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
            func error(_ isolation: DecoderIsolation?, _ data: Data) throws -> MediaError? {
                do throws(MediaError) {
                    _ = try Self.preparer(isolation).prepare(data)
                    return nil
                } catch {
                    return error
                }
            }
            var damaged = try Self.sample("throat.heic")
            for index in stride(from: damaged.count / 2, to: damaged.count, by: 7) { damaged[index] ^= 0x55 }
            let expected = try #require(try error(nil, damaged)), isolated = try error(Self.isolation(), damaged)
            #expect(isolated?.description == expected.description)
            // The worker goes on.
            #expect(throws: Never.self) {
                try Self.preparer(Self.isolation()).prepare(try Self.sample("throat.heic"))
            }
        }

        @Test(
            "A worker that ends before it answers is a crash, however it ends",
            arguments: [
                "kill -ABRT $$", "kill -SEGV $$", "exit 0", "exit 3", "head -c 100 <&0 > /dev/null; kill -KILL $$",
                // Answers that are none: other numbers, a code that stands for something else, and half an answer.
                "exec 3>&0; head -c 20313 <&0 > /dev/null; head -c 72 /dev/zero | tr '\\0' '\\7' >&3; exec sleep 60",
                #"printf '\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\11\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >&0; "#
                    + #"head -c 40 /dev/zero >&0; printf cancelled >&0; exec sleep 60"#,
                "head -c 8 /dev/zero >&0; exit 0",
            ])
        func endedWorkerIsCrash(_ script: String) throws {
            #expect(try Self.errorCode(Self.isolation(script: script)) == "decoder-crashed")
        }

        @Test(
            "A worker that hangs is killed after the time limit", arguments: ["exec sleep 600", "while :; do :; done"])
        func hangingWorkerIsKilled(_ script: String) throws {
            let workspace = try TestWorkspace()
            let pidFile = workspace.fileURL(at: "pid").path
            var isolation = Self.isolation(script: "echo $$ > \(pidFile); \(script)")
            isolation.timeLimit = .milliseconds(300)
            #expect(try Self.errorCode(isolation) == "decoder-timeout")
            let text = String(decoding: try workspace.contents(ofFileAt: "pid"), as: UTF8.self)
            let pid = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(kill(pid, 0) != 0, "the worker still runs")
        }

        @Test("Without a worker, an image fails, or is decoded here if isolation is not required")
        func missingWorker() throws {
            for (executable, arguments) in [
                ("/nonexistent/prep", []), ("/bin/true", []), ("/bin/sh", ["-c", "echo something else >&0"]),
            ] {
                var isolation = DecoderIsolation(executable: executable, arguments: arguments)
                #expect(try Self.errorCode(isolation) == "decoder-unavailable")
                isolation.isRequired = false
                #expect(try Self.errorCode(isolation) == nil)
            }
        }

        @Test("The memory of a worker is limited")
        func memoryIsLimited() throws {
            let file = try Self.largeImage(columns: 8)
            var isolation = try Self.isolation()
            #expect(throws: Never.self) { try Self.preparer(isolation).prepare(file) }
            isolation.memoryLimit = 1 << 20
            do throws(MediaError) {
                _ = try Self.preparer(isolation).prepare(file)
                Issue.record("1 MiB is enough")
            } catch {
                #expect(["decoder-crashed", "out-of-memory"].contains(error.code.rawValue))
                #expect(error.verdict == .failed)
            }
            isolation.memoryLimit = nil
            #expect(throws: Never.self) { try Self.preparer(isolation).prepare(file) }
        }

        @Test("A worker has no network, opens no file, starts no process, and has no secrets")
        func workerIsConfined() throws {
            DecoderIsolation.endIdleWorkers()
            let isolation = try Self.isolation()
            _ = try Self.preparer(isolation).prepare(try Self.sample("throat.heic"))
            let worker = try #require(Self.workers(of: getpid()).first)
            let status = try String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8)
            #expect(status.contains("Seccomp:\t2\n") && status.contains("NoNewPrivs:\t1\n"))
            let limits = try String(contentsOfFile: "/proc/\(worker)/limits", encoding: .utf8)
            for (name, limit) in [("core file size", "0"), ("open files", "3"), ("processes", "0"), ("file size", "0")]
            {
                let line = limits.split(separator: "\n").first { $0.hasPrefix("Max \(name) ") }
                #expect(line?.split(separator: " ").dropFirst(name.split(separator: " ").count + 1).first == limit[...])
            }
            DecoderIsolation.endIdleWorkers()
            #expect(Self.workers(of: getpid()).isEmpty)
        }

        /// The processes of workers whose parent is `host`.
        static func workers(of host: Int32) -> [Int32] {
            let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return entries.compactMap { Int32($0) }.filter { process in
                guard let line = try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline")),
                    line.split(separator: 0).last.map({ Array($0) }) == Array("decode-worker".utf8),
                    let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
                else { return false }
                return stat.split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap { Int32($0) }
                    == host
            }
        }

        // MARK: The command

        @Test("Every mode gives the same bytes with any number of jobs, and no process is left")
        func commandModesAgree() throws {
            let workspace = try TestWorkspace()
            for name in Self.samples { try workspace.writeFile(try Self.sample(name), at: "in/\(name)") }
            for mode in ["never", "always", "auto"] {
                let arguments = ["in", "--output", mode, "--isolate", mode, "--jobs", "3", "--max-dimension", "90"]
                #expect(try PrepProcess(arguments: arguments, in: workspace.url).exitStatus == 0)
                #expect(
                    try workspace.manifestLines(inOutput: mode).withoutElapsedTimes
                        == workspace.manifestLines(inOutput: "never").withoutElapsedTimes)
            }
        }

        @Test("A crash costs one image: the others are prepared, and the next run prepares the rest")
        func crashCostsOneImage() throws {
            let workspace = try TestWorkspace()
            let image = try Self.largeImage(columns: 8)
            for number in 0..<12 { try workspace.writeFile(image, at: "in/\(number).heic") }
            let killed = Mutex<Int32?>(nil)
            // A worker decodes most of the time. If it is killed while it is idle, it costs no image; then the next.
            let run = try PrepProcess(
                arguments: ["in", "--output", "out", "--jobs", "2", "--isolate", "always", "--max-dimension", "90"],
                in: workspace.url
            ) { process in
                killed.withLock { killed in
                    guard killed == nil, let worker = Self.workers(of: process).first(where: Self.isRunning) else {
                        return
                    }
                    killed = kill(worker, SIGABRT) == 0 ? worker : nil
                }
            }
            try #require(killed.withLock { $0 } != nil)
            let verdicts = try workspace.manifestLines().verdictsByInput.values
            #expect(verdicts.count == 12)
            #expect(verdicts.filter { $0 == "failed decoder-crashed" }.count == 1)
            #expect(verdicts.filter { $0 == "converted" }.count == 11)
            #expect(run.exitStatus == 1)
            #expect(run.standardError.contains("was ended by signal 6"))
            #expect(try workspace.runPrep("in", "--output", "out", "--max-dimension", "90").exitStatus == 0)
        }

        /// Whether the process has used more CPU time than its start takes, and is running.
        private static func isRunning(_ process: Int32) -> Bool {
            guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let fields = stat.split(separator: ")").last?.split(separator: " "), fields.count > 12
            else { return false }
            // In ticks of 10 ms.
            return fields[0] == "R" && (Int(fields[11]) ?? 0) >= 5
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
                if workers.count == 2 { kill(process, signal) }
            }
            let workers = seen.withLock { $0 }
            try #require(workers.count >= 2)
            // A worker of a host that was killed notices that within 50 ms.
            for _ in 0..<1000 where workers.contains(where: { kill($0, 0) == 0 }) { usleep(10_000) }
            #expect(workers.allSatisfy { kill($0, 0) != 0 })
        }
    }
#endif
