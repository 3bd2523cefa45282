// `unsafe`: names C kernels, whose arguments are checked before they are called.

internal import CPixelKernels

extension PixelKernels {
    /// The vertical pass for samples of two bytes, the lower one first, of at most 4095.
    ///
    /// - Parameters:
    ///   - rows: The bytes of all source rows.
    ///   - rowOffsets: The start of each tap's row in `rows`.
    ///   - coefficients: One coefficient for each tap. Their number is even.
    ///   - shift: The right shift of the sums, in bits.
    ///   - columnCount: The number of columns to write, a multiple of `columnBlockSize`.
    ///   - out: Receives the intermediate row.
    func convolveWideRowsVertically(
        _ rows: Span<UInt8>, rowOffsets: Span<Int32>, coefficients: Span<Int16>, shift: Int32, columnCount: Int,
        into out: inout ContiguousArray<Int16>
    ) {
        Self.checkVerticalConvolution(
            rows, rowOffsets, coefficients, rowByteCount: 2 * columnCount, columnCount: columnCount,
            outputCount: out.count)
        guard let kernel = unsafe wideRowConvolutionFunction else {
            return PortablePixelKernels.convolveWideRowsVertically(
                rows, rowOffsets: rowOffsets, coefficients: coefficients, shift: shift, columnCount: columnCount,
                into: &out)
        }
        unsafe Self.convolveVertically(
            rows, rowOffsets, coefficients, shift: shift, columnCount: columnCount, into: &out, with: kernel)
    }

    private var wideRowConvolutionFunction: VerticalConvolutionFunction? {
        switch instructionSet {
        #if arch(x86_64)
            case .avx2, .avx512: unsafe prep_convolve_wide_rows_vertically_avx2
        #elseif arch(arm64)
            case .neon: unsafe prep_convolve_wide_rows_vertically_neon
        #endif
        default: nil
        }
    }
}
