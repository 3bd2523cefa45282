// `unsafe`: passes the addresses of spans to the C kernels, after checking the ranges that those access.

internal import CPixelKernels

/// The horizontal pass of the resampler.
extension PixelKernels {
    /// Horizontal pass: `out[start + i] = clamp((Σ values[i · taps + k] · row[sourceStarts[i] + k] + ½) >> shift)`.
    ///
    /// - Parameters:
    ///   - row: The intermediate row, padded by `paddedTapCount` samples.
    ///   - table: The coefficients. Their number of source starts is the number of outputs.
    ///   - out: Receives the samples.
    ///   - start: The index in `out` of the first sample.
    func convolveHorizontally(
        _ row: Span<Int16>, coefficients table: FilterCoefficients, into out: inout ContiguousArray<UInt8>,
        at start: Int
    ) {
        Self.checkHorizontalConvolution(row, table, outputCount: out.count, at: start)
        let shift = table.rightShift
        guard let kernel = unsafe horizontalConvolutionFunction else {
            return PortablePixelKernels.convolveHorizontally(
                row, coefficients: table, shift: shift, into: &out, at: start)
        }
        unsafe Self.withHorizontalArguments(row, table, &out) { row, starts, values, taps, count, out in
            unsafe kernel(row, starts, values, taps, shift, count, out + start)
        }
    }

    /// The horizontal pass with 16-bit results, which keep the 6 fractional bits of the row.
    ///
    /// - Parameters:
    ///   - row: The intermediate row, padded by `paddedTapCount` samples.
    ///   - table: The coefficients. Their number of source starts is the number of outputs.
    ///   - out: Receives the samples.
    ///   - start: The index in `out` of the first sample.
    func convolveHorizontally(
        _ row: Span<Int16>, coefficients table: FilterCoefficients, into out: inout ContiguousArray<Int16>,
        at start: Int
    ) {
        Self.checkHorizontalConvolution(row, table, outputCount: out.count, at: start)
        let shift = table.rightShift - FilterCoefficients.intermediateFractionBits
        guard let kernel = unsafe wideHorizontalConvolutionFunction else {
            return PortablePixelKernels.convolveHorizontally(
                row, coefficients: table, shift: shift, into: &out, at: start)
        }
        unsafe Self.withHorizontalArguments(row, table, &out) { row, starts, values, taps, count, out in
            unsafe kernel(row, starts, values, taps, shift, count, out + start)
        }
    }

    /// Checks that a horizontal pass stays within its arguments.
    private static func checkHorizontalConvolution(
        _ row: Span<Int16>, _ table: FilterCoefficients, outputCount: Int, at start: Int
    ) {
        let count = table.sourceStarts.count
        precondition(count % outputBlockSize == 0 && start >= 0 && start + count <= outputCount)
        precondition(
            table.paddedTapCount % 16 == 0 && table.values.count == table.paddedTapCount * count
                && table.maxSourceStart + table.paddedTapCount <= row.count)
    }

    /// Calls `body` with the addresses of the row, of the source starts and of the coefficients, with the numbers of
    /// taps and of outputs, and with the address of the output.
    @inline(__always)
    private static func withHorizontalArguments<Sample>(
        _ row: Span<Int16>, _ table: FilterCoefficients, _ out: inout ContiguousArray<Sample>,
        _ body: (
            UnsafePointer<Int16>, UnsafePointer<Int32>, UnsafePointer<Int16>, Int32, Int32, UnsafeMutablePointer<Sample>
        ) -> Void
    ) {
        unsafe row.withUnsafeBufferPointer { row in
            unsafe table.sourceStarts.withUnsafeBufferPointer { starts in
                unsafe table.values.withUnsafeBufferPointer { values in
                    unsafe out.withUnsafeMutableBufferPointer { out in
                        guard let row = row.baseAddress, let first = starts.baseAddress,
                            let values = values.baseAddress, let out = out.baseAddress
                        else { return }
                        unsafe body(row, first, values, Int32(table.paddedTapCount), Int32(starts.count), out)
                    }
                }
            }
        }
    }

    private typealias HorizontalConvolutionFunction =
        @convention(c) (
            UnsafePointer<Int16>, UnsafePointer<Int32>, UnsafePointer<Int16>, Int32, Int32, Int32,
            UnsafeMutablePointer<UInt8>
        ) -> Void

    private typealias WideHorizontalConvolutionFunction =
        @convention(c) (
            UnsafePointer<Int16>, UnsafePointer<Int32>, UnsafePointer<Int16>, Int32, Int32, Int32,
            UnsafeMutablePointer<Int16>
        ) -> Void

    private var horizontalConvolutionFunction: HorizontalConvolutionFunction? {
        switch instructionSet {
        #if arch(x86_64)
            case .avx2, .avx512: unsafe prep_convolve_horizontally_avx2
        #elseif arch(arm64)
            case .neon: unsafe prep_convolve_horizontally_neon
        #endif
        default: nil
        }
    }

    private var wideHorizontalConvolutionFunction: WideHorizontalConvolutionFunction? {
        switch instructionSet {
        #if arch(x86_64)
            case .avx2, .avx512: unsafe prep_convolve_horizontally_to_16_bits_avx2
        #elseif arch(arm64)
            case .neon: unsafe prep_convolve_horizontally_to_16_bits_neon
        #endif
        default: nil
        }
    }
}
