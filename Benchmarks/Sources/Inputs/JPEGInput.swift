internal import ImageCodecs
public import Imaging

/// A synthetic photograph as a JPEG file.
public struct JPEGInput: Sendable {
    /// The size of the images that `Decode` and `Encode` measure: 3 megapixels.
    public static let size = PixelSize(width: 2048, height: 1536)

    /// The file.
    public let bytes: [UInt8]

    /// Creates an image with the quality that phones use.
    ///
    /// - Parameter orientation: the orientation in the Exif data; `nil` for a file without Exif.
    public init(
        _ sampling: StoredPlanes.Sampling, isProgressive: Bool = false, size: PixelSize = Self.size,
        orientation: Orientation? = nil
    ) throws {
        var encoder = try JPEGEncoder()
        let file = try encoder.encode(
            StoredPlanes(size, sampling).image, iccProfile: nil,
            options: .init(quality: 92, isProgressive: isProgressive))
        bytes = orientation.map { Self.inserting(orientation: $0, into: file) } ?? file
    }

    /// Returns the file with an Exif segment of one entry after the start of image.
    private static func inserting(orientation: Orientation, into file: [UInt8]) -> [UInt8] {
        var exif = Array("Exif\0\0MM\0*".utf8)
        exif.appendBigEndian(8, bytes: 4)
        exif.appendBigEndian(1, bytes: 2)
        exif.appendBigEndian(0x0112 << 16 | 3, bytes: 4)
        exif.appendBigEndian(1, bytes: 4)
        exif.appendBigEndian(orientation.rawValue << 16, bytes: 4)
        exif.appendBigEndian(0, bytes: 4)
        var segment: [UInt8] = [0xFF, 0xE1]
        segment.appendBigEndian(exif.count + 2, bytes: 2)
        return file[..<2] + segment + exif + file[2...]
    }
}
