// `unsafe`: hands the addresses of spans to the C kernels, after checking what those will touch.

internal import CPixelKernels

/// The resampler's two inner loops for one instruction set.
struct Kernels: Sendable {
    /// Columns that the vertical pass works on at a time; widths of rows are multiples of it.
    static let columnBlock = 64
    /// Outputs that the horizontal pass works on at a time.
    static let outputBlock = 8

    let instructionSet: InstructionSet

    /// Vertical pass: `out[x] = (Σ weights[k] · rows[offsets[k] + x] + ½) >> shift`.
    ///
    /// `columns`, the first of `out` that are written, is a multiple of `columnBlock`; `weights.count`, the taps, is even.
    func blendRows(
        _ rows: Span<UInt8>, offsets: Span<Int32>, weights: Span<Int16>, shift: Int32, columns: Int,
        into out: inout [Int16]
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
    func convolveRow(_ row: Span<Int16>, by table: WeightTable, into out: inout [UInt8], at start: Int) {
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

    private var blendRowsInC: BlendRows? {
        switch instructionSet {
        #if arch(x86_64)
            case .avx2: unsafe prep_blend_rows_avx2
        #elseif arch(arm64)
            case .neon: unsafe prep_blend_rows_neon
        #endif
        default: nil
        }
    }

    private var convolveRowInC: ConvolveRow? {
        switch instructionSet {
        #if arch(x86_64)
            case .avx2: unsafe prep_convolve_row_avx2
        #elseif arch(arm64)
            case .neon: unsafe prep_convolve_row_neon
        #endif
        default: nil
        }
    }
}
