import Testing

@testable import Imaging

extension Orientation {
    /// Where sample (x, y) of a stored image is in the upright one, whose last column and row are `right` and
    /// `bottom`: in the words of the Exif specification, by the sides of it at which the stored rows and columns begin.
    func uprightPosition<Number: SignedNumeric>(
        storedX x: Number, y: Number, right: Number, bottom: Number
    ) -> (x: Number, y: Number) {
        switch self {
        case .up: (x, y)  // The 0th row is at the top, the 0th column at the left.
        case .upMirrored: (right - x, y)  // Top, right.
        case .down: (right - x, bottom - y)  // Bottom, right.
        case .downMirrored: (x, bottom - y)  // Bottom, left.
        case .leftMirrored: (y, x)  // The 0th row is at the left, the 0th column at the top.
        case .right: (right - y, x)  // Right, top.
        case .rightMirrored: (right - y, bottom - x)  // Right, bottom.
        case .left: (y, bottom - x)  // Left, bottom.
        }
    }
}

extension Plane {
    /// This upright plane as a camera held so would have stored it.
    func stored(as orientation: Orientation) -> Plane {
        let upright = PixelSize(width: width, height: height)
        let size = orientation.orientedSize(of: upright)
        return Plane(width: size.width, height: size.height) { x, y in
            let position = orientation.uprightPosition(storedX: x, y: y, right: width - 1, bottom: height - 1)
            return self[position.x, position.y]
        }
    }
}

@Suite("Orientation")
struct OrientationTests {
    @Test(
        "Each of the eight values turns a stored plane upright",
        arguments: [
            (1, ["abc", "def"]), (2, ["cba", "fed"]), (3, ["fed", "cba"]), (4, ["def", "abc"]),
            (5, ["ad", "be", "cf"]), (6, ["da", "eb", "fc"]), (7, ["fc", "eb", "da"]), (8, ["cf", "be", "ad"]),
        ])
    func storedPlaneIsTurnedUpright(value: Int, upright: [String]) throws {
        let letters = [Array("abc".utf8), Array("def".utf8)]
        let stored = Plane(width: 3, height: 2) { x, y in letters[y][x] }
        let turned = stored.oriented(by: try #require(Orientation(rawValue: value)))
        #expect(turned.rows == upright.map { Array($0.utf8) })
        #expect(turned.width == upright[0].utf8.count && turned.height == upright.count)
    }

    @Test(
        "Planes of all sizes around those of the tiles are rotated as specified",
        arguments: Orientation.allCases)
    func planesOfAllTileSizesAreTurned(orientation: Orientation) {
        for (width, height) in [(1, 1), (1, 9), (15, 17), (16, 16), (17, 33), (40, 31), (64, 5), (131, 70)] {
            let upright = Plane(noiseOf: width, by: height, seed: 1)
            let stored = upright.stored(as: orientation)
            #expect(stored.oriented(by: orientation).rows == upright.rows, "\(width)x\(height)")
            #expect(orientation.orientedSize(of: PixelSize(width: stored.width, height: stored.height)).width == width)
        }
    }

    @Test(
        "A plane whose rows arrive one after the other is turned as a whole one is",
        arguments: Orientation.allCases)
    func arrivingRowsAreTurned(orientation: Orientation) {
        // The rows are turned 64 at a time.
        for (width, height) in [(1, 1), (9, 63), (40, 64), (7, 65), (131, 128), (30, 150)] {
            let stored = Plane(noiseOf: width, by: height, seed: 2)
            var arriving = UprightPlane(
                storedSize: PixelSize(width: width, height: height), orientation: orientation)
            for row in 0..<height {
                arriving.appendRow { samples, start in
                    for x in 0..<width { samples[start + x] = stored[x, row] }
                }
            }
            let expected = stored.oriented(by: orientation)
            #expect(arriving.plane.rows == expected.rows, "\(width)x\(height)")
            #expect(orientation == .up || arriving.plane.samples == expected.samples, "padding")
        }
    }

    @Test("Only the values 1 to 8 are orientations", arguments: [-1, 0, 9, 65_535])
    func invalidOrientationValuesAreNil(value: Int) {
        #expect(Orientation(rawValue: value) == nil)
    }

    @Test("A size changes sides for the quarter turns, and back")
    func quarterTurnsSwapSides() {
        let size = PixelSize(width: 4032, height: 3024)
        for orientation in Orientation.allCases {
            let stored = orientation.orientedSize(of: size)
            #expect(stored == (orientation.rawValue > 4 ? PixelSize(width: 3024, height: 4032) : size))
            #expect(orientation.orientedSize(of: stored) == size)
        }
    }
}
