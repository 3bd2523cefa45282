internal import Imaging

/// Builds a table from Y, Cb and Cr of a device's RGB to Y, Cb and Cr of sRGB.
///
/// Many nodes are outside the cube of RGB, and colors beside its surface are interpolated from some of these. There the
/// conversion is continued without a bend: p outside has twice the result of the nearest color c in the cube, less that
/// of 2c - p. Results outside sRGB are kept too. A decoder of the JPEG clamps them. With clamped nodes, colors near the
/// surface would be wrong.
struct ColorTableBuilder {
    /// How far from the cube nodes are computed, as a part of its edge. Nodes beyond are extrapolated.
    private static let margin = 0.25
    private static let axisNodeCount = ColorConversionTable.axisNodeCount
    /// The index of the node without chroma along the axes of Cb and Cr.
    private static let centralIndex = axisNodeCount / 2

    /// The index of each node's color in the list of colors, in triples; negative for a node that is extrapolated.
    private var colorIndices: [Int] = []
    /// Whether a node is outside, so that its mirrored color follows in the list.
    private var isOutside: [Bool] = []
    /// Red, green and blue of all colors to convert.
    private var colors: [Double] = []

    private init() {
        colorIndices.reserveCapacity(ColorConversionTable.nodeCount)
        isOutside.reserveCapacity(ColorConversionTable.nodeCount)
        for cb in 0..<Self.axisNodeCount {
            for cr in 0..<Self.axisNodeCount {
                for y in 0..<Self.axisNodeCount {
                    appendNode(YCbCrColor(y: Self.level(y), cb: Self.chroma(cb), cr: Self.chroma(cr)).rgb)
                }
            }
        }
    }

    /// Returns the table of a conversion.
    ///
    /// - Parameter convertToLinearSRGB: Replaces encoded device colors from 0 to 1, three numbers each, by linear sRGB.
    /// - Throws: The errors of `convertToLinearSRGB`.
    static func makeTable<Failure: Error>(
        _ convertToLinearSRGB: (inout [Double]) throws(Failure) -> Void
    ) throws(Failure) -> ColorConversionTable {
        var builder = ColorTableBuilder()
        try convertToLinearSRGB(&builder.colors)
        return builder.makeTable()
    }

    private mutating func appendNode(_ rgb: RGBTriple) {
        let clamped = rgb.clamped
        let mirrored = RGBTriple(
            r: 2 * clamped.r - rgb.r, g: 2 * clamped.g - rgb.g, b: 2 * clamped.b - rgb.b)
        let isFar = rgb.maxDifference(from: clamped) > Self.margin
        colorIndices.append(isFar ? -1 : colors.count / 3)
        isOutside.append(clamped != rgb)
        if isFar { return }
        append(clamped)
        if clamped != rgb { append(mirrored) }
    }

    private mutating func append(_ rgb: RGBTriple) {
        colors.append(rgb.r)
        colors.append(rgb.g)
        colors.append(rgb.b)
    }

    private func makeTable() -> ColorConversionTable {
        var results = colorIndices.indices.map {
            colorIndices[$0] < 0 ? YCbCrColor(y: 0, cb: 0, cr: 0) : result(of: $0)
        }
        for index in results.indices where colorIndices[index] < 0 {
            results[index] = extrapolatedResult(of: index, from: results)
        }
        return ColorConversionTable(
            y: results.map { Self.nodeValue($0.y, offset: 0) }, cb: results.map { Self.nodeValue($0.cb, offset: 128) },
            cr: results.map { Self.nodeValue($0.cr, offset: 128) })
    }

    private func result(of node: Int) -> YCbCrColor {
        let index = colorIndices[node] * 3
        func linear(_ channel: Int) -> Double {
            isOutside[node] ? 2 * colors[index + channel] - colors[index + 3 + channel] : colors[index + channel]
        }
        return RGBTriple(
            r: SRGBTransferFunction.encoded(fromLinear: linear(0)),
            g: SRGBTransferFunction.encoded(fromLinear: linear(1)),
            b: SRGBTransferFunction.encoded(fromLinear: linear(2))
        ).representableYCbCr
    }

