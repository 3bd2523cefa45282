import Dispatch
import Foundation
import MediaPrep
import Testing

@Suite("Work that blocks has threads of its own", .timeLimit(.minutes(20)))
struct BlockingThreadPoolTests {
    /// A guard against waiting for ever when something is wrong; nothing depends on how long it is.
    private static let watchdogTimeout = DispatchTimeInterval.seconds(3600)

    @Test("One thread does all the work of an executor of one, and it is not the caller's")
    func singleThreadPoolUsesOneOwnThread() async {
        let threads = BlockingThreadPool(threadCount: 1)
        let first = await threads.run { ThreadName.current }
        let caller = ThreadName.current
        let second = await threads.run { ThreadName.current }
        #expect(first == second)
        #expect(first != caller)
        #expect(first != ThreadName.current)
    }

    @Test("The result or error of the work is returned")
    func workResultsAndErrorsAreReturned() async throws {
        let threads = BlockingThreadPool(threadCount: 2)
        #expect(await threads.run { 6 * 7 } == 42)
        do throws(MediaError) {
            try await threads.run { () throws(MediaError) in
                throw MediaError(.maxBytesExceeded, verdict: .rejected, stage: .encode, message: "too large")
            }
            Issue.record("the error was lost")
        } catch {
            #expect(error.code == .maxBytesExceeded)
        }
    }

    @Test("While every codec thread is blocked, ordinary tasks run, sleep and wake")
    func blockedPoolDoesNotBlockTasks() async throws {
        // More than Swift has threads, so that if the work ran on those, not all of it could start.
        let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 1
        let threads = BlockingThreadPool(threadCount: count)
        let gate = DispatchSemaphore(value: 0)
        let (starts, started) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: DispatchTimeoutResult.self) { group in
            for _ in 0..<count {
                group.addTask {
                    await threads.run {
                        started.yield(ThreadName.current)
                        return gate.wait(timeout: .now() + Self.watchdogTimeout)
                    }
                }
            }
            let names = await starts.prefix(count).reduce(into: Set<String>()) { $0.insert($1) }
            #expect(names.count == count)

            try await Task.sleep(for: .milliseconds(1))
            let sum = await withTaskGroup(of: Int.self) { others in
                for number in 1...100 { others.addTask { number } }
                return await others.reduce(0, +)
            }
            #expect(sum == 5050)

            for _ in 0..<count { gate.signal() }
            for try await result in group { #expect(result == .success) }
        }
    }

    @Test("The shared threads are as many as processors may be used")
    func sharedPoolHasOneThreadPerProcessor() {
        #expect(BlockingThreadPool.shared.threadCount == AvailableProcessors.count)
    }

    #if os(Linux)
        @Test("The threads end when the last reference to their executor is released")
        func threadsEndWithLastReference() async throws {
            let tasks = try await Self.threadDirectories(of: BlockingThreadPool(threadCount: 3), 3)
            #expect(tasks.count == 3)
            #expect(await Self.becomesTrue { tasks.allSatisfy { !FileManager.default.fileExists(atPath: $0) } })
        }

        // In a process of its own: the threads of tests beside it have stacks, too.
        @Test("Threads that have ended give their stacks back")
        func endedThreadsReleaseTheirStacks() async throws {
            await #expect(processExitsWith: .success) {
                let before = try BlockingThreadPoolTests.mappedStackCount()
                for _ in 0..<300 { await BlockingThreadPool(threadCount: 1).run {} }
                // The C library itself keeps up to 40 MB of stacks for later threads.
                let areReleased = await BlockingThreadPoolTests.becomesTrue {
                    (try? BlockingThreadPoolTests.mappedStackCount()).map { $0 - before < 100 } ?? false
                }
                precondition(areReleased)
            }
        }

        /// Keeps all threads busy at once and gives the directory that the kernel has for each.
        private static func threadDirectories(of threads: BlockingThreadPool, _ count: Int) async throws -> Set<String>
        {
            let gate = DispatchSemaphore(value: 0)
            let (starts, started) = AsyncStream.makeStream(of: String.self)
            return await withTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        await threads.run {
                            let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
                            started.yield("/proc/" + (link ?? ""))
                            _ = gate.wait(timeout: .now() + watchdogTimeout)
                        }
                    }
                }
                let directories = await starts.prefix(count).reduce(into: Set<String>()) { $0.insert($1) }
                for _ in 0..<count { gate.signal() }
                return directories
            }
        }

        /// Below each stack is a page that may not be touched; hardly anything else has one.
        private static func mappedStackCount() throws -> Int {
            let handle = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps"))
            let map = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
            return map.split(separator: "\n").count { line in
                let fields = line.split(separator: " ")
                let ends = fields[0].split(separator: "-").map { Int($0, radix: 16) ?? 0 }
                return fields[1] == "---p" && ends[1] - ends[0] == sysconf(Int32(_SC_PAGESIZE))
            }
        }

        /// Whether `condition` holds within some seconds: threads end in their own time.
        private static func becomesTrue(_ condition: () -> Bool) async -> Bool {
            for _ in 0..<500 {
                if condition() { return true }
                try? await Task.sleep(for: .milliseconds(20))
            }
            return condition()
        }
    #endif
}

/// The identity of a thread.
enum ThreadName {
    static var current: String {
        #if canImport(Darwin)
            unsafe "\(pthread_self())"
        #else
            "\(pthread_self())"
        #endif
    }
}
