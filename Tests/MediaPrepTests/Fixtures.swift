import Foundation
import ImageCodecs
import Imaging
import MediaPrep
import TestSupport

/// The samples, prepared once with the default options for all tests.
enum PreparedSamples {
    private static let preparedByName = Result {
        try Dictionary(
            uniqueKeysWithValues: SampleMedia.goodImageNames().map { name in
                (name, try ImagePreparer().prepare(contentsOf: SampleMedia.goodImage(named: name)))
            })
    }

    static func preparedImage(named name: String) throws -> PreparedImage {
        guard let image = try preparedByName.get()[name] else { throw CocoaError(.fileNoSuchFile) }
        return image
    }
}

/// Small JPEGs that are encoded by the tests.
enum SmallJPEGs {
    /// A gray image of four rectangles, given from the top left in reading order.
    static func makeGrayQuarters(_ levels: [UInt8], width: Int, height: Int) throws -> Data {
        var plane = Plane(width: width, height: height)
        for y in 0..<height {
            for x in 0..<plane.stride {
                plane.samples[y * plane.stride + x] = levels[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)]
            }
        }
        let size = PixelSize(width: width, height: height)
        return try encode(PlanarImage(size: size, chromaSubsampling: .none, planes: [plane]), quality: 90)
    }

    /// A color image of seeded noise over a slope, which takes more bytes the higher the quality.
    static func makeColorNoise(
        width: Int = 96, height: Int = 64, quality: Int, isProgressive: Bool = false, seed: UInt64 = 1
    ) throws -> Data {
        var state = seed
        let planes = [(width, height), ((width + 1) / 2, (height + 1) / 2), ((width + 1) / 2, (height + 1) / 2)]
            .map { width, height in
                var plane = Plane(width: width, height: height)
                for index in plane.samples.indices {
                    // The multiplier and increment are Knuth's, of MMIX.
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    plane.samples[index] =
                        UInt8(64 + (state >> 33) % 96) + UInt8(index % plane.stride * 64 / plane.stride)
                }
                return plane
            }
        let size = PixelSize(width: width, height: height)
        let image = PlanarImage(
            size: size, chromaSubsampling: ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2), planes: planes)
        return try encode(image, quality: quality, isProgressive: isProgressive)
    }

    private static func encode(_ image: PlanarImage, quality: Int, isProgressive: Bool = false) throws -> Data {
        var encoder = try JPEGEncoder()
        return Data(
            try encoder.encode(image, iccProfile: nil, options: .init(quality: quality, isProgressive: isProgressive))
        )
    }
}

extension Data {
    /// This JPEG with one more segment, right behind its start of image.
    func insertingSegment(marker: UInt8, payload: some Collection<UInt8>) -> Data {
        let length = payload.count + 2
        return Data(prefix(2)) + [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload + dropFirst(2)
    }

    /// This JPEG with an Exif block that holds nothing but an orientation.
    func addingExifOrientation(_ orientation: Int) -> Data {
        let header: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1]
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
        return insertingSegment(marker: 0xE1, payload: Array("Exif\0\0".utf8) + header + entry + [0, 0, 0, 0])
    }

    /// Bytes of this JPEG that carry its image: those that remain when nothing else does.
    func imageDataByteCount() throws -> Int {
        let walker = try StrictJPEGParser(parsing: self)
        let jfif = walker.segments(withMarker: 0xE0).filter { $0.payload.starts(with: "JFIF\0".utf8) }
        return 4 + (walker.imageDataSegments + jfif).reduce(0) { $0 + $1.byteCount }
    }
}
