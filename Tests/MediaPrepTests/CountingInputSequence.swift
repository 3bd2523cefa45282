import Foundation
import Synchronization
import TestSupport

@testable import MediaPrep

/// A sequence that counts the inputs that were requested. It can throw after the last.
struct CountingInputSequence: AsyncSequence, Sendable {
    typealias Element = MediaInput

    /// What it throws.
    struct InputError: Error, Equatable {}

    /// How many were taken.
    final class AtomicCounter: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .sequentiallyConsistent) }
        func increment() { count.add(1, ordering: .sequentiallyConsistent) }
    }

    var inputs: [MediaInput]
    var throwsAtEnd = false
    let takenCount = AtomicCounter()

    init(_ inputs: [MediaInput], throwsAtEnd: Bool = false) {
        self.inputs = inputs
        self.throwsAtEnd = throwsAtEnd
    }

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    struct Iterator: AsyncIteratorProtocol {
        let sequence: CountingInputSequence
        var index = 0

        mutating func next() async throws -> MediaInput? {
            guard index < sequence.inputs.count else {
                if sequence.throwsAtEnd { throw InputError() }
                return nil
            }
            sequence.takenCount.increment()
            index += 1
            return sequence.inputs[index - 1]
        }
    }
}

extension CountingInputSequence {
    /// Returns small inputs of every kind, including rejected and unreadable ones.
    static func makeMixedInputs() throws -> [MediaInput] {
        let jpeg = try SmallJPEGs.makeColorNoise(quality: 90)
        let progressive = try SmallJPEGs.makeColorNoise(
            width: 200, height: 300, quality: 80, isProgressive: true, seed: 2)
        let url = SampleMedia.goodAudio(named: "visit-note-position.m4a")
        return [
            MediaInput(data: jpeg, name: "a.jpg"),
            MediaInput(data: progressive, name: "b.png", declaredType: "audio/mp4"),
            MediaInput(url: SampleMedia.goodImage(named: "ear-passthrough.jpg")),
            MediaInput(url: SampleMedia.goodImage(named: "no-such-photo.jpg")),
            MediaInput(url: url), MediaInput(path: Array(SampleMedia.goodAudio(named: "visit-note.flac").path.utf8)),
            MediaInput(url: SampleMedia.damagedFile(named: "truncated.m4a")),
            MediaInput(data: try Data(contentsOf: url), name: nil),
            MediaInput(data: makeWAV([]), name: "c.wav"), MediaInput(url: SampleMedia.damagedFile(named: "text.jpg")),
            MediaInput(data: Data(), name: "d"),
            MediaInput(url: SampleMedia.damagedFile(named: "header.heic")),
            MediaInput(data: jpeg.prefix(jpeg.count / 2), name: "e.jpg"),
            MediaInput(url: SampleMedia.goodImagesDirectory), MediaInput(data: Data([0, 1, 2, 3, 4]), name: nil),
        ]
    }
}

/// A sink that collects results. `onReceive` can delay the run.
final class CollectingSink: MediaResultSink {
    private let results = Mutex([MediaResult]())
    private let onReceive: @Sendable (MediaResult) async throws -> Void

    init(onReceive begin: @escaping @Sendable (MediaResult) async throws -> Void = { _ in }) { self.onReceive = begin }

    /// In the order of the inputs.
    var resultsByInputOrder: [MediaResult] { results.withLock { $0.sorted { $0.index < $1.index } } }

    func receiveResult(_ result: MediaResult) async throws {
        results.withLock { $0.append(result) }
        try await onReceive(result)
    }
}

/// A gate that is opened once. Tasks wait until then, unless they are cancelled.
final class AsyncGate: Sendable {
    private let budget = MemoryBudget(limit: 1)

    init() async throws { _ = try await budget.acquire(byteCount: 1) }

    func waitUntilOpen() async throws {
        _ = try await budget.acquire(byteCount: 1)
        budget.release(byteCount: 1)
    }

    /// The number of waiting tasks.
    var waiterCount: Int { budget.waiterCount }

    func open() { budget.release(byteCount: 1) }
}

/// Waits until `condition` is true. Returns `false` after a minute.
func becomesTrue(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<60_000 {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return false
}
