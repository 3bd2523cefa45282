// `unsafe`: reads one environment variable through getenv.

internal import CPixelKernels

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The CPU instructions that the pixel kernels use. The output is bit-identical for every set.
public enum InstructionSet: String, CaseIterable, Sendable {
    /// Plain Swift: the reference for the other sets, and the fallback where none is available.
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

    /// Whether AVX2 code may be used with this set.
    package var includesAVX2: Bool { self == .avx2 || self == .avx512 }

    /// The fastest available set.
    public static let bestAvailable: InstructionSet = [.neon, .avx512, .avx2].first { $0.isAvailable } ?? .portable

    /// The set that the environment variable `PREP_SIMD` names, if it is available; otherwise the fastest. Read once.
    public static let selected: InstructionSet =
        requestedByEnvironment.flatMap(InstructionSet.init).flatMap { $0.isAvailable ? $0 : nil } ?? bestAvailable

    /// The value of the environment variable `PREP_SIMD`, which need not name a set; `nil` if it is unset or empty.
    public static var requestedByEnvironment: String? {
        unsafe getenv("PREP_SIMD").map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
