#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesError: LocalizedError {
    /// The message, which `localizedDescription` returns.
    public var errorDescription: String? { description }
}
