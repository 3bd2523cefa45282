import TestSupport
import Testing

@testable import Imaging

/// The conversion of planes by a table, for each instruction set.
@Suite struct ColorTableTests {
    /// A table of random nodes, half of them extreme.
    private static func makeRandomTable(seed: UInt64) -> ColorConversionTable {
        var random = SplitMix64(seed: seed)
        func nodes() -> [Int16] {
            (0..<ColorConversionTable.nodeCount).map { _ in
                switch random.number(in: 0...3) {
                case 0: -8192
                case 1: 24_512
                default: Int16(random.number(in: -8192...24_512))
                }
            }
        }
        return ColorConversionTable(y: nodes(), cb: nodes(), cr: nodes())
    }

    private static let randomTable = makeRandomTable(seed: 1)

    /// The table that changes no color.
    private static let identity: ColorConversionTable = {
        let n = ColorConversionTable.axisNodeCount
        let nodes = (0..<ColorConversionTable.nodeCount).map { ($0 % n, $0 / n / n, $0 / n % n) }
        return ColorConversionTable(
            y: nodes.map { Int16($0.0 * 512) }, cb: nodes.map { Int16($0.1 * 512) }, cr: nodes.map { Int16($0.2 * 512) }
        )
    }()

    @Test("Luma and chroma match the formula", arguments: KernelTests.availableSets)
    func kernelsMatchFormula(set: InstructionSet) {
        var random = SplitMix64(seed: 2)
        let kernels = PixelKernels(instructionSet: set), table = Self.randomTable
        for count in [0, 8, 16, 24, 256, 1000] {
            for start in [0, 3] {
                let cb = ContiguousArray(random.bytes(count: start + count))
                let cr = ContiguousArray(random.bytes(count: start + count))
                let y = ContiguousArray(random.bytes(count: start + count))
                let expected = (start..<(start + count)).map { interpolate(table, y: y[$0], cb: cb[$0], cr: cr[$0]) }
                var luma = y, bluish = cb, reddish = cr
                kernels.convertLuma(
                    &luma, at: start, cb: cb.span.extracting(start...), cr: cr.span.extracting(start...), with: table)
                kernels.convertChroma(
                    cb: &bluish, cr: &reddish, at: start, luma: y.span.extracting(start...), with: table)
                #expect(Array(luma[start...]) == expected.map(\.0))
                #expect(Array(bluish[start...]) == expected.map(\.1))
                #expect(Array(reddish[start...]) == expected.map(\.2))
                #expect(luma[..<start] == y[..<start] && bluish[..<start] == cb[..<start])
            }
        }
    }

