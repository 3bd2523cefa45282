internal import Batch
internal import Imaging

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension InstructionSet {
    /// Selects the instruction set that the environment variable `PREP_SIMD` requests, before the first image is
    /// prepared.
    ///
    /// - Throws: `BatchError` if it is unavailable, instead of silently using another.
    static func selectRequestedSet() throws(BatchError) {
        let name = ProcessInfo.processInfo.environment["PREP_SIMD"]
        do throws(SelectionError) {
            try selectForProcess(named: name)
        } catch {
            let available = allCases.filter(\.isAvailable).map(\.rawValue).joined(separator: ", ")
            throw switch error {
            case .unavailable:
                BatchError(
                    .invalidOption,
                    message: "PREP_SIMD asks for \(name ?? ""); this build on this machine has \(available)")
            case .tooLate:
                BatchError(
                    .invalidOption, message: "PREP_SIMD asks for \(name ?? ""), and another set is already in use")
            }
        }
    }
}
