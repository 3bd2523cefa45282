import Imaging
import TestSupport

extension PixelSize {
    /// More than two by two MCUs of 4:2:0, so that every kind of edge occurs.
    static let smallOdd = PixelSize(width: 37, height: 35)
}

extension LibJPEGFileBuilder {
    /// A file of an image with edges, gradients and colors in it.
    func encodedTexture(size: PixelSize = .smallOdd) throws -> [UInt8] {
        try encode(imageSize: size, planes: makeTexturePlanes(size: size))
    }

    func parsedTexture(size: PixelSize = .smallOdd) throws -> EditableJPEG {
        EditableJPEG(parsing: try encodedTexture(size: size))
    }

    /// Planes with something in every frequency, each another.
    func makeTexturePlanes(size: PixelSize) -> [Plane] {
        makePlanes(imageSize: size) { c, x, y in
            let waves = 40 * ((x * (0.9 + Double(c) * 0.3)).triangleWave + (y * 0.7).triangleWave)
            let edge = x + y > Double(size.width + size.height) / 2 ? 40.0 : 0
            return 90 + waves + edge + Double(c) * 15
        }
    }

    /// Planes that rise or fall evenly across the image, each in another direction.
    static func slopeSample(component: Int, x: Double, y: Double) -> Double {
        switch component {
        case 0: 30 + 2 * x + 3 * y
        case 1: 220 - 2 * x - 2 * y
        case 2: 60 - x + 3 * y
        default: 150 + 2 * x - 3 * y
        }
    }
}

extension Double {
    /// A triangle wave between -1 and 1 with a period of 4.
    fileprivate var triangleWave: Double {
        let phase = truncatingRemainder(dividingBy: 4)
        return phase < 2 ? phase - 1 : 3 - phase
    }
}

/// Kinds of JPEG that must give the same image.
enum JPEGVariants {
    static let commonSamplings: [LibJPEGFileBuilder] = [
        .gray, .yCbCr444, .yCbCr420,
        LibJPEGFileBuilder(colorSpace: .gray, sampling: [[2, 2]]),
        LibJPEGFileBuilder(colorSpace: .gray, sampling: [[1, 4]]),
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[2, 1], [1, 1], [1, 1]]),
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[1, 2], [1, 1], [1, 1]]),
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[4, 1], [1, 1], [1, 1]]),
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[4, 2], [1, 1], [1, 1]]),
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[3, 1], [1, 1], [1, 1]]),
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[1, 3], [1, 1], [1, 1]]),
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[2, 2], [2, 1], [2, 1]]),
    ]

    /// Samplings in which the planes of one image differ more than in the usual way.
    static let mixedSamplings: [LibJPEGFileBuilder] = [
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[1, 1], [2, 2], [2, 2]]),
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[1, 1], [2, 1], [1, 2]]),
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[2, 2], [1, 2], [2, 1]]),
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[2, 2], [1, 1], [2, 2]]),
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[3, 1], [1, 1], [2, 1]]),
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[3, 2], [1, 1], [1, 2]]),
        LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[1, 1], [4, 1], [2, 1]]),
    ]

    /// The ways in which the same coefficients may be stored.
    static let codingVariants: [@Sendable (inout LibJPEGFileBuilder) -> Void] = [
        { _ in },
        { $0.isProgressive = true },
        { $0.isArithmetic = true },
        { ($0.isProgressive, $0.isArithmetic) = (true, true) },
        { $0.restartInterval = 1 },
        { ($0.isProgressive, $0.restartInterval) = (true, 2) },
        { recipe in
            recipe.scanScript = recipe.sampling.indices.map { LibJPEGFileBuilder.ScanScriptEntry(components: [$0]) }
        },
        { recipe in
            recipe.scanScript = recipe.sampling.indices.map { LibJPEGFileBuilder.ScanScriptEntry(components: [$0]) }
            recipe.restartInterval = 3
        },
    ]
}
