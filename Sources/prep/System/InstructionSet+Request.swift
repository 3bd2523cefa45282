internal import Imaging

extension InstructionSet {
    /// Asking for instructions that can't be had is a mistake worth telling, not one to pass over.
    static func validateRequestedSet() throws(RunError) {
        guard let name = requestedByEnvironment, InstructionSet(rawValue: name)?.isAvailable != true else { return }
        let available = allCases.filter(\.isAvailable).map(\.rawValue).joined(separator: ", ")
        throw RunError("PREP_SIMD asks for \(name); this build on this machine has \(available)")
    }
}
