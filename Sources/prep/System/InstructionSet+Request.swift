internal import Imaging

extension InstructionSet {
    /// Checks that the instruction set that `PREP_SIMD` requests is available.
    ///
    /// - Throws: `RunError` if it is not, instead of silently using another.
    static func validateRequestedSet() throws(RunError) {
        guard let name = requestedByEnvironment, InstructionSet(rawValue: name)?.isAvailable != true else { return }
        let available = allCases.filter(\.isAvailable).map(\.rawValue).joined(separator: ", ")
        throw RunError("PREP_SIMD asks for \(name); this build on this machine has \(available)")
    }
}
