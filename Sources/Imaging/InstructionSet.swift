internal import CPixelKernels

/// The CPU instructions that the pixel kernels and the fast decoders use. The output is bit-identical for every set.
public enum InstructionSet: String, CaseIterable, Sendable {
    /// Plain Swift and C: the reference for the other sets, and the fallback where none is available.
    case portable
    /// 256-bit integer SIMD of x86-64.
    case avx2
    /// 512-bit SIMD of x86-64 for the vertical pass, where it is faster than AVX2; AVX2 for the rest.
    case avx512
    /// 128-bit SIMD of arm64.
    case neon

    /// Whether the build has kernels for this set and the CPU supports it.
    public var isAvailable: Bool {
        switch self {
        case .portable: true
        case .avx2: prep_cpu_has_avx2()
        case .avx512: prep_cpu_has_avx512()
        case .neon:
            #if arch(arm64)
                true
            #else
                false
            #endif
        }
    }

    /// The fastest available set.
    public static let bestAvailable: InstructionSet = [.neon, .avx512, .avx2].first { $0.isAvailable } ?? .portable

    private static let processDefault = ProcessDefault(bestAvailable)

    /// The set that is used where none is named: the fastest, unless the process selected another one before.
    public static var selected: InstructionSet { processDefault.value }

    /// Selects the set that is used where none is named. It must be available.
    ///
    /// - Returns: `false` if another set is already in use.
    package static func select(_ set: InstructionSet) -> Bool {
        precondition(set.isAvailable, "the instruction set is unavailable")
        return processDefault.set(set)
    }

    /// The error of a selection that cannot take effect.
    package enum SelectionError: Error {
        /// The name is not that of a set, or this build or CPU does not have it.
        case unavailable
        /// Another set is already in use.
        case tooLate
    }

    /// Selects the set that is used where none is named, by the value of the environment variable `PREP_SIMD`.
    ///
    /// - Parameter name: The name of a set; `nil` or empty for no selection.
    /// - Throws: ``SelectionError``.
    package static func selectForProcess(named name: String?) throws(SelectionError) {
        guard let name, !name.isEmpty else { return }
        guard let set = InstructionSet(rawValue: name), set.isAvailable else { throw .unavailable }
        guard select(set) else { throw .tooLate }
    }
}
