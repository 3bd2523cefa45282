internal import Synchronization

/// Selects the fault of each request, and counts requests and faults.
final class FaultInjector: Sendable {
    fileprivate struct State {
        var faults: FaultConfiguration
        var randomNumbers: SeededRandomNumbers
        /// The number of scripted faults that were used.
        var nextScriptedFaultIndex = 0
        /// The number of requests left in the current burst.
        var remainingBurstRequests = 0
        var requestCount = 0
        var faultCounts = FaultCounts()
        var droppedFileDigests: [String] = []
    }

    private let state: Mutex<State>

    init(faults: FaultConfiguration) {
        state = Mutex(State(faults: faults, randomNumbers: SeededRandomNumbers(seed: faults.seed)))
    }

    var faults: FaultConfiguration { state.withLock { $0.faults } }
    var requestCount: Int { state.withLock { $0.requestCount } }
    var faultCounts: FaultCounts { state.withLock { $0.faultCounts } }
    /// The SHA-256 digests in hexadecimal of the files of requests that were committed without a response, in that
    /// order.
    var droppedFileDigests: [String] { state.withLock { $0.droppedFileDigests } }

    /// Replaces the configuration from the next request on, and restarts the random numbers.
    func updateFaults(_ faults: FaultConfiguration) {
        state.withLock {
            ($0.faults, $0.randomNumbers) = (faults, SeededRandomNumbers(seed: faults.seed))
            ($0.nextScriptedFaultIndex, $0.remainingBurstRequests) = (0, 0)
        }
    }

    func countRequest() { state.withLock { $0.requestCount += 1 } }

    func incrementCount(_ counter: any WritableKeyPath<FaultCounts, Int> & Sendable) {
        state.withLock { $0.faultCounts[keyPath: counter] += 1 }
    }

    func recordDroppedResponse(fileDigests: [String]) {
        state.withLock {
            $0.faultCounts.droppedResponses += 1
            $0.droppedFileDigests += fileDigests
        }
    }

    /// Returns the fault of the next request.
    ///
    /// - Parameters:
    ///   - hasBody: Whether the request has a body.
    ///   - mayChangeState: Whether the method is neither GET nor HEAD.
    func nextFault(hasBody: Bool, mayChangeState: Bool) -> FaultConfiguration.Fault {
        state.withLock { $0.nextFault(hasBody: hasBody, mayChangeState: mayChangeState) }
    }
}

extension FaultInjector.State {
    fileprivate mutating func nextFault(hasBody: Bool, mayChangeState: Bool) -> FaultConfiguration.Fault {
        if nextScriptedFaultIndex < faults.scriptedFaults.count {
            nextScriptedFaultIndex += 1
            return faults.scriptedFaults[nextScriptedFaultIndex - 1]
        }
        // Each request uses three random numbers, whatever the configuration, so that the faults are reproducible.
        let (burst, kind, detail) = (
            randomNumbers.nextUnitDouble(), randomNumbers.nextUnitDouble(), randomNumbers.nextUnitDouble()
        )
        if self.remainingBurstRequests == 0, burst < faults.rateLimitBurstRate {
            self.remainingBurstRequests = faults.rateLimitBurstLength
        }
        if self.remainingBurstRequests > 0 {
            self.remainingBurstRequests -= 1
            return .tooManyRequests
        }
        var bound = faults.errorRate
        if kind < bound { return .errorStatus([500, 502, 503, 504][Int(detail * 4)]) }
        bound += faults.resetRate
        if kind < bound { return hasBody ? .resetWithinBody(detail) : .none }
        bound += faults.dropRate
        return kind < bound && mayChangeState ? .dropResponse : .none
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014). Unlike the system's generator, it is reproducible.
struct SeededRandomNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Returns the next number in 0..<1.
    mutating func nextUnitDouble() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
    }
}
