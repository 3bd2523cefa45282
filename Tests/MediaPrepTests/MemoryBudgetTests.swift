import Synchronization
import Testing

@testable import MediaPrep

@Suite("A budget of bytes is never exceeded, and serves in the order of arrival")
struct MemoryBudgetTests {
    /// What tasks have together.
    private final class ConcurrentUsage: Sendable {
        private let state = Mutex((now: 0, peak: 0, order: [Int]()))

        var peak: Int { state.withLock { $0.peak } }
        var order: [Int] { state.withLock { $0.order } }

        func add(_ bytes: Int) {
            state.withLock {
                $0.now += bytes
                $0.peak = max($0.peak, $0.now)
                $0.order.append(bytes)
            }
        }

        func remove(_ bytes: Int) { state.withLock { $0.now -= bytes } }
    }

    @Test("Concurrent requests together stay within the budget", arguments: [100, 64, 1])
    func concurrentUseStaysWithinBudget(_ limit: Int) async throws {
        let budget = MemoryBudget(limit: limit), use = ConcurrentUsage()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let bytes = try await budget.acquire(byteCount: number % 71)
                    use.add(bytes)
                    await Task.yield()
                    use.remove(bytes)
                    budget.release(byteCount: bytes)
                }
            }
            try await group.waitForAll()
        }
        #expect((1...limit).contains(use.peak))
        #expect(try await budget.acquire(byteCount: limit) == limit, "all came back")
    }

    @Test("A small request does not overtake an earlier large one")
    func smallRequestDoesNotOvertakeLargeOne() async throws {
        let budget = MemoryBudget(limit: 100), use = ConcurrentUsage()
        _ = try await budget.acquire(byteCount: 60)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, bytes) in [80, 30, 10].enumerated() {
                group.addTask { use.add(try await budget.acquire(byteCount: bytes)) }
                #expect(await becomesTrue { budget.waiterCount == index + 1 })
            }
            budget.release(byteCount: 60)
            #expect(await becomesTrue { use.order == [80] })
            #expect(budget.waiterCount == 2, "30 and 10 bytes would have fitted beside the 60 before")
            budget.release(byteCount: 80)
            try await group.waitForAll()
        }
        #expect(Set(use.order) == [80, 30, 10])
    }

    @Test("A cancelled request leaves the queue, and later ones move up")
    func cancelledWaiterLeavesQueue() async throws {
        let budget = MemoryBudget(limit: 100)
        _ = try await budget.acquire(byteCount: 60)
        let large = Task { try await budget.acquire(byteCount: 90) }
        #expect(await becomesTrue { budget.waiterCount == 1 })
        let small = Task { try await budget.acquire(byteCount: 40) }
        #expect(await becomesTrue { budget.waiterCount == 2 })
        large.cancel()
        await #expect(throws: CancellationError.self) { try await large.value }
        #expect(try await small.value == 40)
        #expect(budget.waiterCount == 0)
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await budget.acquire(byteCount: 0)
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test("A request above the budget is met when all of it is free")
    func requestAboveLimitIsClamped() async throws {
        let budget = MemoryBudget(limit: 100)
        #expect(try await budget.acquire(byteCount: 1000) == 100)
        let next = Task { try await budget.acquire(byteCount: 1) }
        #expect(await becomesTrue { budget.waiterCount == 1 })
        budget.release(byteCount: 100)
        #expect(try await next.value == 1)
    }

    @Test("A share shrinks, and is given back when its life ends")
    func shareShrinksAndIsReleased() async throws {
        let budget = MemoryBudget(limit: 100)
        func use() async throws {
            var share = MemoryReservation(from: budget)
            try await share.acquire(byteCount: 80)
            share.shrink(toByteCount: 30)
            share.shrink(toByteCount: 50)
            #expect(share.byteCount == 30)
            #expect(try await budget.acquire(byteCount: 70) == 70)
            budget.release(byteCount: 70)
            share.shrink(toByteCount: 30)
        }
        try await use()
        #expect(try await budget.acquire(byteCount: 100) == 100)
    }

    @Test(
        "Limits of control groups are read", arguments: [("max\n", nil), ("1048576\n", 1 << 20), ("", nil), ("0", nil)])
    func controlGroupLimitsAreParsed(_ text: String, _ expected: Int?) {
        #expect(AvailableMemory.parseMemoryLimit(text) == expected)
    }

    @Test("There is memory") func availableMemoryIsPositive() { #expect(AvailableMemory.byteCount > 64 << 20) }
}
