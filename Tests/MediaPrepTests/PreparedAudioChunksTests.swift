import Foundation
import MediaPrep
import TestSupport
import Testing

@Suite("Prepared audio as an asynchronous sequence of chunks")
struct PreparedAudioChunksTests {
    /// The sizes around the reader's buffer of 256 KiB, and far below and above it.
    static let sizes = [1000, 65_536, 256 << 10, 256 << 10 + 1, 700_000, 1 << 30]

    /// Calls `body` with a WAV file of about 640 KB that is removed afterwards.
    private func withLongAudioFile(_ body: (URL) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".wav")
        defer { try? FileManager.default.removeItem(at: url) }
        try makeWAV((0..<40).flatMap { _ in makeToneSamples(amplitude: 0.5) }).write(to: url)
        try await body(url)
    }

    private func collect(_ audio: PreparedAudio, size: Int) async throws(MediaError) -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        for try await chunk in audio.chunks(ofSize: size) { chunks.append(chunk) }
        return chunks
    }

    private func bytesOfClosure(_ audio: PreparedAudio) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try audio.forEachChunk { bytes += $0 }
        return bytes
    }

    @Test("The chunks are the bytes of the closure, in the size that was requested", arguments: sizes)
    func chunksAreBytesOfClosure(size: Int) async throws {
        try await withLongAudioFile { url in
            let sources = [
                try await AudioPreparer().prepare(contentsOf: url), try AudioPreparer().prepare(Data(contentsOf: url)),
                try await AudioPreparer().prepare(
                    contentsOf: SampleMedia.goodAudio(named: "visit-note-position.m4a")),
            ]
            for audio in sources {
                let chunks = try await collect(audio, size: size)
                #expect(chunks.dropLast().allSatisfy { $0.count == size })
                #expect(chunks.last.map { (1...size).contains($0.count) } == true)
                #expect(try chunks.flatMap { $0 } == bytesOfClosure(audio))
                #expect(chunks.reduce(0) { $0 + $1.count } == audio.byteCount)
            }
        }
    }

    @Test("Each iterator begins with the first chunk, and ends once")
    func iteratorsAreIndependent() async throws {
        let audio = try await AudioPreparer().prepare(contentsOf: SampleMedia.goodAudio(named: "visit-note.wav"))
        let chunks = audio.chunks(ofSize: 10_000)
        var first = chunks.makeAsyncIterator(), second = chunks.makeAsyncIterator()
        let chunk = try await first.next()
        #expect(chunk?.count == 10_000)
        #expect(try await second.next() == chunk)
        while try await first.next() != nil {}
        #expect(try await first.next() == nil)
    }

    @Test("A file that is written to during the iteration ends it with an error", arguments: [1, 40])
    func changedFileThrows(seconds: Int) async throws {
        try await withLongAudioFile { url in
            let audio = try await AudioPreparer().prepare(contentsOf: url)
            var chunks = audio.chunks().makeAsyncIterator()
            #expect(try await chunks.next()?.count == 256 << 10)
            try makeWAV((0..<seconds).flatMap { _ in makeToneSamples(amplitude: 0.5) }).write(to: url)
            let error = await #expect(throws: MediaError.self) { while try await chunks.next() != nil {} }
            #expect(error?.code == .changedWhileRead && error?.verdict == .failed)
            #expect(try await chunks.next() == nil)
        }
    }

    @Test("A cancelled task gets an error, not the end of the sequence")
    func cancelledIterationThrows() async throws {
        try await withLongAudioFile { url in
            let audio = try await AudioPreparer().prepare(contentsOf: url)
            let task = Task { () -> MediaError.Code? in
                do throws(MediaError) {
                    for try await _ in audio.chunks(ofSize: 1000) {
                        while !Task.isCancelled { await Task.yield() }
                    }
                    return nil
                } catch {
                    return error.code
                }
            }
            task.cancel()
            #expect(await task.value == .cancelled)
        }
    }

    @Test("Chunks are iterated from the main actor, which stays free")
    @MainActor
    func mainActorIterates() async throws {
        let audio = try await AudioPreparer().prepare(contentsOf: SampleMedia.goodAudio(named: "visit-note.wav"))
        var count = 0
        for try await chunk in audio.chunks(ofSize: 4096) { count += chunk.count }
        #expect(count == audio.byteCount)
    }
}
