internal import Imaging

/// The pixels of a synthetic photograph as a PNG stores them.
struct PNGPixels {
    private let kind: PNGInput.Kind
    private let size: PixelSize
    private var bytes: [UInt8]

    /// Three bits of red and green, two of blue.
    static let palette: [UInt8] = (0..<256).flatMap { (index: Int) -> [UInt8] in
        let (red, green, blue) = (index >> 5, index >> 2 & 7, index & 3)
        return [UInt8(red * 36), UInt8(green * 36), UInt8(blue * 85)]
    }

    init(_ kind: PNGInput.Kind, _ size: PixelSize) {
        self.kind = kind
        self.size = size
        bytes = []
        bytes.reserveCapacity(size.pixelCount * kind.pixelBytes)
        let light = Scene.plane(width: size.width, height: size.height, seed: 1)
        let warmth = Scene.plane(width: size.width, height: size.height, isLuma: false, seed: 2)
        let tint = Scene.plane(width: size.width, height: size.height, isLuma: false, seed: 3)
        var random = SplitMix64(seed: 4)
        for i in 0..<size.pixelCount {
            let alpha = Self.alpha(x: i % size.width, y: i / size.width, size: size)
            append(
                light: Int(light[i]), warmth: Int(warmth[i]) - 128, tint: Int(tint[i]) - 128, alpha: alpha, &random)
        }
    }

    private mutating func append(light: Int, warmth: Int, tint: Int, alpha: UInt8, _ random: inout SplitMix64) {
        let red = UInt8(clamping: light + warmth)
        let green = UInt8(clamping: light + tint)
        let blue = UInt8(clamping: light - warmth)
        switch kind {
        case .gray: bytes.append(UInt8(light))
        case .palette: bytes.append(red & 0xE0 | green >> 3 & 0x1C | blue >> 6)
        case .rgb, .interlaced: bytes += [red, green, blue]
        case .rgba: bytes += [red, green, blue, alpha]
        case .deep:
            // 12 significant bits, as from cameras; the lower bits are noise.
            let noise = random.next()
            bytes += [red, UInt8(truncatingIfNeeded: noise & 0xF0)]
            bytes += [green, UInt8(truncatingIfNeeded: noise >> 8 & 0xF0)]
            bytes += [blue, UInt8(truncatingIfNeeded: noise >> 16 & 0xF0), alpha, 0]
        }
    }

    /// Returns the alpha of a round window with a soft edge.
    private static func alpha(x: Int, y: Int, size: PixelSize) -> UInt8 {
        let (across, down) = (2 * x - size.width, 2 * y - size.height)
        let distance = (across * across + down * down) * 255 / (size.height * size.height)
        return UInt8(clamping: (280 - distance) * 4)
    }

    /// The filtered rows of the image, or of each of Adam7's passes.
    var scanlines: [UInt8] {
        guard kind == .interlaced else { return filtered(left: 0, top: 0, across: 1, down: 1) }
        let passes = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
        ]
        return passes.flatMap { filtered(left: $0.0, top: $0.1, across: $0.2, down: $0.3) }
    }

    private func filtered(left: Int, top: Int, across: Int, down: Int) -> [UInt8] {
        let unit = kind.pixelBytes
        var output: [UInt8] = [], above: [UInt8] = []
        for y in stride(from: top, to: size.height, by: down) {
            var row: [UInt8] = []
            for x in stride(from: left, to: size.width, by: across) {
                let start = (y * size.width + x) * unit
                row += bytes[start..<start + unit]
            }
            if above.isEmpty { above = [UInt8](repeating: 0, count: row.count) }
            // The indices of a palette do not predict one another.
            let filter = kind == .palette ? .none : PNGFilter.best(for: row, above: above, unit: unit)
            output.append(filter.rawValue)
            output += filter.apply(row, above: above, unit: unit)
            above = row
        }
        return output
    }
}

/// A filter stores the difference between a byte and its prediction from neighbors (PNG's specification, section 9.2).
enum PNGFilter: UInt8, CaseIterable {
    case none, left, above, average, paeth

    func apply(_ row: [UInt8], above: [UInt8], unit: Int) -> [UInt8] {
        row.indices.map { i in
            let a = i < unit ? 0 : Int(row[i - unit]), b = Int(above[i]), c = i < unit ? 0 : Int(above[i - unit])
            let prediction =
                switch self {
                case .none: 0
                case .left: a
                case .above: b
                case .average: (a + b) / 2
                case .paeth: Self.paethPrediction(left: a, above: b, aboveLeft: c)
                }
            return row[i] &- UInt8(truncatingIfNeeded: prediction)
        }
    }

    private static func paethPrediction(left a: Int, above b: Int, aboveLeft c: Int) -> Int {
        let (toA, toB, toC) = (abs(b - c), abs(a - c), abs(a + b - 2 * c))
        return toA <= toB && toA <= toC ? a : toB <= toC ? b : c
    }

    /// Returns the filter with the smallest sum of absolute differences, as PNG's specification advises.
    static func best(for row: [UInt8], above: [UInt8], unit: Int) -> PNGFilter {
        let sums = allCases.map { filter in
            filter.apply(row, above: above, unit: unit).reduce(0) { $0 + abs(Int(Int8(bitPattern: $1))) }
        }
        return zip(allCases, sums).min { $0.1 < $1.1 }?.0 ?? .none
    }
}
