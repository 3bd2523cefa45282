import Batch
import Foundation
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
    // Batches and the command.
    extension IsolationTests {
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
