// `unsafe`: hands the addresses of spans to the C kernels, after checking what those will touch.

internal import CPixelKernels

/// The inner loops of resampling and of colour conversion for one instruction set.
package struct Kernels: Sendable {
    /// Columns that the vertical pass works on at a time; widths of rows are multiples of it.
    static let columnBlock = 64
    /// Outputs that the horizontal pass works on at a time.
    static let outputBlock = 8

    let instructionSet: InstructionSet

    /// Those for `instructionSet`.
    package init(instructionSet: InstructionSet) { self.instructionSet = instructionSet }

    /// Vertical pass: `out[x] = (Σ weights[k] · rows[offsets[k] + x] + ½) >> shift`.
    ///
    /// `columns`, the first of `out` that are written, is a multiple of `columnBlock`; `weights.count`, the taps, is even.
    func blendRows(
        _ rows: Span<UInt8>, offsets: Span<Int32>, weights: Span<Int16>, shift: Int32, columns: Int,
        into out: inout ContiguousArray<Int16>
    ) {
        precondition(columns % Self.columnBlock == 0 && columns <= out.count)
        precondition(weights.count % 2 == 0 && weights.count == offsets.count)
        for k in offsets.indices { precondition(offsets[k] >= 0 && Int(offsets[k]) + columns <= rows.count) }
        guard let kernel = unsafe blendRowsInC else {
            return PortableKernels.blendRows(
                rows, offsets: offsets, weights: weights, shift: shift, columns: columns, into: &out)
        }
        unsafe rows.withUnsafeBufferPointer { rows in
            unsafe offsets.withUnsafeBufferPointer { offsets in
                unsafe weights.withUnsafeBufferPointer { weights in
                    unsafe out.withUnsafeMutableBufferPointer { out in
                        guard let rows = rows.baseAddress, let offsets = offsets.baseAddress,
                            let first = weights.baseAddress, let out = out.baseAddress
                        else { return }
                        unsafe kernel(rows, offsets, first, Int32(weights.count), shift, Int32(columns), out)
                    }
                }
            }
        }
    }

    /// Horizontal pass: `out[i] = clamp((Σ weights[i · taps + k] · row[starts[i] + k] + ½) >> shift)`.
    ///
    /// The outputs, as many as the table has starts, go to `out` from `start` on.
    func convolveRow(_ row: Span<Int16>, by table: WeightTable, into out: inout ContiguousArray<UInt8>, at start: Int) {
        let taps = table.taps, shift = table.shift
        let starts = table.starts.span, weights = table.weights.span
        precondition(starts.count % Self.outputBlock == 0 && start >= 0 && start + starts.count <= out.count)
        precondition(taps % 16 == 0 && weights.count == taps * starts.count && table.lastStart + taps <= row.count)
        guard let kernel = unsafe convolveRowInC else {
            return PortableKernels.convolveRow(
                row, starts: starts, weights: weights, taps: taps, shift: shift, into: &out, at: start)
        }
        let count = Int32(starts.count)
        unsafe row.withUnsafeBufferPointer { row in
            unsafe starts.withUnsafeBufferPointer { starts in
                unsafe weights.withUnsafeBufferPointer { weights in
                    unsafe out.withUnsafeMutableBufferPointer { out in
                        guard let row = row.baseAddress, let starts = starts.baseAddress,
                            let weights = weights.baseAddress, let out = out.baseAddress
                        else { return }
                        unsafe kernel(row, starts, weights, Int32(taps), shift, count, out + start)
                    }
                }
            }
        }
    }

    /// Pixels of red, green and blue to Y, Cb and Cr, full range. Source: ITU-T T.871 (JFIF), section 7.
    ///
    /// - Parameters:
    ///   - pixels: 3 bytes each; with a background 4, the last of them alpha.
    ///   - background: what shows through, 3 bytes.
    ///   - starts: where in `planes` the samples of Y, Cb and Cr go.
    package func convertPixels(
        _ pixels: Span<UInt8>, over background: [UInt8]? = nil, into planes: inout ContiguousArray<UInt8>,
        at starts: [Int]
    ) {
        let channels = background == nil ? 3 : 4, count = pixels.count / channels
        precondition(starts.count == 3 && background?.count ?? 3 == 3)
        for start in starts { precondition(start >= 0 && start + count <= planes.count) }
        var done = 0
        if let kernel = unsafe convertPixelsInC {
            done = count / 8 * 8
            unsafe pixels.withUnsafeBufferPointer { pixels in
                unsafe planes.withUnsafeMutableBufferPointer { planes in
                    guard let pixels = pixels.baseAddress, let planes = planes.baseAddress else { return }
                    unsafe kernel(
                        pixels, background, Int32(done), planes + starts[0], planes + starts[1], planes + starts[2])
                }
            }
        }
        PortableKernels.convertPixels(pixels, done..<count, over: background, into: &planes, at: starts)
    }

    private typealias BlendRows =
        @convention(c) (
            UnsafePointer<UInt8>, UnsafePointer<Int32>, UnsafePointer<Int16>, Int32, Int32, Int32,
            UnsafeMutablePointer<Int16>
        ) -> Void

    private typealias ConvolveRow =
        @convention(c) (
            UnsafePointer<Int16>, UnsafePointer<Int32>, UnsafePointer<Int16>, Int32, Int32, Int32,
            UnsafeMutablePointer<UInt8>
        ) -> Void

    private typealias ConvertPixels =
        @convention(c) (
            UnsafePointer<UInt8>, UnsafePointer<UInt8>?, Int32, UnsafeMutablePointer<UInt8>,
            UnsafeMutablePointer<UInt8>,
            UnsafeMutablePointer<UInt8>
        ) -> Void

    private var blendRowsInC: BlendRows? {
        switch instructionSet {
        #if arch(x86_64)
            case .avx2: unsafe prep_blend_rows_avx2
            case .avx512: unsafe prep_blend_rows_avx512
        #elseif arch(arm64)
            case .neon: unsafe prep_blend_rows_neon
        #endif
        default: nil
        }
    }

    private var convolveRowInC: ConvolveRow? {
        switch instructionSet {
        #if arch(x86_64)
            case .avx2, .avx512: unsafe prep_convolve_row_avx2
        #elseif arch(arm64)
            case .neon: unsafe prep_convolve_row_neon
        #endif
        default: nil
        }
    }

    private var convertPixelsInC: ConvertPixels? {
        switch instructionSet {
        #if arch(x86_64)
            case .avx2, .avx512: unsafe prep_convert_pixels_avx2
        #elseif arch(arm64)
            case .neon: unsafe prep_convert_pixels_neon
        #endif
        default: nil
        }
    }
}
