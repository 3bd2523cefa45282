import Testing

@testable import dev_backend

@Suite("Random faults")
struct FaultRandomizerTests {
    private func rolledFaults(_ faults: FaultConfiguration, count: Int) -> [FaultConfiguration.Fault] {
        let dice = FaultInjector(faults: faults)
        return (0..<count).map { _ in dice.nextFault(hasBody: true, mayChangeState: true) }
    }

    private func makeFaults(_ change: (inout FaultConfiguration) -> Void) -> FaultConfiguration {
        var faults = FaultConfiguration()
        (faults.errorRate, faults.resetRate, faults.dropRate) = (0.1, 0.05, 0.05)
        change(&faults)
        return faults
    }

    @Test("The same seed gives the same faults, and another seed gives others")
    func sameSeedGivesSameFaults() {
        let first = rolledFaults(makeFaults { $0.seed = 7 }, count: 1000)
        #expect(first == rolledFaults(makeFaults { $0.seed = 7 }, count: 1000))
        #expect(first != rolledFaults(makeFaults { $0.seed = 8 }, count: 1000))
    }

    @Test("Each fault has the configured probability")
    func faultsOccurAtTheirRates() {
        let rolls = rolledFaults(makeFaults { _ in }, count: 20_000)
        var (errors, resets, drops) = (0, 0, 0)
        for roll in rolls {
            switch roll {
            case .errorStatus(let status):
                errors += 1
                #expect([500, 502, 503, 504].contains(status))
            case .resetWithinBody(let share):
                resets += 1
                #expect((0..<1).contains(share))
            case .dropResponse: drops += 1
            case .none, .tooManyRequests, .htmlPage, .cutResponse: break
            }
        }
        // Five standard deviations are 42 and 31.
        #expect(abs(errors - 2000) < 212)
        #expect(abs(resets - 1000) < 155)
        #expect(abs(drops - 1000) < 155)
    }

    @Test("A burst has the configured number of requests")
    func burstAnswersItsRequestCount() {
        let rolls = rolledFaults(
            makeFaults { ($0.rateLimitBurstRate, $0.rateLimitBurstLength) = (0.02, 4) }, count: 2000)
        let runs = rolls.split { $0 != .tooManyRequests }.map(\.count)
        #expect(!runs.isEmpty)
        // Two bursts may be adjacent.
        #expect(runs.dropLast().allSatisfy { $0.isMultiple(of: 4) })
    }

    @Test("A script precedes random faults, and impossible faults are omitted")
    func scriptedFaultsPrecedeRandomOnes() {
        let dice = FaultInjector(
            faults: makeFaults {
                ($0.scriptedFaults, $0.errorRate, $0.resetRate) = ([.dropResponse, .tooManyRequests], 0, 1)
            })
        #expect(dice.nextFault(hasBody: true, mayChangeState: true) == .dropResponse)
        #expect(dice.nextFault(hasBody: true, mayChangeState: true) == .tooManyRequests)
        #expect(dice.nextFault(hasBody: false, mayChangeState: false) == .none)
        guard case .resetWithinBody = dice.nextFault(hasBody: true, mayChangeState: true) else {
            Issue.record("a reset was certain")
            return
        }
    }
}
