import Synchronization
import Testing

@testable import HTTPCalls

private struct Failure: Error, Equatable {}

@Suite("A search waits until the user pauses typing")
struct DebouncedSearchTests {
    @Test("only the last text is searched for, and equal ones once")
    func lastText() async throws {
        let searched = Mutex<[String]>([])
        let (pauses, pause) = AsyncStream.makeStream(of: Void.self)
        let search = DebouncedSearch(delay: .milliseconds(500)) { text in
            searched.withLock { $0.append(text) }
            return text.count
        } sleep: { delay in
            #expect(delay == .milliseconds(500))
            // Before the test goes on, so that this is the pause of the first text. The second text cancels it.
            let isFirst = pausesBegun.withLock { count in
                count += 1
                return count == 1
            }
            pause.yield()
            if isFirst { try await Task.sleep(for: .seconds(3600)) }
        }
        let first = Task { try await search.results(for: "a") }
        for await _ in pauses { break }
        #expect(try await search.results(for: "ab") == 2)
        #expect(try await first.value == nil)
        #expect(try await search.results(for: "ab") == nil)
        #expect(searched.withLock { $0 } == ["ab"])
    }

    private let pausesBegun = Counter()

    @Test("a text whose search failed is searched for again")
    func failure() async throws {
        let count = Counter()
        let search = DebouncedSearch(delay: .zero) { text in
            if count.withLock({
                $0 += 1; return $0
            }) == 1 {
                throw Failure()
            }
            return text
        }
        await #expect(throws: Failure.self) { try await search.results(for: "a") }
        #expect(try await search.results(for: "a") == "a")
    }
}

/// A counter that closures can share.
private final class Counter: Sendable {
    private let value = Mutex(0)
    func withLock<Result>(_ body: (inout sending Int) -> sending Result) -> Result { value.withLock(body) }
}

@Suite("An earlier answer replaces one that cannot be loaded")
struct CachedFallbackTests {
    @Test("requests are repeated, and then the last answer is returned with the error")
    func fallback() async throws {
        let answers = Mutex<[Int?]>([nil, 1, nil, nil, nil, 2])
        let cached = CachedFallback(attemptCount: 3) { () async throws(Failure) in
            guard let answer = answers.withLock({ $0.removeFirst() }) else { throw Failure() }
            return answer
        }
        let first = try await cached.load()
        #expect(first.content == 1 && first.error == nil)
        let second = try await cached.load()
        #expect(second.content == 1 && second.error == Failure())
        #expect(try await cached.load().content == 2 && cached.lastContent == 2)
        #expect(answers.withLock { $0.isEmpty })
    }

    @Test("without an earlier answer, the error is thrown, also after it was forgotten")
    func noFallback() async throws {
        let isBroken = Mutex(false)
        let cached = CachedFallback { () async throws(Failure) in
            if isBroken.withLock({ $0 }) { throw Failure() }
            return 1
        }
        #expect(try await cached.load().content == 1)
        isBroken.withLock { $0 = true }
        cached.forget()
        await #expect(throws: Failure.self) { try await cached.load() }
    }
}

@Suite("A change is shown before it is confirmed")
struct OptimisticValueTests {
    @Test("a confirmed change stays, and a refused one is reverted")
    func confirmedAndRefused() async throws {
        let value = OptimisticValue(1)
        let text = await value.change(to: 2) { content in
            #expect(value.content == 2 && value.confirmedContent == 1)
            return "\(content)"
        }
        #expect(text == "2" && value.content == 2 && value.confirmedContent == 2)
        await #expect(throws: Failure.self) {
            try await value.change(to: 3) { _ throws(Failure) in
                #expect(value.content == 3)
                throw Failure()
            }
        }
        #expect(value.content == 2 && value.confirmedContent == 2)
    }

    @Test("of several changes, the last that has not failed is shown", arguments: [true, false])
    func overlapping(_ innerFails: Bool) async throws {
        let value = OptimisticValue(1)
        await value.change(to: 2) { _ in
            do {
                try await value.change(to: 3) { _ throws(Failure) in
                    #expect(value.content == 3)
                    if innerFails { throw Failure() }
                }
            } catch { #expect(innerFails) }
            #expect(value.content == (innerFails ? 2 : 3))
        }
        #expect(value.content == (innerFails ? 2 : 3) && value.confirmedContent == value.content)
    }
}
