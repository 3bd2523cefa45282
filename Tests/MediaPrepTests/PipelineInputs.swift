import Foundation
import Synchronization
import TestSupport

@testable import MediaPrep

/// A sequence of inputs that counts how many were taken, and throws behind the last if it is to.
struct PipelineInputs: AsyncSequence, Sendable {
    typealias Element = MediaInput

    /// What it throws.
    struct Broken: Error, Equatable {}

    /// How many were taken.
    final class Count: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .sequentiallyConsistent) }
        func add() { count.add(1, ordering: .sequentiallyConsistent) }
    }

    var inputs: [MediaInput]
    var isBroken = false
    let taken = Count()

    init(_ inputs: [MediaInput], isBroken: Bool = false) {
        self.inputs = inputs
        self.isBroken = isBroken
    }

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    struct Iterator: AsyncIteratorProtocol {
        let sequence: PipelineInputs
        var index = 0

        mutating func next() async throws -> MediaInput? {
            guard index < sequence.inputs.count else {
                if sequence.isBroken { throw Broken() }
                return nil
            }
            sequence.taken.add()
            index += 1
            return sequence.inputs[index - 1]
        }
    }
}

extension PipelineInputs {
    /// Of every kind, with what is refused and what can't be read; small.
    static func mixture() throws -> [MediaInput] {
        let photo = try SmallPhotos.noise(quality: 90)
        let progressive = try SmallPhotos.noise(width: 200, height: 300, quality: 80, isProgressive: true, seed: 2)
        let url = Samples.recording("visit-note-position.m4a")
        return [
            MediaInput(data: photo, name: "a.jpg"),
            MediaInput(data: progressive, name: "b.png", declaredType: "audio/mp4"),
            MediaInput(url: Samples.photo("ear-passthrough.jpg")), MediaInput(url: Samples.photo("no-such-photo.jpg")),
            MediaInput(url: url), MediaInput(path: Array(Samples.recording("visit-note.flac").path.utf8)),
            MediaInput(url: Samples.damaged("truncated.m4a")), MediaInput(data: try Data(contentsOf: url), name: nil),
            MediaInput(data: wave([]), name: "c.wav"), MediaInput(url: Samples.damaged("text.jpg")),
            MediaInput(data: Data(), name: "d"),
            MediaInput(url: Samples.damaged("header.heic")),
            MediaInput(data: photo.prefix(photo.count / 2), name: "e.jpg"),
            MediaInput(url: Samples.photos), MediaInput(data: Data([0, 1, 2, 3, 4]), name: nil),
        ]
    }
}

/// Keeps what it is given, and holds up the run for as long as it is told to.
final class KeepingSink: MediaResultSink {
    private let results = Mutex([MediaResult]())
    private let begin: @Sendable (MediaResult) async throws -> Void

    init(_ begin: @escaping @Sendable (MediaResult) async throws -> Void = { _ in }) { self.begin = begin }

    /// In the order of the inputs.
    var sorted: [MediaResult] { results.withLock { $0.sorted { $0.index < $1.index } } }

    func receiveResult(_ result: MediaResult) async throws {
        results.withLock { $0.append(result) }
        try await begin(result)
    }
}

/// Opened once; who comes before waits, unless cancelled.
final class Gate: Sendable {
    private let budget = MemoryBudget(limit: 1)

    init() async throws { _ = try await budget.acquire(byteCount: 1) }

    func pass() async throws {
        _ = try await budget.acquire(byteCount: 1)
        budget.release(byteCount: 1)
    }

    /// How many wait.
    var waiting: Int { budget.waiterCount }

    func open() { budget.release(byteCount: 1) }
}

/// Waits until `condition` holds; a guard ends what waits for ever.
func comesTrue(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<60_000 {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return false
}
