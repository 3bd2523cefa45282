/// Samples that compress like those of a photograph: clouds at every scale, some hard edges, and sensor noise. It uses
/// integers, so that every machine makes the same samples.
struct Scene {
    private let width: Int
    private let height: Int
    private let octaves: [Octave]
    private let discs: [Disc]
    private let hasGrain: Bool
    private var random: SplitMix64

    /// Returns a plane of luma, or of chroma, which has less detail.
    static func plane(width: Int, height: Int, isLuma: Bool = true, seed: UInt64) -> [UInt8] {
        var scene = Scene(width: width, height: height, isLuma: isLuma, seed: seed)
        return scene.samples()
    }

    private init(width: Int, height: Int, isLuma: Bool, seed: UInt64) {
        self.width = width
        self.height = height
        hasGrain = isLuma
        random = SplitMix64(seed: seed)
        // Finer octaves have lower amplitudes, as in photographs. Chroma has no fine octaves.
        let scales =
            isLuma ? [(8, 48), (7, 32), (6, 24), (5, 16), (4, 11), (3, 9), (2, 7)] : [(8, 24), (7, 12), (6, 6)]
        var random = random
        octaves = scales.map { Octave(shift: $0.0, amplitude: $0.1, width: width, height: height, &random) }
        discs = (0..<24).map { _ in
            Disc(
                x: random.number(in: 0...width), y: random.number(in: 0...height),
                radius: random.number(in: max(1, width / 64)...max(1, width / 10)),
                offset: random.number(in: -30...30) / (isLuma ? 1 : 3))
        }
        self.random = random
    }

    private mutating func samples() -> [UInt8] {
        var samples = [UInt8](repeating: 0, count: width * height)
        var sums = [Int32](repeating: 0, count: width)
        for y in 0..<height {
            for x in 0..<width { sums[x] = 128 << Octave.fraction }
            for octave in octaves { octave.add(row: y, to: &sums) }
            for disc in discs { disc.add(row: y, to: &sums) }
            for x in 0..<width {
                let grain = hasGrain ? grain(x) : 0
                samples[y * width + x] = UInt8(clamping: (sums[x] >> Octave.fraction) + grain)
            }
        }
        return samples
    }

    private var bits: UInt64 = 0

    /// Returns noise from -7 to 7 with a triangular distribution: the sum of two 3-bit numbers.
    private mutating func grain(_ x: Int) -> Int32 {
        bits = x & 7 == 0 ? random.next() : bits >> 8
        return Int32(truncatingIfNeeded: bits & 7) + Int32(truncatingIfNeeded: bits >> 3 & 7) - 7
    }
}

/// Random values on a square lattice, with linear interpolation between them.
private struct Octave {
    /// Fractional bits of the sums.
    static let fraction: Int32 = 6

    /// A square of the lattice is 2^shift samples wide.
    let shift: Int
    private let columns: Int
    private let values: [Int32]

    init(shift: Int, amplitude: Int, width: Int, height: Int, _ random: inout SplitMix64) {
        self.shift = shift
        columns = width >> shift + 2
        let limit = amplitude << Int(Self.fraction)
        values = (0..<columns * (height >> shift + 2)).map { _ in Int32(random.number(in: -limit...limit)) }
    }

    func add(row y: Int, to sums: inout [Int32]) {
        let shift = Int32(shift), size = 1 << self.shift
        let down = Int32(y & (size - 1)), upper = (y >> self.shift) * columns
        var left = Int32(0), x = 0
        for column in 0..<columns where x < sums.count || column == 0 {
            let above = values[upper + column], below = values[upper + columns + column]
            let right = above + ((below - above) * down) >> shift
            if column > 0 {
                let end = min(x + size, sums.count), step = right - left
                for i in x..<end { sums[i] &+= left + (step &* Int32(truncatingIfNeeded: i - x)) >> shift }
                x = end
            }
            left = right
        }
    }
}

/// A disc that is lighter or darker than its surroundings.
private struct Disc {
    let x: Int
    let y: Int
    let radius: Int
    let offset: Int

    func add(row: Int, to sums: inout [Int32]) {
        let squared = radius * radius - (row - y) * (row - y)
        guard squared > 0 else { return }
        let half = Int(Double(squared).squareRoot())
        let range = max(0, x - half)..<max(0, min(sums.count, x + half), x - half)
        for i in range.clamped(to: sums.indices) { sums[i] += Int32(offset) << Octave.fraction }
    }
}