    /// Returns the result of the nearest computed node toward the grays, moved by the difference of the two nodes.
    private func extrapolatedResult(of node: Int, from results: [YCbCrColor]) -> YCbCrColor {
        let n = Self.axisNodeCount, center = Self.centralIndex
        let y = node % n, cr = node / n % n - center, cb = node / (n * n) - center
        let distance = max(cb.magnitude, cr.magnitude)
        for step in stride(from: Int(distance) - 1, through: 0, by: -1) {
            let (nearCb, nearCr) = (cb * step / Int(distance), cr * step / Int(distance))
            let near = ((nearCb + center) * n + nearCr + center) * n + y
            guard colorIndices[near] >= 0 else { continue }
            let result = results[near]
            return YCbCrColor(
                y: result.y, cb: result.cb + Self.chroma(cb + center) - Self.chroma(nearCb + center),
                cr: result.cr + Self.chroma(cr + center) - Self.chroma(nearCr + center))
        }
        preconditionFailure("the grays are in the cube")
    }

    private static func level(_ index: Int) -> Double { Double(index * ColorConversionTable.nodeDistance) / 255 }
    private static func chroma(_ index: Int) -> Double {
        Double(index * ColorConversionTable.nodeDistance - 128) / 255
    }

    /// Returns the value of a node: levels with fractional bits, limited to half a range beyond the range of samples.
    private static func nodeValue(_ value: Double, offset: Double) -> Int16 {
        let level = min(max(value * 255 + offset, -128), 383)
        return Int16((level * Double(ColorConversionTable.levelScale)).rounded(.toNearestOrAwayFromZero))
    }
}

/// Y from 0 to 1, Cb and Cr from -0.5 to 0.5; beyond for colors outside sRGB.
private struct YCbCrColor {
    var y, cb, cr: Double

    /// Red, green and blue. Source: ITU-T T.871 (JFIF), section 7.
    var rgb: RGBTriple {
        RGBTriple(r: y + 1.402 * cr, g: y - (0.114 * 1.772 * cb + 0.299 * 1.402 * cr) / 0.587, b: y + 1.772 * cb)
    }
}

private struct RGBTriple: Equatable {
    var r, g, b: Double

    var clamped: RGBTriple { RGBTriple(r: min(max(r, 0), 1), g: min(max(g, 0), 1), b: min(max(b, 0), 1)) }

    func maxDifference(from other: RGBTriple) -> Double {
        max((r - other.r).magnitude, (g - other.g).magnitude, (b - other.b).magnitude)
    }

    private var yCbCr: YCbCrColor {
        let y = 0.299 * r + 0.587 * g + 0.114 * b
        return YCbCrColor(y: y, cb: (b - y) / 1.772, cr: (r - y) / 1.402)
    }

    /// Y, Cb and Cr, of which Cb and Cr fit into samples.
    ///
    /// All colors between this one and its clamped one are equal once they are clamped. If the chroma of this one does
    /// not fit, the nearest of them with a chroma that fits replaces it.
    var representableYCbCr: YCbCrColor {
        let color = yCbCr
        let limit = 127.5 / 255
        guard color.cb.magnitude > limit || color.cr.magnitude > limit else { return color }
        let inside = clamped.yCbCr
        func part(_ value: Double, _ inside: Double) -> Double {
            value.magnitude <= limit || value == inside
                ? 1 : max(((value < 0 ? -limit : limit) - inside) / (value - inside), 0)
        }
        let t = min(part(color.cb, inside.cb), part(color.cr, inside.cr))
        return YCbCrColor(
            y: inside.y + t * (color.y - inside.y), cb: inside.cb + t * (color.cb - inside.cb),
            cr: inside.cr + t * (color.cr - inside.cr))
    }
}
