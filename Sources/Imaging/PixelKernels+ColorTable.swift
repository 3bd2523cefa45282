// `unsafe`: passes the addresses of spans to the C kernels, after checking the ranges that those access.

internal import CPixelKernels

/// The inner loops of the conversion of planes by a table.
extension PixelKernels {
    /// The number of samples of a block. The number of samples in a row is a multiple of it.
    static let colorBlockSize = 8

    /// Converts the luma of a row in place.
    ///
    /// - Parameters:
    ///   - luma: The samples.
    ///   - start: The index of the first sample of the row.
    ///   - cb: The Cb of each sample. Their number is that of the row's samples.
    ///   - cr: The Cr of each sample.
    ///   - table: The conversion.
    func convertLuma(
        _ luma: inout ContiguousArray<UInt8>, at start: Int, cb: Span<UInt8>, cr: Span<UInt8>,
        with table: ColorConversionTable
    ) {
        let count = cb.count
        precondition(count % Self.colorBlockSize == 0 && cr.count == count)
        precondition(start >= 0 && start + count <= luma.count)
        guard let kernel = unsafe lumaConversionFunction else {
            return PortablePixelKernels.convertLuma(&luma, at: start, cb: cb, cr: cr, with: table)
        }
        unsafe table.lumaCells.withUnsafeBufferPointer { cells in
            unsafe ColorConversionTable.cornerWeights.withUnsafeBufferPointer { weights in
                unsafe cb.withUnsafeBufferPointer { cb in
                    unsafe cr.withUnsafeBufferPointer { cr in
                        unsafe luma.withUnsafeMutableBufferPointer { luma in
                            guard let cells = cells.baseAddress, let weights = weights.baseAddress,
                                let cb = cb.baseAddress, let cr = cr.baseAddress, let luma = luma.baseAddress
                            else { return }
                            unsafe kernel(cells, weights, cb, cr, Int32(count), luma + start)
                        }
                    }
                }
            }
        }
    }

    /// Converts the chroma of a row in place.
    ///
    /// - Parameters:
    ///   - cb: The samples of Cb.
    ///   - cr: The samples of Cr.
    ///   - start: The index of the row's first sample in both.
    ///   - luma: The luma of each sample. Their number is that of the row's samples.
    ///   - table: The conversion.
    func convertChroma(
        cb: inout ContiguousArray<UInt8>, cr: inout ContiguousArray<UInt8>, at start: Int, luma: Span<UInt8>,
        with table: ColorConversionTable
    ) {
        let count = luma.count
        precondition(count % Self.colorBlockSize == 0 && start >= 0)
        precondition(start + count <= cb.count && start + count <= cr.count)
        guard let kernel = unsafe chromaConversionFunction else {
            return PortablePixelKernels.convertChroma(cb: &cb, cr: &cr, at: start, luma: luma, with: table)
        }
        unsafe table.chromaCells.withUnsafeBufferPointer { cells in
            unsafe ColorConversionTable.cornerWeights.withUnsafeBufferPointer { weights in
                unsafe luma.withUnsafeBufferPointer { luma in
                    unsafe cb.withUnsafeMutableBufferPointer { cb in
                        unsafe cr.withUnsafeMutableBufferPointer { cr in
                            guard let cells = cells.baseAddress, let weights = weights.baseAddress,
                                let luma = luma.baseAddress, let cb = cb.baseAddress, let cr = cr.baseAddress
                            else { return }
                            unsafe kernel(cells, weights, luma, Int32(count), cb + start, cr + start)
                        }
                    }
                }
            }
        }
    }

    private typealias LumaConversionFunction =
        @convention(c) (
            UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<UInt8>, UnsafePointer<UInt8>, Int32,
            UnsafeMutablePointer<UInt8>
        ) -> Void

    private typealias ChromaConversionFunction =
        @convention(c) (
            UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<UInt8>, Int32, UnsafeMutablePointer<UInt8>,
            UnsafeMutablePointer<UInt8>
        ) -> Void

    private var lumaConversionFunction: LumaConversionFunction? {
        switch instructionSet {
        #if arch(x86_64)
            case .avx2, .avx512: unsafe prep_convert_luma_avx2
        #elseif arch(arm64)
            case .neon: unsafe prep_convert_luma_neon
        #endif
        default: nil
        }
    }

    private var chromaConversionFunction: ChromaConversionFunction? {
        switch instructionSet {
        #if arch(x86_64)
            case .avx2, .avx512: unsafe prep_convert_chroma_avx2
        #elseif arch(arm64)
            case .neon: unsafe prep_convert_chroma_neon
        #endif
        default: nil
        }
    }
}
