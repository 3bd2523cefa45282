import Testing

@testable import dev_backend

@Suite("Chance")
struct FaultDiceTests {
    private func rolls(_ faults: Faults, _ count: Int) -> [Faults.Fault] {
        let dice = FaultDice(faults)
        return (0..<count).map { _ in dice.roll(hasBody: true, mayChange: true) }
    }

    private func faults(_ change: (inout Faults) -> Void) -> Faults {
        var faults = Faults()
        (faults.errorRate, faults.resetRate, faults.dropRate) = (0.1, 0.05, 0.05)
        change(&faults)
        return faults
    }

    @Test("The same seed gives the same faults, another gives others")
    func repeatable() {
        let first = rolls(faults { $0.seed = 7 }, 1000)
        #expect(first == rolls(faults { $0.seed = 7 }, 1000))
        #expect(first != rolls(faults { $0.seed = 8 }, 1000))
    }

    @Test("Each fault has its share")
    func shares() {
        let rolls = rolls(faults { _ in }, 20_000)
        var (errors, resets, drops) = (0, 0, 0)
        for roll in rolls {
            switch roll {
            case .error(let status):
                errors += 1
                #expect([500, 502, 503, 504].contains(status))
            case .reset(let share):
                resets += 1
                #expect((0..<1).contains(share))
            case .drop: drops += 1
            case .none, .busy: break
            }
        }
        // Five standard deviations: 42 and 31.
        #expect(abs(errors - 2000) < 212)
        #expect(abs(resets - 1000) < 155)
        #expect(abs(drops - 1000) < 155)
    }

    @Test("A burst answers as many requests as it has")
    func bursts() {
        let rolls = rolls(faults { ($0.busyRate, $0.busyBurst) = (0.02, 4) }, 2000)
        let runs = rolls.split { $0 != .busy }.map(\.count)
        #expect(!runs.isEmpty)
        // Two may follow each other.
        #expect(runs.dropLast().allSatisfy { $0.isMultiple(of: 4) })
    }

    @Test("A script comes before chance, and what can't be done is left out")
    func script() {
        let dice = FaultDice(faults { ($0.script, $0.errorRate, $0.resetRate) = ([.drop, .busy], 0, 1) })
        #expect(dice.roll(hasBody: true, mayChange: true) == .drop)
        #expect(dice.roll(hasBody: true, mayChange: true) == .busy)
        #expect(dice.roll(hasBody: false, mayChange: false) == .none)
        guard case .reset = dice.roll(hasBody: true, mayChange: true) else {
            Issue.record("a reset was certain")
            return
        }
    }
}
