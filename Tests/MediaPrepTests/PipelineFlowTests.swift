import Foundation
import Testing

@testable import MediaPrep

@Suite("A pipeline waits for its consumer, and stops on request", .timeLimit(.minutes(20)))
struct PipelineFlowTests {
    private struct SinkError: Error, Equatable {}

    private static func makeInputs(_ count: Int, isBroken: Bool = false) -> CountingInputSequence {
        CountingInputSequence((0..<count).map { MediaInput(data: Data([UInt8($0)]), name: nil) }, throwsAtEnd: isBroken)
    }

    @Test("While a sink takes nothing, no more is begun than there are jobs", arguments: [1, 2, 8])
    func slowSinkLimitsStartedJobs(_ jobs: Int) async throws {
        let gate = try await AsyncGate(), inputs = Self.makeInputs(50)
        let sink = CollectingSink { _ in try await gate.waitUntilOpen() }
        let run = Task { try await MediaPipeline(maxConcurrentJobs: jobs).run(inputs, into: sink) }
        #expect(await becomesTrue { gate.waiterCount == jobs })
        #expect(inputs.takenCount.value == jobs)
        gate.open()
        try await run.value
        #expect(sink.resultsByInputOrder.map(\.index) == Array(0..<50))
    }

    @Test("While a consumer asks for nothing, no more is begun than there are jobs", arguments: [1, 2, 8])
    func slowConsumerLimitsStartedJobs(_ jobs: Int) async throws {
        let inputs = Self.makeInputs(50)
        var iterator = MediaPipeline(maxConcurrentJobs: jobs).results(for: inputs).makeAsyncIterator()
        var indices: [Int] = []
        for taken in 0..<50 {
            #expect(await becomesTrue { inputs.takenCount.value == min(50, taken + jobs) })
            indices.append(try #require(try await iterator.next()).index)
        }
        #expect(try await iterator.next() == nil)
        #expect(indices.sorted() == Array(0..<50))
    }

    @Test("An error of the inputs follows the results of all earlier inputs", arguments: [1, 4])
    func inputErrorFollowsEarlierResults(_ jobs: Int) async throws {
        let sink = CollectingSink()
        await #expect(throws: CountingInputSequence.InputError()) {
            try await MediaPipeline(maxConcurrentJobs: jobs).run(Self.makeInputs(20, isBroken: true), into: sink)
        }
        #expect(sink.resultsByInputOrder.map(\.index) == Array(0..<20))

        var iterator = MediaPipeline(maxConcurrentJobs: jobs).results(for: Self.makeInputs(5, isBroken: true))
            .makeAsyncIterator()
        for _ in 0..<5 { #expect(try await iterator.next() != nil) }
        await #expect(throws: CountingInputSequence.InputError()) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("An error of a sink ends the run and is rethrown", arguments: [1, 4])
    func sinkErrorEndsRun(_ jobs: Int) async throws {
        let gate = try await AsyncGate(), inputs = Self.makeInputs(100)
        // The others wait until the run's end wakes them.
        let sink = CollectingSink { result in
            if result.index == 3 { throw SinkError() }
            if result.index > 3 { try await gate.waitUntilOpen() }
        }
        await #expect(throws: SinkError()) { try await MediaPipeline(maxConcurrentJobs: jobs).run(inputs, into: sink) }
        #expect(inputs.takenCount.value <= 4 + jobs)
    }

    @Test("After cancellation nothing more starts, and waiting tasks resume", arguments: [1, 4])
    func cancellationStopsRunAndWakesWaiters(_ jobs: Int) async throws {
        let gate = try await AsyncGate(), inputs = Self.makeInputs(100)
        let run = Task {
            try await MediaPipeline(maxConcurrentJobs: jobs).run(
                inputs, into: CollectingSink { _ in try await gate.waitUntilOpen() })
        }
        #expect(await becomesTrue { gate.waiterCount == jobs })
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(inputs.takenCount.value == jobs)
        #expect(gate.waiterCount == 0)
    }

    @Test("Inputs that end because of the cancellation don't make the run a complete one")
    func inputsEndingOnCancellationThrow() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: MediaInput.self)
        let sink = CollectingSink()
        continuation.yield(MediaInput(data: Data([1]), name: nil))
        let run = Task { try await MediaPipeline(maxConcurrentJobs: 2).run(stream, into: sink) }
        #expect(await becomesTrue { sink.resultsByInputOrder.count == 1 })
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }

    @Test("Cancellation also resumes tasks that wait for memory")
    func cancellationWakesMemoryWaiters() async throws {
        let gate = try await AsyncGate(), jpeg = try SmallJPEGs.makeColorNoise(quality: 80)
        // Room for one at a time, which the sink keeps: what it holds counts.
        let pipeline = MediaPipeline(maxConcurrentJobs: 2, memoryLimit: 13 << 20)
        let inputs = CountingInputSequence(
            Array(repeating: MediaInput(data: jpeg + Data(count: 3 << 20), name: nil), count: 10))
        let run = Task {
            try await pipeline.run(inputs, into: CollectingSink { _ in try await gate.waitUntilOpen() })
        }
        #expect(await becomesTrue { gate.waiterCount == 1 && inputs.takenCount.value == 2 })
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }

    @Test("A consumer that is cancelled gets CancellationError, once the run has stopped")
    func cancelledConsumerGetsCancellationError() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: MediaInput.self)
        continuation.yield(MediaInput(data: Data([1]), name: nil))
        let (firsts, first) = AsyncStream.makeStream(of: Void.self)
        let consumer = Task {
            for try await _ in MediaPipeline(maxConcurrentJobs: 1).results(for: stream) { first.yield() }
        }
        for await _ in firsts.prefix(1) {}
        consumer.cancel()
        await #expect(throws: CancellationError.self) { try await consumer.value }
    }

    @Test("Releasing the iterator cancels the run")
    func releasedIteratorCancelsRun() async throws {
        let takenCount = CountingInputSequence.AtomicCounter()
        let (cancellations, cancellation) = AsyncStream.makeStream(of: Bool.self)
        let inputs = AsyncStream<MediaInput> {
            takenCount.increment()
            if takenCount.value == 1 { return MediaInput(data: Data([1]), name: nil) }
            try? await Task.sleep(for: .seconds(3600))
            cancellation.yield(Task.isCancelled)
            return nil
        }
        var iterator: MediaResultSequence.Iterator? = MediaPipeline(maxConcurrentJobs: 1).results(for: inputs)
            .makeAsyncIterator()
        #expect(try await iterator?.next() != nil)
        // A job that is cancelled before it asks for the second input never does.
        try #require(await becomesTrue { takenCount.value == 2 })
        iterator = nil
        for await isCancelled in cancellations.prefix(1) { #expect(isCancelled) }
    }
}