    @Test(
        "Each sample is converted with the chroma of its place, or the mean luma of its place",
        arguments: [(1, 1), (2, 1), (2, 2), (1, 2), (3, 1), (4, 1), (4, 2), (3, 3)],
        [(1, 1), (17, 13), (64, 9), (31, 8)])
    func planesMatchFormula(factors: (across: Int, down: Int), size: (width: Int, height: Int)) {
        let image = Self.makeNoise(size, factors, seed: 3)
        let expected = Self.convertSampleBySample(image, with: Self.randomTable)
        for set in KernelTests.availableSets {
            var converted = image
            converted.convertColors(with: Self.randomTable, instructionSet: set)
            for (plane, samples) in zip(converted.planes, expected) { #expect(Self.samples(of: plane) == samples) }
        }
    }

    @Test("A table of equal colors changes nothing, padding included")
    func identityChangesNothing() {
        let image = Self.makeNoise((37, 11), (2, 2), seed: 4)
        var converted = image
        converted.convertColors(with: Self.identity)
        for (plane, original) in zip(converted.planes, image.planes) { #expect(plane.samples == original.samples) }
    }

    @Test("Gray samples are replaced by the table's values")
    func grayIsReplaced() {
        var plane = Plane(width: 16, height: 16)
        for index in plane.samples.indices { plane.samples[index] = UInt8(index) }
        var image = PlanarImage(
            size: PixelSize(width: 16, height: 16), chromaSubsampling: .none, planes: [plane])
        image.convertGray(with: (0...255).map { 255 - $0 })
        #expect(Array(image.planes[0].samples) == (0...255).map { 255 - $0 })
    }

    private static func makeNoise(_ size: (width: Int, height: Int), _ factors: (across: Int, down: Int), seed: UInt64)
        -> PlanarImage
    {
        var random = SplitMix64(seed: seed)
        let planes = (0..<3).map { index in
            var plane = Plane(
                width: index == 0 ? size.width : size.width.dividedRoundingUp(by: factors.across),
                height: index == 0 ? size.height : size.height.dividedRoundingUp(by: factors.down))
            for y in 0..<plane.height {
                for x in 0..<plane.width { plane.samples[y * plane.stride + x] = UInt8(random.number(in: 0...255)) }
            }
            plane.padRowsToStride()
            return plane
        }
        return PlanarImage(
            size: PixelSize(width: size.width, height: size.height),
            chromaSubsampling: ChromaSubsampling(horizontalFactor: factors.across, verticalFactor: factors.down),
            planes: planes)
    }

    private static func samples(of plane: Plane) -> [UInt8] {
        (0..<plane.height).flatMap { plane.samples[($0 * plane.stride)..<($0 * plane.stride + plane.width)] }
    }

    private static func convertSampleBySample(_ image: PlanarImage, with table: ColorConversionTable) -> [[UInt8]] {
        let (luma, cb, cr) = (image.planes[0], image.planes[1], image.planes[2])
        let (across, down) = (image.chromaSubsampling.horizontalFactor, image.chromaSubsampling.verticalFactor)
        func sample(_ plane: Plane, _ x: Int, _ y: Int) -> UInt8 { plane.samples[y * plane.stride + x] }
        var result: [[UInt8]] = [[], [], []]
        for y in 0..<luma.height {
            for x in 0..<luma.width {
                let (bluish, reddish) = (sample(cb, x / across, y / down), sample(cr, x / across, y / down))
                result[0].append(interpolate(table, y: sample(luma, x, y), cb: bluish, cr: reddish).0)
            }
        }
        for y in 0..<cb.height {
            for x in 0..<cb.width {
                var sum = 0, count = 0
                for row in (y * down)..<min(y * down + down, luma.height) {
                    for column in (x * across)..<min(x * across + across, luma.width) {
                        sum += Int(sample(luma, column, row))
                        count += 1
                    }
                }
                let mean = UInt8((sum + count / 2) / count)
                let color = interpolate(table, y: mean, cb: sample(cb, x, y), cr: sample(cr, x, y))
                result[1].append(color.1)
                result[2].append(color.2)
            }
        }
        return result
    }
}

/// The formula, in 64 bits and from the nodes' cells.
private func interpolate(_ table: ColorConversionTable, y: UInt8, cb: UInt8, cr: UInt8) -> (UInt8, UInt8, UInt8) {
    let cell = Int(cb) / 8 * 1024 + Int(cr) / 8 * 32 + Int(y) / 8
    let (v, u, t) = (Int(cb) % 8, Int(cr) % 8, Int(y) % 8)
    func value(_ values: ContiguousArray<Int16>, at first: Int) -> UInt8 {
        var sum = 1 << 14
        for corner in 0..<8 {
            let weight = (corner >= 4 ? v : 8 - v) * (corner / 2 % 2 == 1 ? u : 8 - u) * (corner % 2 == 1 ? t : 8 - t)
            sum += Int(values[first + corner]) * weight
        }
        return UInt8(clamping: sum >> 15)
    }
    return (
        value(table.lumaCells, at: cell * 8), value(table.chromaCells, at: cell * 16),
        value(table.chromaCells, at: cell * 16 + 8)
    )
}
