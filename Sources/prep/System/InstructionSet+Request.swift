internal import Batch
internal import Imaging

extension InstructionSet {
    /// Checks that the instruction set that `PREP_SIMD` requests is available.
    ///
    /// - Throws: `BatchError` if it is not, instead of silently using another.
    static func validateRequestedSet() throws(BatchError) {
        guard let name = requestedByEnvironment, InstructionSet(rawValue: name)?.isAvailable != true else { return }
        let available = allCases.filter(\.isAvailable).map(\.rawValue).joined(separator: ", ")
        throw BatchError(
            .invalidOption, message: "PREP_SIMD asks for \(name); this build on this machine has \(available)")
    }
}
