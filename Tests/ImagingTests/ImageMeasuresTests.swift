import TestSupport
import Testing

@testable import Imaging

@Suite("Measures of images")
struct ImageMeasuresTests {
    private let scene = MeasuredScene()
    /// A scene in an ellipse, with a dark surround.
    private static let sceneWithField = MeasuredScene(width: 251, height: 237).mapping { x, y, level in
        let (dx, dy) = (Double(x - 131) / 97, Double(y - 112) / 88)
        return dx * dx + dy * dy < 1 ? level : 8
    }

    @Test("The further an image is out of focus, the lower its sharpness")
    func defocusLowersSharpness() {
        let sharpness = [0, 1, 1.5, 2, 3, 4, 6].map { scene.defocused(radius: $0).measures.sharpness }
        #expect(zip(sharpness, sharpness.dropFirst()).allSatisfy { $0 > $1 }, "\(sharpness)")
        // A radius of 2 removes more than half of it.
        #expect(sharpness[3] < sharpness[0] / 2)
    }

    @Test("Motion in any direction lowers the sharpness", arguments: [(1, 0), (0, 1), (1, 1), (1, -1)])
    func motionLowersSharpness(x: Int, y: Int) {
        let sharp = scene.measures.sharpness
        #expect(scene.moved(by: 8, direction: (x, y)).measures.sharpness < sharp / 2)
    }

    @Test("A fine pattern with little coarse detail is not sharper than 1, and without any it is not sharp")
    func finePatternIsLimited() {
        let pattern = [50.0, 50, -50, -50]
        func adding(to level: Double, x: Int, y: Int) -> Double { level + pattern[x % 4] + pattern[y % 4] }
        let withDetail = scene.mapping { x, y, level in x % 80 < 48 ? adding(to: level, x: x, y: y) : level }
        #expect(withDetail.measures.sharpness == 1)
        #expect(scene.mapping { x, y, _ in adding(to: 120, x: x, y: y) }.measures.sharpness == 0)
    }

    @Test("Noise does not make a blurred image sharp")
    func noiseDoesNotSharpen() {
        let blurred = scene.defocused(radius: 4)
        #expect(blurred.adding(noise: 6).measures.sharpness < scene.measures.sharpness / 2)
    }

    @Test("An image that is sharp in one place only is as sharp as that place, which is reported")
    func sharpPlaceCounts() throws {
        let blurred = scene.defocused(radius: 4)
        let blurredPlane = blurred.plane
        let partly = scene.mapping { x, y, level in
            x >= 130 && y >= 90 ? level : Double(blurredPlane[x, y])
        }
        #expect(partly.measures.sharpness > 0.8 * scene.measures.sharpness)
        let region = try #require(partly.measures.sharpestRegion)
        #expect(region.x + region.width / 2 > 0.5 && region.y + region.height / 2 > 0.5)
    }

    /// No third of the width and height then has much more detail than another, as in most photos of phones.
    @Test("An image with detail everywhere has a sharpest region")
    func imageWithDetailEverywhereHasSharpestRegion() throws {
        let large = MeasuredScene(width: 480, height: 352), blurredPlane = large.defocused(radius: 1.5).plane
        let partly = large.mapping { x, y, level in x >= 240 ? level : Double(blurredPlane[x, y]) }
        let region = try #require(partly.measures.sharpestRegion)
        #expect(region.x + region.width / 2 > 0.5)
    }

    @Test("Sharpness does not depend on contrast and brightness", arguments: [(0.5, 0), (0.5, 60), (0.8, -30)])
    func sharpnessDoesNotDependOnContrast(factor: Double, offset: Double) {
        let changed = scene.mapping { _, _, level in level * factor + offset }
        // Rounding to levels adds a little noise, which counts more with less contrast.
        #expect(abs(changed.measures.sharpness / scene.measures.sharpness - 1) < 0.05)
    }

    @Test("White noise is measured", arguments: [0.0, 2, 4, 8, 12])
    func noiseIsMeasured(sigma: Double) {
        let flat = scene.mapping { _, _, _ in 120 }
        // The quietest tenth of the places has a little less than all. Rounding adds 0.29 levels.
        let expected = (sigma * sigma + (sigma > 0 ? 1.0 / 12 : 0)).squareRoot()
        let measured = flat.adding(noise: sigma).measures.noise
        #expect(measured <= expected * 1.02 && measured >= expected * 0.85, "\(measured)")
    }

    @Test(
        "A turned or mirrored image has the same measures, whatever its size",
        arguments: Orientation.allCases, [(234, 176), (233, 171), (229, 178), (240, 173)])
    func turnedImageHasTheSameMeasures(_ orientation: Orientation, size: (width: Int, height: Int)) {
        let plane = MeasuredScene(width: size.width, height: size.height).plane
        let (upright, turned) = (plane.measures, plane.oriented(by: orientation).measures)
        #expect(turned.sharpness == upright.sharpness && turned.noise == upright.noise)
        #expect(turned.mean == upright.mean && turned.contrast == upright.contrast)
        #expect(turned.percentile5 == upright.percentile5 && turned.percentile95 == upright.percentile95)
        #expect(turned.detail == upright.detail && turned.glare == upright.glare)
        #expect(abs(turned.blocking - upright.blocking) < 1e-9)
        #expect(turned.clippedLow == upright.clippedLow && turned.clippedHigh == upright.clippedHigh)
    }

