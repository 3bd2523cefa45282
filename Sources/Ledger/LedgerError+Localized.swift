#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension LedgerError: LocalizedError {
    /// The description, which includes the path. `localizedDescription` returns it.
    public var errorDescription: String? { description }
}
