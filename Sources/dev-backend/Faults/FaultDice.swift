internal import Synchronization

/// Decides what happens to each request, and counts it.
final class FaultDice: Sendable {
    fileprivate struct State {
        var faults: Faults
        var numbers: RandomNumbers
        /// How many of the script were used.
        var scripted = 0
        /// How many requests of a burst are left.
        var burst = 0
        var requests = 0
        var counts = FaultCounts()
        var dropped: [String] = []
    }

    private let state: Mutex<State>

    init(_ faults: Faults) { state = Mutex(State(faults: faults, numbers: RandomNumbers(seed: faults.seed))) }

    var faults: Faults { state.withLock { $0.faults } }
    var requestCount: Int { state.withLock { $0.requests } }
    var counts: FaultCounts { state.withLock { $0.counts } }
    /// SHA-256 of the files of each request that was committed and its answer dropped, in hexadecimal, in that order.
    var dropped: [String] { state.withLock { $0.dropped } }

    /// From the next request on. The numbers begin again.
    func update(_ faults: Faults) {
        state.withLock {
            ($0.faults, $0.numbers) = (faults, RandomNumbers(seed: faults.seed))
            ($0.scripted, $0.burst) = (0, 0)
        }
    }

    func countRequest() { state.withLock { $0.requests += 1 } }

    func count(_ counter: any WritableKeyPath<FaultCounts, Int> & Sendable) {
        state.withLock { $0.counts[keyPath: counter] += 1 }
    }

    func countDrop(_ digests: [String]) {
        state.withLock {
            $0.counts.drops += 1
            $0.dropped += digests
        }
    }

    /// What happens to the next request.
    func roll(hasBody: Bool, mayChange: Bool) -> Faults.Fault {
        state.withLock { $0.roll(hasBody: hasBody, mayChange: mayChange) }
    }
}

extension FaultDice.State {
    fileprivate mutating func roll(hasBody: Bool, mayChange: Bool) -> Faults.Fault {
        if scripted < faults.script.count {
            scripted += 1
            return faults.script[scripted - 1]
        }
        // As many numbers for each request, whatever comes of them.
        let (burst, kind, detail) = (numbers.unit(), numbers.unit(), numbers.unit())
        if self.burst == 0, burst < faults.busyRate { self.burst = faults.busyBurst }
        if self.burst > 0 {
            self.burst -= 1
            return .busy
        }
        var bound = faults.errorRate
        if kind < bound { return .error([500, 502, 503, 504][Int(detail * 4)]) }
        bound += faults.resetRate
        if kind < bound { return hasBody ? .reset(detail) : .none }
        bound += faults.dropRate
        return kind < bound && mayChange ? .drop : .none
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): repeatable, which the system's generator isn't.
struct RandomNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// From 0 up to but not 1.
    mutating func unit() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
    }
}
