internal import Synchronization

/// The weight tables made lately. Making those of one photo takes about as long as resizing a small one, and the planes
/// of a photo, and the photos of a directory, mostly share them.
final class CoefficientCache: Sendable {
    struct CoefficientKey: Hashable {
        var mapping: AxisMapping
        var filter: ResampleFilter
        var pass: FilterCoefficients.ConvolutionPass
    }

    /// Weights that are kept: 8 MiB of them. A photo's four tables have some 100,000 together; one of a very wide
    /// picture may have a million.
    private static let maxCoefficientCount = 4 << 20

    static let shared = CoefficientCache()

    private struct CoefficientCacheState {
        var coefficientsByKey: [CoefficientKey: FilterCoefficients] = [:]
        var coefficientCount = 0
    }

    private let state = Mutex(CoefficientCacheState())

    /// The table for `key`, made outside the lock if it isn't there: two threads may both make it, and get the same.
    func coefficients(for key: CoefficientKey) -> FilterCoefficients {
        if let cached = state.withLock({ $0.coefficientsByKey[key] }) { return cached }
        let computed = FilterCoefficients(mapping: key.mapping, filter: key.filter, pass: key.pass)
        state.withLock {
            if $0.coefficientCount + computed.values.count > Self.maxCoefficientCount { $0 = CoefficientCacheState() }
            if $0.coefficientsByKey.updateValue(computed, forKey: key) == nil {
                $0.coefficientCount += computed.values.count
            }
        }
        return computed
    }
}
