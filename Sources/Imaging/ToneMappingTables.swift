/// A conversion of encoded red, green and blue of high dynamic range to sRGB, as tables of integers.
///
/// ```
/// R'G'B' ── light ──▶ RGB ── display ──▶ RGB ── matrix ──▶ linear sRGB ── encodedLevels ──▶ sRGB
/// ```
///
/// The light of a display is compressed to that of reference white: in `display`, and without it in `light`.
package struct ToneMappingTables: Sendable {
    /// The value of an encoded component for one level of 8 bits.
    package static let levelScale = 64
    /// The number of values of an encoded component: from 0 to 255 levels.
    package static let levelCount = 255 * levelScale + 1
    /// The number of intervals of a table of light, which has one more element, and is interpolated.
    package static let intervalCount = 4096
    /// The light of a linear component of 1, and a gain of 1.
    package static let unit = 1 << 18
    /// An element of the matrix, or a weight, of 1.
    package static let factorUnit = 1 << 14

    /// How a display shows the light of a scene: with a gain that depends on the luminance.
    package struct Display: Sendable {
        /// The weights of red, green and blue in the luminance. Their sum is ``ToneMappingTables/factorUnit``.
        package var luminanceWeights: [Int]
        /// The gain for each luminance.
        package var gain: ContiguousArray<Int32>
        /// The compressed light for each light of the display.
        package var toneCurve: ContiguousArray<Int32>

        /// Creates a display.
        package init(luminanceWeights: [Int], gain: ContiguousArray<Int32>, toneCurve: ContiguousArray<Int32>) {
            precondition(luminanceWeights.count == 3 && luminanceWeights.reduce(0, +) == factorUnit)
            precondition(gain.count == intervalCount + 1 && toneCurve.count == intervalCount + 1)
            (self.luminanceWeights, self.gain, self.toneCurve) = (luminanceWeights, gain, toneCurve)
        }
    }

    private let light: ContiguousArray<Int32>
    private let display: Display?
    private let matrix: [Int]
    private let encodedLevels: ContiguousArray<Int32>

    /// Creates the tables.
    ///
    /// - Parameters:
    ///   - light: The light of each encoded component, from 0 to ``unit``.
    ///   - display: How a display shows the light; `nil` if `light` is that of a display, and compressed.
    ///   - matrix: The matrix from the source's primaries to those of sRGB, in units of ``factorUnit``, row by row. The
    ///     sum of each row is 1, so that gray stays gray.
    ///   - encodedLevels: The encoded sRGB of each light, in units of ``levelScale``.
    package init(
        light: ContiguousArray<Int32>, display: Display?, matrix: [Int], encodedLevels: ContiguousArray<Int32>
    ) {
        precondition(light.count == Self.levelCount && encodedLevels.count == Self.intervalCount + 1)
        precondition(matrix.count == 9)
        precondition((0..<3).allSatisfy { matrix[($0 * 3)..<($0 * 3 + 3)].reduce(0, +) == Self.factorUnit })
        (self.light, self.display, self.matrix, self.encodedLevels) = (light, display, matrix, encodedLevels)
    }

    /// Returns encoded sRGB.
    ///
    /// - Parameters:
    ///   - red: The encoded red of the source, from 0 to ``levelCount`` less 1.
    ///   - green: Its green.
    ///   - blue: Its blue.
    /// - Returns: Red, green and blue from 0 to 255 levels, in units of ``levelScale``.
    @inline(__always)
    package func encodedSRGB(red: Int, green: Int, blue: Int) -> (red: Int, green: Int, blue: Int) {
        var (r, g, b) = (Int(light[red]), Int(light[green]), Int(light[blue]))
        if let display {
            let weights = display.luminanceWeights
            let luminance = (weights[0] * r + weights[1] * g + weights[2] * b) / Self.factorUnit
            let gain = Self.interpolate(display.gain, at: luminance)
            r = Self.interpolate(display.toneCurve, at: r * gain / Self.unit)
            g = Self.interpolate(display.toneCurve, at: g * gain / Self.unit)
            b = Self.interpolate(display.toneCurve, at: b * gain / Self.unit)
        }
        return (
            Self.interpolate(encodedLevels, at: (matrix[0] * r + matrix[1] * g + matrix[2] * b) / Self.factorUnit),
            Self.interpolate(encodedLevels, at: (matrix[3] * r + matrix[4] * g + matrix[5] * b) / Self.factorUnit),
            Self.interpolate(encodedLevels, at: (matrix[6] * r + matrix[7] * g + matrix[8] * b) / Self.factorUnit)
        )
    }

    /// The level of sRGB for each gray level of the source.
    package var grayLevels: [UInt8] {
        (0...255).map { level in
            let value = level * Self.levelScale
            return UInt8(
                (encodedSRGB(red: value, green: value, blue: value).red + Self.levelScale / 2) / Self.levelScale)
        }
    }

    /// Returns the value at `light`, which is clamped to 0 to 1.
    @inline(__always)
    private static func interpolate(_ table: ContiguousArray<Int32>, at light: Int) -> Int {
        let distance = unit / intervalCount, position = min(max(light, 0), unit)
        let index = min(position / distance, intervalCount - 1), part = position - index * distance
        let lower = Int(table[index]), upper = Int(table[index + 1])
        return lower + ((upper - lower) * part + distance / 2) / distance
    }
}
