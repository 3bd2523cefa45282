// `unsafe`: reads one environment variable through getenv.

internal import CPixelKernels

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The instructions that the pixel kernels use. The output is the same, bit for bit, for every one of them.
public enum InstructionSet: String, CaseIterable, Sendable {
    /// Plain Swift: the specification of the others, and what runs where none of them does.
    case portable
    /// 256-bit integer SIMD of x86-64.
    case avx2
    /// 512-bit SIMD of x86-64, where it is faster than AVX2: in the vertical pass.
    case avx512
    /// 128-bit SIMD of arm64.
    case neon

    /// Whether kernels for this set are built in and this CPU runs them.
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

    /// Whether what needs AVX2 may run beside this set.
    package var includesAVX2: Bool { self == .avx2 || self == .avx512 }

    /// The fastest set that is available.
    public static let bestAvailable: InstructionSet = [.neon, .avx512, .avx2].first { $0.isAvailable } ?? .portable

    /// What `PREP_SIMD` asks for, if that is an available set; otherwise the best one. Read once.
    public static let selected: InstructionSet =
        requestedByEnvironment.flatMap(InstructionSet.init).flatMap { $0.isAvailable ? $0 : nil } ?? bestAvailable

    /// The environment's `PREP_SIMD`, whether it names a set or not; nil where it is empty.
    public static var requestedByEnvironment: String? {
        unsafe getenv("PREP_SIMD").map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
