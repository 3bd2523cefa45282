/// Returns how many rounds a randomized test runs: `count`, or a quarter of it in tests compiled without optimization.
///
/// Optimized tests are ten times as fast. The gate runs them under AddressSanitizer.
public func randomizedRounds(_ count: Int) -> Int { isOptimized ? count : count / 4 }

/// Whether the tests are compiled with optimization, which drops `assert`.
public let isOptimized: Bool = {
    var isOptimized = true
    assert(
        {
            isOptimized = false
            return true
        }())
    return isOptimized
}()
