import Foundation
import ImageCodecs
import MediaPrep
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
    // The limits of workers. All tests of isolation are in one suite, because the workers of the process are counted.
    extension IsolationTests {
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
        static func limits(on resource: String, of process: Int32) throws -> [Substring] {
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

        static func expectNoSecrets(in environment: Data) {
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
        static func statFields(of process: Int32) -> [Substring] {
            let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            return stat?.split(separator: ")").last?.split(separator: " ") ?? []
        }

        /// Whether a process has ended, even if its parent has not waited for it.
        static func hasEnded(_ process: Int32) -> Bool {
            let state = statFields(of: process).first
            return state == nil || state == "Z"
        }
    }
#endif
