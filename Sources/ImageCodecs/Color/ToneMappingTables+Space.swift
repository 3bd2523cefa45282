internal import Imaging
internal import Synchronization

extension ToneMappingTables {
    /// The tables of the spaces of the latest images. One set takes up to 115 KiB.
    private static let cache = Mutex<[(space: HighDynamicRangeSpace, tables: ToneMappingTables)]>([])
    private static let maxCachedCount = 4

    /// Returns the tables of a color space; `nil` if its primaries are invalid.
    ///
    /// - Complexity: Milliseconds for the first image of a space, which is then cached.
    static func tables(for space: HighDynamicRangeSpace) -> ToneMappingTables? {
        cache.withLock { cache in
            if let entry = cache.first(where: { $0.space == space }) { return entry.tables }
            guard let tables = ToneMappingTables(space) else { return nil }
            if cache.count >= maxCachedCount { cache.removeFirst() }
            cache.append((space, tables))
            return tables
        }
    }

    /// Computes the tables.
    ///
    /// The curve is applied to red, green and blue by themselves, so bright colors become paler. With a curve of the
    /// brightest component or of luminance, the noise of white clouds would keep all of its color.
    private init?(_ space: HighDynamicRangeSpace) {
        guard let toXYZ = space.primaries.matrixToXYZ else { return nil }
        let white = Double(HighDynamicRangeSpace.referenceWhite), peak = Double(space.peakLuminance)
        let compression = HighlightCompression(from: peak, to: white)
        let matrix = Self.fixedPointRows(Matrix3x3.xyzToLinearSRGB * toXYZ)
        let encodedLevels = Self.table { SRGBTransferFunction.encoded(fromLinear: $0) * 255 * Double(Self.levelScale) }
        switch space.transferFunction {
        case .pq:
            let curve = ToneCurve { compression(PerceptualQuantizer.luminance(fromEncoded: $0)) / white }
            self.init(light: Self.lightTable(curve), display: nil, matrix: matrix, encodedLevels: encodedLevels)
        case .hlg:
            let curve = ToneCurve(HybridLogGamma.sceneLight(fromEncoded:))
            let display = Display(
                luminanceWeights: Self.fixedPointRow(Array(toXYZ.elements[3..<6])),
                gain: Self.table { ToneCurve.power($0, HybridLogGamma.systemGamma - 1) * Double(Self.unit) },
                toneCurve: Self.table { compression($0 * HybridLogGamma.peakLuminance) / white * Double(Self.unit) })
            self.init(light: Self.lightTable(curve), display: display, matrix: matrix, encodedLevels: encodedLevels)
        }
    }

    private static func lightTable(_ curve: ToneCurve) -> ContiguousArray<Int32> {
        ContiguousArray(
            (0..<levelCount).map {
                Int32((curve(Double($0) / Double(levelCount - 1)) * Double(unit)).rounded(.toNearestOrAwayFromZero))
            })
    }

    /// Returns a table of a function of light from 0 to 1.
    private static func table(_ function: (Double) -> Double) -> ContiguousArray<Int32> {
        ContiguousArray(
            (0...intervalCount).map {
                Int32(function(Double($0) / Double(intervalCount)).rounded(.toNearestOrAwayFromZero))
            })
    }

    private static func fixedPointRows(_ matrix: Matrix3x3) -> [Int] {
        (0..<3).flatMap { fixedPointRow(Array(matrix.elements[($0 * 3)..<($0 * 3 + 3)])) }
    }

    /// Returns three factors as integers, of which the sum is exactly ``factorUnit``.
    private static func fixedPointRow(_ factors: [Double]) -> [Int] {
        let sum = factors.reduce(0, +)
        var row = factors.map { Int(($0 / sum * Double(factorUnit)).rounded(.toNearestOrAwayFromZero)) }
        let largest = row.indices.max { row[$0] < row[$1] } ?? 0
        row[largest] += factorUnit - row.reduce(0, +)
        return row
    }
}

extension HighDynamicRangeSpace {
    /// Returns the tables for the conversion to sRGB.
    ///
    /// - Parameter convertsToSRGB: Whether colors are converted.
    /// - Throws: ``CodecError/Code/unsupportedColor`` if they are not: a JPEG cannot state a high dynamic range.
    func makeToneMapping(convertsToSRGB: Bool) throws(CodecError) -> ToneMappingTables {
        guard convertsToSRGB else {
            throw CodecError(
                .unsupportedColor, stage: .decode,
                message: "an image of high dynamic range (PQ or HLG) is unsupported without a conversion to sRGB")
        }
        if let tables = ToneMappingTables.tables(for: self) { return tables }
        throw CodecError(.unsupportedColor, stage: .decode, message: "the color primaries are invalid")
    }
}

extension RGBColor {
    /// Returns the color of a high dynamic range that is converted to this one if it is gray, and nearly otherwise.
    func beforeToneMapping(by tables: ToneMappingTables) -> RGBColor {
        let levels = tables.grayLevels
        func source(_ value: UInt8) -> UInt8 { UInt8(levels.firstIndex { $0 >= value } ?? 255) }
        return RGBColor(red: source(red), green: source(green), blue: source(blue))
    }
}