    @Test("The field of view is where the light is, also if its edge is hard", arguments: [8.0, 60])
    func fieldIsWhereTheLightIs(surround: Double) throws {
        let width = 251, height = 237
        func isInEllipse(_ x: Int, _ y: Int, _ ellipse: (x: Double, y: Double, radiusX: Double, radiusY: Double))
            -> Bool
        {
            let (dx, dy) = ((Double(x) - ellipse.x) / ellipse.radiusX, (Double(y) - ellipse.y) / ellipse.radiusY)
            return dx * dx + dy * dy < 1
        }
        let light = (x: 131.0, y: 112.0, radiusX: 97.0, radiusY: 88.0)
        let scene = MeasuredScene(width: width, height: height).mapping { x, y, level in
            isInEllipse(x, y, light) ? 120 + level / 4 : surround
        }
        let found = try #require(scene.measures.fieldOfView)
        let (radiusX, radiusY) = (found.width * Double(width) / 2, found.height * Double(height) / 2)
        let field = (
            x: found.x * Double(width) + radiusX, y: found.y * Double(height) + radiusY, radiusX: radiusX,
            radiusY: radiusY
        )
        var intersection = 0, union = 0
        for y in 0..<height {
            for x in 0..<width {
                let places = (isInEllipse(x, y, light), isInEllipse(x, y, field))
                intersection += places.0 && places.1 ? 1 : 0
                union += places.0 || places.1 ? 1 : 0
            }
        }
        // It is 0.938 and more. Black margins are cut off before the search; without refinement it is then 0.90.
        #expect(Double(intersection) >= 0.93 * Double(union), "\(field)")
    }

    @Test("A turned or mirrored image has the same field of view", arguments: Orientation.allCases)
    func turnedImageHasTheSameField(_ orientation: Orientation) throws {
        let plane = Self.sceneWithField.plane
        let (upright, turned) = (plane.measures, plane.oriented(by: orientation).measures)
        #expect(upright.fieldOfView != nil && turned.fieldOfViewShare == upright.fieldOfViewShare)
        #expect(turned.mean == upright.mean && turned.sharpness == upright.sharpness)
    }

    @Test("All instruction sets give the same measures", arguments: KernelTests.availableSets)
    func setsGiveTheSameMeasures(_ set: InstructionSet) {
        let kernels = PixelKernels(instructionSet: set), portable = PixelKernels(instructionSet: .portable)
        for (width, height) in [(240, 176), (61, 50), (29, 24)] {
            let noise = Plane(noiseOf: width, by: height, seed: 3)
            for plane in [noise, MeasuredScene(width: width, height: height).plane] {
                #expect(plane.measured(by: kernels) == plane.measured(by: portable))
                func places(_ kernels: PixelKernels) -> DetailPlaces {
                    DetailPlaces(
                        plane, cells: LumaCells(plane, in: plane.litBounds, kernels: kernels), kernels: kernels)
                }
                let (places, expected) = (places(kernels), places(portable))
                #expect(places.fineEnergies == expected.fineEnergies)
                #expect(places.mediumEnergies == expected.mediumEnergies)
                #expect(places.coarseEnergies == expected.coarseEnergies)
            }
        }
        // White noise has no sharpness and no detail, so that equal measures of it tell nothing about these.
        let measures = scene.plane.measured(by: kernels)
        #expect(measures.sharpness > 0 && measures.sharpness < 1 && measures.detail > 0 && measures.detail < 1)
    }

