#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension LedgerError: LocalizedError {
    /// The sentence with the path: what `localizedDescription` returns.
    public var errorDescription: String? { description }
}
