import Foundation
import MediaPrep
import TestSupport
import Testing

@Suite("The async methods do the same as the others")
struct AsyncPreparationTests {
    /// In an async function the async form of a method would be meant.
    private func prepareSynchronously(_ data: Data, _ preparer: ImagePreparer) throws -> PreparedImage {
        try preparer.prepare(data)
    }

    private func prepareSynchronously(_ url: URL, _ preparer: ImagePreparer) throws -> PreparedImage {
        try preparer.prepare(contentsOf: url)
    }

    @Test("They give the same bytes", arguments: ["ear-mirrored.jpg", "ear-passthrough.jpg", "throat-16bit-alpha.png"])
    func asyncPrepareGivesSameBytes(_ name: String) async throws {
        let url = SampleMedia.goodImage(named: name), data = try Data(contentsOf: url)
        let preparer = ImagePreparer(maxDimension: 300)
        let expected = try prepareSynchronously(data, preparer)
        #expect(try prepareSynchronously(url, preparer).data == expected.data)
        for image in [try await preparer.prepare(data), try await preparer.prepare(contentsOf: url)] {
            #expect(image.data == expected.data)
            #expect(image.verdict == expected.verdict)
            #expect(image.warnings == expected.warnings)
        }
    }

    @Test("They throw the same errors, of the same type")
    func asyncPrepareThrowsSameErrors() async throws {
        let url = SampleMedia.damagedFile(named: "truncated.jpg"), preparer = ImagePreparer()
        let expected = #expect(throws: MediaError.self) { try prepareSynchronously(url, preparer) }
        do throws(MediaError) {
            _ = try await preparer.prepare(contentsOf: url)
            Issue.record("a truncated file was prepared")
        } catch {
            #expect(error.description == expected?.description)
        }
        do throws(MediaError) {
            _ = try await preparer.prepare(Data())
            Issue.record("an empty file was prepared")
        } catch {
            #expect(error.code.rawValue == "empty")
        }
    }

    @Test("Four times as many as there are processors, all at once, all end, with the same bytes")
    func manyConcurrentPreparationsFinish() async throws {
        let jpeg = try SmallJPEGs.makeColorNoise(quality: 95), preparer = ImagePreparer(maxDimension: 80)
        let expected = try prepareSynchronously(jpeg, preparer).data
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        let results = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<count { group.addTask { try await preparer.prepare(jpeg).data } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: expected, count: count))
    }

    @Test("They work from the main actor, which they leave free")
    @MainActor
    func asyncPrepareLeavesMainActorFree() async throws {
        let jpeg = try SmallJPEGs.makeColorNoise(quality: 95)
        let image = try await ImagePreparer(maxDimension: 80).prepare(jpeg)
        #expect(image.width == 80)
    }

    /// A recording that takes minutes to scan.
    private func makeSlowAudioFile() throws -> SparseFile {
        try SparseFile(prefix: Array("#!AMR\n".utf8) + [0x3C] + [UInt8](repeating: 0xFF, count: 31), byteCount: 1 << 41)
    }

    @Test("A cancelled task ends the scan of a recording", .timeLimit(.minutes(60)))
    func cancellationEndsAudioScan() async throws {
        let file = try makeSlowAudioFile()
        let task = Task { () async -> MediaError.Code? in
            do throws(MediaError) {
                _ = try await AudioPreparer().inspect(contentsOf: file.url)
                return nil
            } catch {
                return error.code
            }
        }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test("A cancelled pipeline ends the scan of a recording, and has no result of it", .timeLimit(.minutes(60)))
    func cancellationEndsPipelineScanWithoutResult() async throws {
        let file = try makeSlowAudioFile()
        let task = Task {
            let inputs = AsyncStream<MediaInput> { stream in
                stream.yield(MediaInput(url: file.url))
                stream.finish()
            }
            for try await result in MediaPipeline(maxConcurrentJobs: 1).results(for: inputs) {
                Issue.record("\(result.verdict)")
            }
        }
        try await Task.sleep(for: .milliseconds(200))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
