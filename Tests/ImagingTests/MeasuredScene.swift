import TestSupport

@testable import Imaging

/// A scene with detail of every size, as photos have it, and the faults of photos. Stripes of it are nearly flat, as
/// parts of most photos are: there, noise can be told from detail.
struct MeasuredScene {
    let width: Int
    let height: Int
    /// The luma levels.
    private(set) var samples: [Double]

    /// Creates a scene around luma 120.
    init(width: Int = 240, height: Int = 176, seed: UInt64 = 1) {
        self.width = width
        self.height = height
        samples = Array(repeating: 120, count: width * height)
        for (index, size) in [1, 2, 4, 8, 16, 32].enumerated() {
            let columns = width / size + 2, rows = height / size + 2
            var random = SplitMix64(seed: seed + UInt64(index) * 1000)
            // With more detail of single samples, sharpness and detail would be 1 even after a change.
            let divisor = size == 1 ? 64.0 : 20
            let values = (0..<(columns * rows)).map { _ in Double(random.number(in: -400...400)) / divisor }
            for y in 0..<height {
                for x in 0..<width {
                    let amplitude = x % 80 < 48 ? 1 : 0.02
                    samples[y * width + x] +=
                        amplitude
                        * Self.interpolated(
                            values, columnCount: columns, x: Double(x) / Double(size), y: Double(y) / Double(size))
                }
            }
        }
    }

    private static func interpolated(_ values: [Double], columnCount: Int, x: Double, y: Double) -> Double {
        let (column, row) = (Int(x), Int(y)), (a, b) = (x - Double(column), y - Double(row))
        let i = row * columnCount + column
        return (values[i] * (1 - a) + values[i + 1] * a) * (1 - b)
            + (values[i + columnCount] * (1 - a) + values[i + columnCount + 1] * a) * b
    }

    var plane: Plane {
        Plane(width: width, height: height) { x, y in
            UInt8(max(0, min(255, samples[y * width + x].rounded())))
        }
    }

    var measures: ImageMeasures { plane.measures }

    /// Returns the scene with a function applied to each sample.
    func mapping(_ transform: (_ x: Int, _ y: Int, _ level: Double) -> Double) -> MeasuredScene {
        var scene = self
        for y in 0..<height {
            for x in 0..<width { scene.samples[y * width + x] = transform(x, y, samples[y * width + x]) }
        }
        return scene
    }

    /// Returns the scene out of focus: each sample is the mean of those within `radius`.
    func defocused(radius: Double) -> MeasuredScene {
        let reach = Int(radius.rounded(.up))
        let offsets = (-reach...reach).flatMap { y in
            (-reach...reach).filter { Double($0 * $0 + y * y) <= radius * radius }.map { ($0, y) }
        }
        return averaging(offsets)
    }

    /// Returns the scene moved by `length` samples in a direction of (1, 0), (0, 1), (1, 1) or (1, -1).
    func moved(by length: Int, direction: (x: Int, y: Int)) -> MeasuredScene {
        averaging((-length / 2...length / 2).map { ($0 * direction.x, $0 * direction.y) })
    }

    private func averaging(_ offsets: [(x: Int, y: Int)]) -> MeasuredScene {
        mapping { x, y, _ in
            let sum = offsets.reduce(0) { sum, offset in
                sum
                    + samples[
                        min(max(y + offset.y, 0), height - 1) * width + min(max(x + offset.x, 0), width - 1)]
            }
            return sum / Double(offsets.count)
        }
    }

    /// Returns the scene with approximately Gaussian noise: the sum of 12 uniform numbers.
    func adding(noise sigma: Double, seed: UInt64 = 7) -> MeasuredScene {
        var random = SplitMix64(seed: seed)
        return mapping { _, _, level in
            let sum = (0..<12).reduce(0.0) { sum, _ in sum + Double(random.number(in: 0...9999)) / 9999 }
            return level + sigma * (sum - 6)
        }
    }
}

extension Plane {
    /// The measures of the plane, as a grayscale image of this size.
    var measures: ImageMeasures { measured(by: PixelKernels(instructionSet: .selected)) }

    func measured(by kernels: PixelKernels) -> ImageMeasures {
        ImageMeasures(
            overview: self, chroma: [], sourceSize: PixelSize(width: width, height: height), kernels: kernels)
    }
}
