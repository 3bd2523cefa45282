/// The conversion of resampled planes of another matrix to the encoding of JPEG, rounded once.
///
/// Y, Cb and Cr are linear in red, green and blue, so those of JPEG are linear in those of the source. Gray stays gray,
/// so the new chroma does not depend on luma. Each luma sample uses the chroma samples of its place, so nothing is
/// enlarged.
///
/// ```
/// Y'  = lumaFromLuma * (Y - black) + lumaFromCb * (Cb - 128) + lumaFromCr * (Cr - 128)
/// Cb' = cbFromCb * (Cb - 128) + cbFromCr * (Cr - 128) + 128
/// Cr' = crFromCb * (Cb - 128) + crFromCr * (Cr - 128) + 128
/// ```
///
/// The planes have the 6 fractional bits of the intermediate samples, and the factors 14. The sums fit in 32 bits: a
/// sample has at most 16, and the absolute factors of a sum add up to at most 1.6.
struct YCbCrConversion {
    private let lumaFromLuma, lumaFromCb, lumaFromCr: Int32
    private let cbFromCb, cbFromCr, crFromCb, crFromCr: Int32
    /// Luma of black, with 6 fractional bits.
    private let black: Int32

    private static let factorFractionBits: Int32 = 14
    private static let shift = FilterCoefficients.intermediateFractionBits + factorFractionBits
    /// Chroma of gray, with 6 fractional bits.
    private static let gray = Int32(128) << FilterCoefficients.intermediateFractionBits

    init(from source: YCbCrEncoding) {
        let (sourceRed, sourceBlue) = source.matrix.lumaWeights, sourceGreen = 1 - sourceRed - sourceBlue
        let (red, blue) = YCbCrEncoding.Matrix.bt601.lumaWeights, green = 1 - red - blue
        // R = Y + redFromCr * Cr, B = Y + blueFromCb * Cb, G = Y + greenFromCb * Cb + greenFromCr * Cr
        let redFromCr = 2 * (1 - sourceRed), blueFromCb = 2 * (1 - sourceBlue)
        let greenFromCb = -sourceBlue * blueFromCb / sourceGreen, greenFromCr = -sourceRed * redFromCr / sourceGreen
        let cbInLuma = green * greenFromCb + blue * blueFromCb, crInLuma = red * redFromCr + green * greenFromCr
        let fullRange = source.fullRangeScale
        let lumaScale = source.isFullRange ? fullRange : 255.0 / 219
        let chromaScale = source.isFullRange ? fullRange : 255.0 / 224
        func fixedPoint(_ factor: Double) -> Int32 {
            Int32((factor * Double(1 << Self.factorFractionBits)).rounded(.toNearestOrEven))
        }
        lumaFromLuma = fixedPoint(lumaScale)
        lumaFromCb = fixedPoint(cbInLuma * chromaScale)
        lumaFromCr = fixedPoint(crInLuma * chromaScale)
        cbFromCb = fixedPoint((blueFromCb - cbInLuma) / (2 * (1 - blue)) * chromaScale)
        cbFromCr = fixedPoint(-crInLuma / (2 * (1 - blue)) * chromaScale)
        crFromCb = fixedPoint(-cbInLuma / (2 * (1 - red)) * chromaScale)
        crFromCr = fixedPoint((redFromCr - crInLuma) / (2 * (1 - red)) * chromaScale)
        black = source.isFullRange ? 0 : 16 << FilterCoefficients.intermediateFractionBits
    }

    /// Converts luma.
    ///
    /// - Parameters:
    ///   - luma: The luma plane.
    ///   - chroma: The planes of Cb and Cr.
    ///   - grid: The places of the chroma samples.
    func convertLuma(_ luma: WidePlane, chroma: (cb: WidePlane, cr: WidePlane), grid: ChromaGrid) -> Plane {
        var plane = Plane(width: luma.width, height: luma.height)
        let columns = grid.columns(forStride: plane.stride, chromaWidth: chroma.cb.width)
        for y in 0..<luma.height {
            let start = y * luma.stride
            let chromaStart = min(grid.chromaRow(ofLumaRow: y), chroma.cb.height - 1) * chroma.cb.stride
            let source = luma.samples.span, cb = chroma.cb.samples.span, cr = chroma.cr.samples.span
            var target = plane.samples.mutableSpan
            for x in 0..<luma.stride {
                let place = chromaStart + columns[x]
                let sum =
                    lumaFromLuma &* (Int32(source[start + x]) &- black) &+ lumaFromCb &* (Int32(cb[place]) &- Self.gray)
                    &+ lumaFromCr &* (Int32(cr[place]) &- Self.gray)
                target[start + x] = Self.rounded(sum)
            }
        }
        return plane
    }

    /// Converts the planes of Cb and Cr.
    func convertChroma(cb: WidePlane, cr: WidePlane) -> (cb: Plane, cr: Plane) {
        var cbPlane = Plane(width: cb.width, height: cb.height), crPlane = cbPlane
        let middle = Self.gray << Self.factorFractionBits
        let cbSource = cb.samples.span, crSource = cr.samples.span
        var cbTarget = cbPlane.samples.mutableSpan, crTarget = crPlane.samples.mutableSpan
        for i in cbSource.indices {
            let blue = Int32(cbSource[i]) &- Self.gray, red = Int32(crSource[i]) &- Self.gray
            cbTarget[i] = Self.rounded(cbFromCb &* blue &+ cbFromCr &* red &+ middle)
            crTarget[i] = Self.rounded(crFromCb &* blue &+ crFromCr &* red &+ middle)
        }
        return (cbPlane, crPlane)
    }

    private static func rounded(_ sum: Int32) -> UInt8 { UInt8(clamping: (sum &+ 1 << (shift - 1)) >> shift) }
}

/// A resampled plane of 16-bit samples with 6 fractional bits.
struct WidePlane {
    let width: Int
    let height: Int
    let stride: Int
    let samples: ContiguousArray<Int16>
}

/// The places of subsampled chroma samples on the luma plane of a stored image.
struct ChromaGrid {
    let subsampling: ChromaSubsampling
    /// The number of columns and rows of the first chroma sample that lie before the luma plane. On an axis that is
    /// reversed afterwards, the last sample is whole and the first one may not be.
    let leadingColumns, leadingRows: Int

    func chromaRow(ofLumaRow y: Int) -> Int { (y + leadingRows) / subsampling.verticalFactor }

    /// Returns the chroma column of each of `count` luma columns.
    func columns(forStride count: Int, chromaWidth: Int) -> ContiguousArray<Int> {
        ContiguousArray(
            (0..<count).map { min(($0 + leadingColumns) / subsampling.horizontalFactor, chromaWidth - 1) })
    }
}
