import Imaging
import TestSupport

extension PixelSize {
    /// Two by two MCUs of 4:2:0 and a little more, so that every kind of edge occurs.
    static let small = PixelSize(width: 37, height: 35)
}

extension JPEGRecipe {
    /// A file of a picture with edges, gradients and colours in it.
    func file(_ size: PixelSize = .small) throws -> [UInt8] { try write(size, texture(size)) }

    func parts(_ size: PixelSize = .small) throws -> JPEGParts { JPEGParts(try file(size)) }

    /// Planes with something in every frequency, each another.
    func texture(_ size: PixelSize) -> [Plane] {
        planes(size) { c, x, y in
            let waves = 40 * ((x * (0.9 + Double(c) * 0.3)).wave + (y * 0.7).wave)
            let edge = x + y > Double(size.width + size.height) / 2 ? 40.0 : 0
            return 90 + waves + edge + Double(c) * 15
        }
    }

    /// Planes that rise or fall evenly across the picture, each in another direction.
    static func slope(_ component: Int, _ x: Double, _ y: Double) -> Double {
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
    fileprivate var wave: Double {
        let phase = truncatingRemainder(dividingBy: 4)
        return phase < 2 ? phase - 1 : 3 - phase
    }
}

/// Kinds of JPEG that must all be read alike.
enum Kinds {
    static let samplings: [JPEGRecipe] = [
        .gray, .yCbCr444, .yCbCr420,
        JPEGRecipe(.gray, [[2, 2]]), JPEGRecipe(.gray, [[1, 4]]),
        JPEGRecipe(.yCbCr, [[2, 1], [1, 1], [1, 1]]), JPEGRecipe(.yCbCr, [[1, 2], [1, 1], [1, 1]]),
        JPEGRecipe(.yCbCr, [[4, 1], [1, 1], [1, 1]]), JPEGRecipe(.yCbCr, [[4, 2], [1, 1], [1, 1]]),
        JPEGRecipe(.yCbCr, [[3, 1], [1, 1], [1, 1]]), JPEGRecipe(.yCbCr, [[1, 3], [1, 1], [1, 1]]),
        JPEGRecipe(.yCbCr, [[2, 2], [2, 1], [2, 1]]),
    ]

    /// Samplings in which the planes of one picture differ more than in the usual way.
    static let mixedSamplings: [JPEGRecipe] = [
        JPEGRecipe(.yCbCr, [[1, 1], [2, 2], [2, 2]]), JPEGRecipe(.yCbCr, [[1, 1], [2, 1], [1, 2]]),
        JPEGRecipe(.yCbCr, [[2, 2], [1, 2], [2, 1]]), JPEGRecipe(.yCbCr, [[2, 2], [1, 1], [2, 2]]),
        JPEGRecipe(.yCbCr, [[3, 1], [1, 1], [2, 1]]), JPEGRecipe(.yCbCr, [[3, 2], [1, 1], [1, 2]]),
        JPEGRecipe(.yCbCr, [[1, 1], [4, 1], [2, 1]]),
    ]

    /// The ways in which the same coefficients may be stored.
    static let codings: [@Sendable (inout JPEGRecipe) -> Void] = [
        { _ in },
        { $0.isProgressive = true },
        { $0.isArithmetic = true },
        { ($0.isProgressive, $0.isArithmetic) = (true, true) },
        { $0.restartInterval = 1 },
        { ($0.isProgressive, $0.restartInterval) = (true, 2) },
        { recipe in recipe.scans = recipe.sampling.indices.map { JPEGRecipe.Scan([$0]) } },
        { recipe in
            recipe.scans = recipe.sampling.indices.map { JPEGRecipe.Scan([$0]) }
            recipe.restartInterval = 3
        },
    ]
}