    @Test("Images of any size have finite measures")
    func smallImagesHaveFiniteMeasures() {
        for width in [1, 3, 4, 7, 15, 16, 23, 24, 25, 40, 1024] {
            for height in [1, 4, 23, 24, 33, 700] {
                for level in [UInt8(0), 130, 255] {
                    let measures = Plane(width: width, height: height) { _, _ in level }.measures
                    #expect(
                        [measures.sharpness, measures.noise, measures.contrast, measures.blocking].allSatisfy {
                            $0 == 0
                        })
                    #expect((0...1).contains(measures.glare) && (0...1).contains(measures.fieldOfViewShare))
                    #expect(measures.shorterSide == min(width, height))
                }
            }
        }
    }

    @Test("The exposure is that of the samples", arguments: [0, 3, 4, 100, 249, 250, 255])
    func exposureOfUniformImage(level: Int) {
        let measures = Plane(width: 64, height: 48) { _, _ in UInt8(level) }.measures
        #expect(measures.fieldOfView == nil)
        #expect(measures.mean == Double(level))
        #expect(measures.percentile5 == Double(level) && measures.percentile95 == Double(level))
        #expect(measures.clippedLow == (level <= 3 ? 1 : 0) && measures.clippedHigh == (level >= 250 ? 1 : 0))
    }

    @Test("Percentiles are those of the luma of a gradient")
    func percentilesOfGradient() {
        // From 40 to 239. The percentiles are those of cells of four columns.
        let measures = Plane(width: 200, height: 64) { x, _ in UInt8(40 + x) }.measures
        #expect(abs(measures.percentile5 - 50) < 4 && abs(measures.percentile95 - 230) < 4)
        #expect(abs(measures.contrast - 180.0 / 280) < 0.03)
    }

    @Test("White discs are glare, and the largest is reported; single white samples are not")
    func discsAreGlare() throws {
        func isIn(_ x: Int, _ y: Int, _ disc: (x: Int, y: Int, radius: Int)) -> Bool {
            (x - disc.x) * (x - disc.x) + (y - disc.y) * (y - disc.y) <= disc.radius * disc.radius
        }
        let discs = [(x: 60, y: 60, radius: 12), (x: 170, y: 100, radius: 24)]
        let shiny = scene.mapping { x, y, level in
            discs.contains { isIn(x, y, $0) } || (x % 9 == 0 && y % 9 == 0) ? 255 : min(level, 240)
        }
        let area = discs.reduce(0) { $0 + Double($1.radius * $1.radius) * Double.pi }
        #expect(abs(shiny.measures.glare - area / (240 * 176)) < 0.01)
        let region = try #require(shiny.measures.largestGlareRegion)
        #expect(abs(region.x * 240 - 146) <= 4 && abs(region.width * 240 - 48) <= 8)
        #expect(abs(region.y * 176 - 76) <= 4 && abs(region.height * 176 - 48) <= 8)
    }

    @Test(
        "A black margin of any width, with the noise of compression, changes no measure but the regions",
        arguments: [(1, 0, 0, 0), (0, 2, 0, 5), (3, 3, 3, 3), (40, 17, 33, 50)])
    func marginChangesNothing(left: Int, top: Int, right: Int, bottom: Int) throws {
        func withGlare(_ scene: MeasuredScene) -> MeasuredScene {
            scene.mapping { x, y, level in (110..<130).contains(x) && (90..<110).contains(y) ? 255 : level }
        }
        let field = withGlare(Self.sceneWithField).plane
        #expect(field.measures.fieldOfView != nil)
        for plane in [withGlare(scene).plane, field] {
            let framed = Plane(width: plane.width + left + right, height: plane.height + top + bottom) { x, y in
                let (column, row) = (x - left, y - top)
                let isInside = (0..<plane.width).contains(column) && (0..<plane.height).contains(row)
                return isInside ? plane[column, row] : UInt8((x * 7 + y * 5) % 25)
            }
            let (measures, expected) = (framed.measures, plane.measures)
            #expect(measures.sharpness == expected.sharpness && measures.noise == expected.noise)
            #expect(measures.mean == expected.mean && measures.contrast == expected.contrast)
            #expect(measures.clippedLow == expected.clippedLow && measures.blocking == expected.blocking)
            #expect(measures.detail == expected.detail && measures.fieldOfViewShare == expected.fieldOfViewShare)
            let region = try #require(measures.largestGlareRegion), inner = try #require(expected.largestGlareRegion)
            #expect(abs(region.x * Double(framed.width) - Double(left) - inner.x * Double(plane.width)) < 0.001)
            #expect(abs(region.y * Double(framed.height) - Double(top) - inner.y * Double(plane.height)) < 0.001)
        }
    }

    @Test(
        "Steps between blocks of 8 by 8 samples are measured wherever the blocks begin",
        arguments: [(0, 0), (3, 6), (7, 1)])
    func blocksAreMeasured(x: Int, y: Int) {
        // Neighboring blocks differ by 6 levels along both axes.
        func stepped(blockSide: Int) -> MeasuredScene {
            scene.mapping { column, row, level in
                level + (((column + x) / blockSide + (row + y) / blockSide).isMultiple(of: 2) ? 0 : 6)
            }
        }
        #expect(scene.measures.blocking < 0.3)
        // Detail of the scene hides a part of the step.
        #expect((1.5...6).contains(stepped(blockSide: 8).measures.blocking))
        #expect(stepped(blockSide: 7).measures.blocking < 1)
    }

    @Test("Stripes along one axis are no blocks")
    func stripesAreNoBlocks() {
        let striped = scene.mapping { x, _, level in level + (x / 8 % 2 == 0 ? 0 : 20) }
        #expect(striped.measures.blocking < 0.3)
    }

    @Test("The color cast is the distance from gray, without chroma there is none")
    func colorCastIsDistanceFromGray() {
        let plane = scene.plane
        func cast(_ chroma: [Plane]) -> Double? {
            ImageMeasures(
                overview: plane, chroma: chroma, sourceSize: PixelSize(width: 240, height: 176),
                kernels: PixelKernels(instructionSet: .selected)
            ).colorCast
        }
        let chroma = [128 - 30, 128 + 40].map { level in
            Plane(width: 90, height: 66) { _, _ in UInt8(level) }
        }
        #expect(cast(chroma) == 50)
        #expect(cast([]) == nil)
    }
}
