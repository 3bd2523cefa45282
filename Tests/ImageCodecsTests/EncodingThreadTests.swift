import Imaging
import SystemSupport
import TestSupport
import Testing

@testable import ImageCodecs

/// A second thread that encodes the second half of an image.
@Suite("A JPEG is the same if two threads encode it", .timeLimit(.minutes(20)))
struct EncodingThreadTests {
    /// Enough pixels for a second thread.
    private static let size = PixelSize(width: 500, height: 301)
    private static let halved = ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2)

    private static func makeImage(size: PixelSize = size, chroma: ChromaSubsampling?) -> PlanarImage {
        var random = SplitMix64(seed: 1)
        func makePlane(_ factors: ChromaSubsampling) -> Plane {
            var plane = Plane(
                width: size.width.dividedRoundingUp(by: factors.horizontalFactor),
                height: size.height.dividedRoundingUp(by: factors.verticalFactor))
            for index in plane.samples.indices {
                plane.samples[index] = UInt8(index / 37 % 128 + random.number(in: 0...63))
            }
            return plane
        }
        let planes = chroma.map { [makePlane(.none), makePlane($0), makePlane($0)] } ?? [makePlane(.none)]
        return PlanarImage(size: size, chromaSubsampling: chroma ?? .none, planes: planes)
    }

    private static func encode(
        _ image: PlanarImage, isProgressive: Bool = false, spareThreads: SpareThreads?
    ) throws -> [UInt8] {
        var encoder = try JPEGEncoder(spareThreads: spareThreads)
        return try encoder.encode(
            image, iccProfile: nil,
            options: .init(quality: 80, isProgressive: isProgressive, encoder: .compact))
    }

    @Test(
        "with every sampling",
        arguments: [nil] + JPEGEncoderTests.reductions)
    func filesAreEqual(chroma: ChromaSubsampling?) throws {
        let image = Self.makeImage(chroma: chroma), threads = SpareThreads(count: 1)
        let file = try Self.encode(image, spareThreads: threads)
        #expect(threads.takenCount == 1)
        #expect(try file == Self.encode(image, spareThreads: nil))
        #expect(threads.takeIfLeft(), "the thread is given back before the file is written")
    }

    @Test("A thread is not taken for a small or a progressive image, or if none is left")
    func noThreadIsTaken() throws {
        let threads = SpareThreads(count: 1)
        _ = try Self.encode(
            Self.makeImage(size: PixelSize(width: 300, height: 300), chroma: Self.halved), spareThreads: threads)
        _ = try Self.encode(Self.makeImage(chroma: Self.halved), isProgressive: true, spareThreads: threads)
        #expect(threads.takenCount == 0)
        let image = Self.makeImage(chroma: Self.halved)
        #expect(
            try Self.encode(image, spareThreads: SpareThreads(count: 0)) == Self.encode(image, spareThreads: nil))
    }

    @Test("A background value is computed with a thread and without one", arguments: [0, 1])
    func backgroundValueIsComputed(threadCount: Int) {
        let threads = SpareThreads(count: threadCount)
        let value = BackgroundValue(on: threads) { 6 * 7 }
        #expect(value.wait() == 42)
        #expect(value.wait() == 42, "a value can be read again")
        #expect(threads.takenCount == threadCount)
        #expect(threads.takeIfLeft() == (threadCount > 0), "the thread is given back first")
    }
}
