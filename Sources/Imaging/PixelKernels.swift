// `unsafe`: passes the addresses of spans to the C kernels, after checking the ranges that those access.

internal import CPixelKernels

/// The inner loops of resampling and of color conversion for one instruction set.
package struct PixelKernels: Sendable {
    /// The number of columns in a block of the vertical pass. Row widths are padded to a multiple of it.
    static let columnBlockSize = 64
    /// The number of outputs in a block of the horizontal pass.
    static let outputBlockSize = 8

    let instructionSet: InstructionSet

    /// Creates the kernels for `instructionSet`, or the portable ones if it is unavailable.
    package init(instructionSet: InstructionSet) {
        self.instructionSet = instructionSet.isAvailable ? instructionSet : .portable
    }

    /// Vertical pass: `out[x] = (Σ coefficients[k] · rows[rowOffsets[k] + x] + ½) >> shift`.
    ///
    /// - Parameters:
    ///   - rows: The samples of all source rows.
    ///   - rowOffsets: The start of each tap's row in `rows`.
    ///   - coefficients: One coefficient for each tap. Their number is even.
    ///   - shift: The right shift of the sums, in bits.
    ///   - columnCount: The number of columns to write, a multiple of `columnBlockSize`.
    ///   - out: Receives the intermediate row.
    func convolveVertically(
        _ rows: Span<UInt8>, rowOffsets: Span<Int32>, coefficients: Span<Int16>, shift: Int32, columnCount: Int,
        into out: inout ContiguousArray<Int16>
    ) {
        Self.checkVerticalConvolution(
            rows, rowOffsets, coefficients, rowByteCount: columnCount, columnCount: columnCount, outputCount: out.count)
        guard let kernel = unsafe verticalConvolutionFunction else {
            return PortablePixelKernels.convolveVertically(
                rows, rowOffsets: rowOffsets, coefficients: coefficients, shift: shift, columnCount: columnCount,
                into: &out)
        }
        unsafe Self.convolveVertically(
            rows, rowOffsets, coefficients, shift: shift, columnCount: columnCount, into: &out, with: kernel)
    }

    /// Checks that a vertical pass stays within its arguments.
    static func checkVerticalConvolution(
        _ rows: Span<UInt8>, _ rowOffsets: Span<Int32>, _ coefficients: Span<Int16>, rowByteCount: Int,
        columnCount: Int, outputCount: Int
    ) {
        precondition(columnCount % columnBlockSize == 0 && columnCount <= outputCount)
        precondition(coefficients.count % 2 == 0 && coefficients.count == rowOffsets.count)
        for k in rowOffsets.indices {
            precondition(rowOffsets[k] >= 0 && Int(rowOffsets[k]) + rowByteCount <= rows.count)
        }
    }

    /// Calls a kernel of the vertical pass, whose arguments are checked.
    @inline(__always)
    static func convolveVertically(
        _ rows: Span<UInt8>, _ rowOffsets: Span<Int32>, _ coefficients: Span<Int16>, shift: Int32, columnCount: Int,
        into out: inout ContiguousArray<Int16>, with kernel: VerticalConvolutionFunction
    ) {
        unsafe rows.withUnsafeBufferPointer { rows in
            unsafe rowOffsets.withUnsafeBufferPointer { rowOffsets in
                unsafe coefficients.withUnsafeBufferPointer { coefficients in
                    unsafe out.withUnsafeMutableBufferPointer { out in
                        guard let rows = rows.baseAddress, let rowOffsets = rowOffsets.baseAddress,
                            let first = coefficients.baseAddress, let out = out.baseAddress
                        else { return }
                        unsafe kernel(
                            rows, rowOffsets, first, Int32(coefficients.count), shift, Int32(columnCount), out)
                    }
                }
            }
        }
    }

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
                row, sourceStarts: table.sourceStarts.span, coefficients: table.values.span,
                paddedTapCount: table.paddedTapCount, shift: shift, into: &out, at: start)
        }
        let (taps, count) = (Int32(table.paddedTapCount), Int32(table.sourceStarts.count))
        unsafe Self.withHorizontalArguments(row, table, &out) { row, starts, values, out in
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
                row, sourceStarts: table.sourceStarts.span, coefficients: table.values.span,
                paddedTapCount: table.paddedTapCount, shift: shift, into: &out, at: start)
        }
        let (taps, count) = (Int32(table.paddedTapCount), Int32(table.sourceStarts.count))
        unsafe Self.withHorizontalArguments(row, table, &out) { row, starts, values, out in
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

    /// Calls `body` with the addresses of the row, of the source starts, of the coefficients and of the output.
    @inline(__always)
    private static func withHorizontalArguments<Sample>(
        _ row: Span<Int16>, _ table: FilterCoefficients, _ out: inout ContiguousArray<Sample>,
        _ body: (
            UnsafePointer<Int16>, UnsafePointer<Int32>, UnsafePointer<Int16>, UnsafeMutablePointer<Sample>
        ) -> Void
    ) {
        unsafe row.withUnsafeBufferPointer { row in
            unsafe table.sourceStarts.withUnsafeBufferPointer { starts in
                unsafe table.values.withUnsafeBufferPointer { values in
                    unsafe out.withUnsafeMutableBufferPointer { out in
                        guard let row = row.baseAddress, let starts = starts.baseAddress,
                            let values = values.baseAddress, let out = out.baseAddress
                        else { return }
                        unsafe body(row, starts, values, out)
                    }
                }
            }
        }
    }

    /// Converts RGB pixels to Y, Cb and Cr, full range. Source: ITU-T T.871 (JFIF), section 7.
    ///
    /// - Parameters:
    ///   - pixels: 3 bytes a pixel; 4 with a background, the last of them alpha.
    ///   - background: The 3 bytes of the color that transparent pixels are blended with.
    ///   - planes: Receives the samples.
    ///   - starts: The indices in `planes` of the first samples of Y, Cb and Cr.
    package func convertRGBToYCbCr(
        _ pixels: Span<UInt8>, background: [UInt8]? = nil, into planes: inout ContiguousArray<UInt8>,
        planeOffsets starts: [Int]
    ) {
        let channels = background == nil ? 3 : 4, count = pixels.count / channels
        precondition(starts.count == 3 && background?.count ?? 3 == 3)
        for start in starts { precondition(start >= 0 && start + count <= planes.count) }
        var convertedCount = 0
        if let kernel = unsafe rgbToYCbCrFunction {
            convertedCount = count / 8 * 8
            unsafe pixels.withUnsafeBufferPointer { pixels in
                unsafe planes.withUnsafeMutableBufferPointer { planes in
                    guard let pixels = pixels.baseAddress, let planes = planes.baseAddress else { return }
                    unsafe kernel(
                        pixels, background, Int32(convertedCount), planes + starts[0], planes + starts[1],
                        planes + starts[2])
                }
            }
        }
        PortablePixelKernels.convertRGBToYCbCr(
            pixels, range: convertedCount..<count, background: background, into: &planes, planeOffsets: starts)
    }

    typealias VerticalConvolutionFunction =
        @convention(c) (
            UnsafePointer<UInt8>, UnsafePointer<Int32>, UnsafePointer<Int16>, Int32, Int32, Int32,
            UnsafeMutablePointer<Int16>
        ) -> Void

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

    private typealias RGBToYCbCrFunction =
        @convention(c) (
            UnsafePointer<UInt8>, UnsafePointer<UInt8>?, Int32, UnsafeMutablePointer<UInt8>,
            UnsafeMutablePointer<UInt8>,
            UnsafeMutablePointer<UInt8>
        ) -> Void

    private var verticalConvolutionFunction: VerticalConvolutionFunction? {
        switch instructionSet {
        #if arch(x86_64)
            case .avx2: unsafe prep_convolve_vertically_avx2
            case .avx512: unsafe prep_convolve_vertically_avx512
        #elseif arch(arm64)
            case .neon: unsafe prep_convolve_vertically_neon
        #endif
        default: nil
        }
    }

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

    private var rgbToYCbCrFunction: RGBToYCbCrFunction? {
        switch instructionSet {
        #if arch(x86_64)
            case .avx2, .avx512: unsafe prep_convert_rgb_to_ycbcr_avx2
        #elseif arch(arm64)
            case .neon: unsafe prep_convert_rgb_to_ycbcr_neon
        #endif
        default: nil
        }
    }
}
