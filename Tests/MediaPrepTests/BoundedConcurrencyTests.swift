import Dispatch
import MediaPrep
import Synchronization
import Testing

@Suite("Many pieces of work, a few at a time", .timeLimit(.minutes(20)))
struct BoundedConcurrencyTests {
    /// Counts who is at work.
    private final class Counter: Sendable {
        private let state = Mutex((running: 0, peak: 0, started: [Int]()))

        var peak: Int { state.withLock { $0.peak } }
        var started: [Int] { state.withLock { $0.started } }

        func countConcurrent(_ element: Int, during work: () -> Void) {
            state.withLock {
                $0.running += 1
                $0.peak = max($0.peak, $0.running)
                $0.started.append(element)
            }
            work()
            state.withLock { $0.running -= 1 }
        }
    }

    @Test("Every element has its turn, and never are there more at work than allowed", arguments: [1, 2, 3, 8])
    func everyElementRunsWithinLimit(_ limit: Int) async {
        let counter = Counter(), gate = DispatchSemaphore(value: 0)
        await forEachConcurrently(0..<60, limit: limit, on: BlockingThreadPool(threadCount: 10)) { element in
            counter.countConcurrent(element) {
                // The first ones wait for the last of them to start, so that the limit is reached in whatever order.
                guard element < limit else { return }
                if counter.started.count >= limit {
                    for _ in 0..<limit { gate.signal() }
                } else {
                    _ = gate.wait(timeout: .now() + .seconds(3600))
                }
            }
        }
        #expect(counter.started.sorted() == Array(0..<60))
        #expect(counter.peak == limit)
    }

    @Test("One at a time, they start in the order of the elements")
    func serialWorkStartsInElementOrder() async {
        let counter = Counter()
        await forEachConcurrently(0..<50, limit: 1, on: BlockingThreadPool(threadCount: 4)) {
            counter.countConcurrent($0) {}
        }
        #expect(counter.started == Array(0..<50))
    }

    @Test("A slow item does not delay others")
    func slowElementDoesNotBlockOthers() async {
        let counter = Counter(), gate = DispatchSemaphore(value: 0)
        await forEachConcurrently(0..<20, limit: 2, on: BlockingThreadPool(threadCount: 2)) { element in
            counter.countConcurrent(element) {
                // The first ends only when the last has begun.
                if element == 0 { #expect(gate.wait(timeout: .now() + .seconds(3600)) == .success) }
                if element == 19 { gate.signal() }
            }
        }
        #expect(counter.started.count == 20)
    }

    @Test("Without elements there is nothing to wait for")
    func emptyInputReturnsImmediately() async {
        let counter = Counter()
        await forEachConcurrently([Int](), limit: 3, on: BlockingThreadPool(threadCount: 1)) {
            counter.countConcurrent($0) {}
        }
        #expect(counter.started.isEmpty)
    }

    @Test("After cancellation, started items end, and no more are started")
    func cancellationStartsNothingMore() async {
        let counter = Counter(), gate = DispatchSemaphore(value: 0)
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        let run = Task {
            await forEachConcurrently(0..<100, limit: 2, on: BlockingThreadPool(threadCount: 2)) { element in
                counter.countConcurrent(element) {
                    started.yield()
                    _ = gate.wait(timeout: .now() + .seconds(3600))
                }
            }
        }
        for await _ in starts.prefix(2) {}
        run.cancel()
        for _ in 0..<100 { gate.signal() }
        await run.value
        #expect(counter.started.count == 2)
    }
}
