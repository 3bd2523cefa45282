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
