internal import Synchronization

/// A cache of filter coefficients.
///
/// Computing the coefficients of one image takes about as long as resizing a small one. The planes of an image, and
/// the images of a directory, mostly share them.
final class CoefficientCache: Sendable {
    struct CoefficientKey: Hashable {
        var mapping: AxisMapping
        var filter: ResampleFilter
        var pass: FilterCoefficients.ConvolutionPass
    }

    /// The maximum number of cached coefficients, which take 8 MiB. The four tables of a photo have some 100,000
    /// together; one table of a very wide image may have a million.
    private static let maxCoefficientCount = 4 << 20

    static let shared = CoefficientCache()

    private struct CoefficientCacheState {
        var coefficientsByKey: [CoefficientKey: FilterCoefficients] = [:]
        var coefficientCount = 0
    }

    private let state = Mutex(CoefficientCacheState())

    /// Returns the coefficients for `key`, computed if they are not cached.
    ///
    /// They are computed outside the lock, so two threads may both compute the same coefficients.
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
