/// The conversion of resampled planes of high dynamic range to sRGB in the encoding of JPEG, rounded once.
///
/// Samples of 8 bits would be too coarse: below reference white, PQ has 148 levels for the 256 of sRGB. So the 16-bit
/// samples of the resampler are converted. Each luma sample uses the chroma of its place. A chroma sample is the mean
/// of those of its pixels.
struct ToneMappingConversion {
    private let tables: ToneMappingTables
    private let lumaScale, redFromCr, greenFromCb, greenFromCr, blueFromCb: Int
    /// Luma of black, with 6 fractional bits.
    private let black: Int

    private static let factorFractionBits = 14
    private static let maxLevel = ToneMappingTables.levelCount - 1
    /// Chroma of gray, with 6 fractional bits.
    private static let gray = 128 << Int(FilterCoefficients.intermediateFractionBits)

    init(from source: YCbCrEncoding, tables: ToneMappingTables) {
        precondition(ToneMappingTables.levelScale == 1 << Int(FilterCoefficients.intermediateFractionBits))
        self.tables = tables
        let (red, blue) = source.matrix.lumaWeights, green = 1 - red - blue
        let chromaScale = source.isFullRange ? source.fullRangeScale : 255.0 / 224
        func fixedPoint(_ factor: Double) -> Int {
            Int((factor * Double(1 << Self.factorFractionBits)).rounded(.toNearestOrEven))
        }
        lumaScale = fixedPoint(source.isFullRange ? source.fullRangeScale : 255.0 / 219)
        redFromCr = fixedPoint(2 * (1 - red) * chromaScale)
        greenFromCb = fixedPoint(-2 * (1 - blue) * blue / green * chromaScale)
        greenFromCr = fixedPoint(-2 * (1 - red) * red / green * chromaScale)
        blueFromCb = fixedPoint(2 * (1 - blue) * chromaScale)
        black = source.isFullRange ? 0 : 16 << Int(FilterCoefficients.intermediateFractionBits)
    }

    /// Converts the plane of a gray image.
    func convertGray(_ luma: WidePlane) -> Plane {
        var plane = Plane(width: luma.width, height: luma.height)
        let source = luma.samples.span
        var target = plane.samples.mutableSpan
        for i in source.indices {
            let level = Self.level(lumaScale * (Int(source[i]) - black))
            target[i] = Self.sample(tables.encodedSRGB(red: level, green: level, blue: level).red, scale: 1)
        }
        return plane
    }

    /// Converts the planes of a color image.
    ///
    /// - Parameters:
    ///   - luma: The luma plane.
    ///   - chroma: The planes of Cb and Cr.
    ///   - grid: The places of the chroma samples.
    /// - Returns: Y, Cb and Cr.
    /// - Complexity: Linear in the luma samples.
    func convert(_ luma: WidePlane, chroma: (cb: WidePlane, cr: WidePlane), grid: ChromaGrid) -> [Plane] {
        var plane = Plane(width: luma.width, height: luma.height)
        var means = ChromaMeans(width: chroma.cb.width, height: chroma.cb.height)
        let columns = grid.columns(forStride: plane.stride, chromaWidth: chroma.cb.width)
        for y in 0..<luma.height {
            let start = y * luma.stride, chromaRow = min(grid.chromaRow(ofLumaRow: y), chroma.cb.height - 1)
            let source = luma.samples.span, cb = chroma.cb.samples.span, cr = chroma.cr.samples.span
            var target = plane.samples.mutableSpan
            means.beginRow(chromaRow)
            for x in 0..<luma.stride {
                let place = chromaRow * chroma.cb.stride + columns[x]
                let light = lumaScale * (Int(source[start + x]) - black)
                let bluish = Int(cb[place]) - Self.gray, reddish = Int(cr[place]) - Self.gray
                let color = tables.encodedSRGB(
                    red: Self.level(light + redFromCr * reddish),
                    green: Self.level(light + greenFromCb * bluish + greenFromCr * reddish),
                    blue: Self.level(light + blueFromCb * bluish))
                target[start + x] = Self.sample(
                    4899 * color.red + 9617 * color.green + 1868 * color.blue, scale: ChromaMeans.factorUnit)
                if x < luma.width { means.add(color, toColumn: columns[x]) }
            }
        }
        means.endRow()
        return [plane, means.cb, means.cr]
    }

    /// Returns an encoded component, clamped to the range of the tables.
    @inline(__always)
    private static func level(_ product: Int) -> Int {
        min(max((product + 1 << (factorFractionBits - 1)) >> factorFractionBits, 0), maxLevel)
    }

    /// Returns a value in units of 1 / (`scale` * ``ToneMappingTables/levelScale``) as a sample.
    @inline(__always)
    private static func sample(_ value: Int, scale: Int) -> UInt8 {
        let unit = scale * ToneMappingTables.levelScale
        return UInt8(clamping: (value + unit / 2) / unit)
    }
}

/// The planes of Cb and Cr while luma is converted: the means of the chroma of each sample's pixels.
///
/// Factors are those of ITU-T T.871 (JFIF), section 7, times ``factorUnit``.
private struct ChromaMeans {
    static let factorUnit = 1 << 14

    private(set) var cb, cr: Plane
    private var row = -1
    /// For each sample of the row, the sums of Cb and Cr of its pixels, and their number.
    private var cbSums, crSums, counts: ContiguousArray<Int>

    init(width: Int, height: Int) {
        (cb, cr) = (Plane(width: width, height: height), Plane(width: width, height: height))
        cbSums = ContiguousArray(repeating: 0, count: width)
        (crSums, counts) = (cbSums, cbSums)
    }

    /// Begins with pixels of chroma row `newRow`, which is the current one or the next.
    mutating func beginRow(_ newRow: Int) {
        if row != newRow && row >= 0 { endRow() }
        row = newRow
    }

    @inline(__always)
    mutating func add(_ color: (red: Int, green: Int, blue: Int), toColumn column: Int) {
        cbSums[column] += 8192 * color.blue - 2765 * color.red - 5427 * color.green
        crSums[column] += 8192 * color.red - 6860 * color.green - 1332 * color.blue
        counts[column] += 1
    }

    /// Writes the samples of the row.
    mutating func endRow() {
        for x in cbSums.indices {
            cb.samples[row * cb.stride + x] = Self.mean(cbSums[x], count: counts[x])
            cr.samples[row * cr.stride + x] = Self.mean(crSums[x], count: counts[x])
            (cbSums[x], crSums[x], counts[x]) = (0, 0, 0)
        }
        if row == cb.height - 1 {
            cb.padRowsToStride()
            cr.padRowsToStride()
        }
    }

    private static func mean(_ sum: Int, count: Int) -> UInt8 {
        let unit = factorUnit * ToneMappingTables.levelScale * max(count, 1)
        return UInt8(clamping: (sum + 128 * unit + unit / 2) / unit)
    }
}
