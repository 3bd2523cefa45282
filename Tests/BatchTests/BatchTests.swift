import Diagnostics
import Foundation
import MediaPrep
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Batch

@Suite("A batch prepares a directory and resumes")
struct BatchTests {
    /// A directory with the inputs `in/a.wav`, `in/b.wav` and the unreadable image `in/c.jpg`.
    private struct Workspace {
        let directory: TemporaryDirectory
        var inputs: FilePath { FilePath(directory.fileURL(named: "in").path) }
        var output: FilePath { FilePath(directory.fileURL(named: "out").path) }

        init() throws {
            directory = try TemporaryDirectory()
            try FileManager.default.createDirectory(
                at: directory.fileURL(named: "in"), withIntermediateDirectories: true)
            let wave = makeWAV(makeToneSamples(amplitude: 0.5))
            for name in ["in/a.wav", "in/b.wav"] { _ = try directory.writeFile(wave, named: name) }
            _ = try directory.writeFile(Data("no image".utf8), named: "in/c.jpg")
        }

        func makeBatch(options: BatchOptions = BatchOptions()) -> MediaBatch {
            MediaBatch(inputs: BatchInputs(paths: [inputs]), outputDirectory: output, options: options)
        }

        func manifestLines(named name: String = "out/manifest.jsonl") throws -> [Substring] {
            try String(contentsOf: directory.fileURL(named: name), encoding: .utf8).split(separator: "\n")
        }
    }

    @Test("The totals, the outputs and the manifest of a first run agree")
    func firstRunPreparesEverything() async throws {
        let workspace = try Workspace()
        let summary = try await workspace.makeBatch().run()
        #expect(summary.inputCount == 3 && summary.newResultCount == 3 && summary.carriedOverCount == 0)
        #expect(summary.verdictCounts == [.accepted: 2, .rejected: 1])
        #expect(summary.reasonCounts.keys.map(\.code) == [Diagnostic.Code(rawValue: "unrecognized-format")])
        #expect(summary.hasFailures && summary.isComplete)
        #expect(try workspace.manifestLines().count == 3)
        let prepared = try Data(contentsOf: workspace.directory.fileURL(named: "out/a.wav"))
        #expect(prepared == makeWAV(makeToneSamples(amplitude: 0.5)))
    }

    @Test("A second run carries results over, and prepares what changed")
    func secondRunPreparesChangesOnly() async throws {
        let workspace = try Workspace()
        try await workspace.makeBatch().run()
        #expect(try await workspace.makeBatch().run().carriedOverCount == 3)
        let wave = makeWAV(makeToneSamples(amplitude: 0.25))
        _ = try workspace.directory.writeFile(wave + [0], named: "in/b.wav")
        let summary = try await workspace.makeBatch().run()
        #expect(summary.newResultCount == 1 && summary.carriedOverCount == 2)
    }

    @Test("Without a history, every run prepares everything and leaves no ledger")
    func runWithoutHistoryPreparesEverythingAgain() async throws {
        let workspace = try Workspace()
        var options = BatchOptions()
        options.history = .none
        for _ in 0..<2 { #expect(try await workspace.makeBatch(options: options).run().newResultCount == 3) }
        let state = workspace.directory.fileURL(named: "out/.prep").path
        #expect(!FileManager.default.fileExists(atPath: state))
    }

    @Test("Events report the inputs, the start, each result and the end, in this order")
    func eventsAreDeliveredInOrder() async throws {
        let workspace = try Workspace()
        let events = Mutex<[String]>([])
        try await workspace.makeBatch().run { event in
            events.withLock { events in
                switch event {
                case .unfollowedLink: events.append("link")
                case .inputsFound(let count): events.append("found \(count)")
                case .started(let progress): events.append("started \(progress.totalFiles ?? 0)")
                case .finished(let line): events.append("\(line.kind)")
                case .ended(let summary): events.append("ended \(summary.inputCount)")
                }
            }
        }
        let names = events.withLock { $0 }
        #expect(names.prefix(2) == ["found 3", "started 3"] && names.last == "ended 3")
        #expect(names.dropFirst(2).dropLast().sorted() == ["audio", "audio", "other"])
    }

    @Test("A plan is executed as written")
    func planIsExecuted() async throws {
        let workspace = try Workspace()
        var options = BatchOptions()
        let plan = FilePath(workspace.directory.fileURL(named: "plan.jsonl").path)
        options.manifest = plan
        let planned = try await workspace.makeBatch(options: options).writePlan()
        #expect(planned.inputCount == 3)
        #expect(!FileManager.default.fileExists(atPath: workspace.output.string))
        #expect(try workspace.manifestLines(named: "plan.jsonl").count == 3)
        let summary = try await MediaBatch(inputs: BatchInputs(.plan(plan)), outputDirectory: workspace.output).run()
        #expect(summary.verdictCounts == [.accepted: 2, .rejected: 1])
    }

    @Test("Every input belongs to exactly one shard")
    func shardsPartitionTheInputs() async throws {
        let workspace = try Workspace()
        var count = 0
        for index in 1...3 {
            var batch = workspace.makeBatch()
            batch.inputs.shard = Shard(index: UInt64(index), count: 3)
            count += try await batch.run().inputCount
        }
        #expect(count == 3)
    }

    @Test("An error of the whole run has a code and a message that names the file")
    func unusableOutputDirectoryIsAnError() async throws {
        let workspace = try Workspace()
        _ = try workspace.directory.writeFile(Data(), named: "out")
        let error = await #expect(throws: BatchError.self) { try await workspace.makeBatch().run() }
        #expect(error?.code == .unwritable)
        #expect(error?.localizedDescription.contains("/out") == true)
    }

    @Test("A manifest must not replace an input")
    func manifestCannotReplaceAnInput() async throws {
        let workspace = try Workspace()
        var options = BatchOptions()
        options.manifest = workspace.inputs.appending("a.wav")
        let error = await #expect(throws: BatchError.self) { try await workspace.makeBatch(options: options).run() }
        #expect(error?.code == .wouldOverwrite)
    }

    @Test("A cancelled run ends with its totals and without drafts")
    func cancelledRunLeavesNoDrafts() async throws {
        let workspace = try Workspace()
        let isComplete = Mutex<Bool?>(nil)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await workspace.makeBatch().run { event in
                if case .ended(let summary) = event { isComplete.withLock { $0 = summary.isComplete } }
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(isComplete.withLock { $0 } != true)
        let drafts = workspace.directory.fileURL(named: "out/.prep/tmp").path
        #expect((try? FileManager.default.contentsOfDirectory(atPath: drafts).isEmpty) != false)
    }
}
