#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesError: LocalizedError {
    /// The sentence: what `localizedDescription` returns.
    public var errorDescription: String? { description }
}
