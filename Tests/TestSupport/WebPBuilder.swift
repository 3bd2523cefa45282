// `unsafe`: hands pixels, planes and buffers to the C writer and reader.

internal import CTestImages
package import Imaging

/// A WebP file put together chunk by chunk. Only image data is written by libwebp.
package struct WebPBuilder: Sendable {
    package struct Chunk: Sendable {
        package var type: String
        package var payload: [UInt8]

        package init(type: String, payload: [UInt8]) { (self.type, self.payload) = (type, payload) }

        package var bytes: [UInt8] {
            Array(type.utf8) + littleEndianBytes(payload.count, count: 4) + payload
                + (payload.count % 2 == 0 ? [] : [0])
        }
    }

    /// The flags of the `VP8X` chunk.
    package enum Flag { package static let animation = 0x02, exif = 0x08, alpha = 0x10, profile = 0x20 }

    package var size: PixelSize
    /// The flags; `nil` for a file without a `VP8X` chunk.
    package var flags: Int?
    package var chunksBeforeImageData: [Chunk] = []
    /// The alpha chunk, if there is any, and the image data.
    package var imageData: [UInt8]
    package var chunksAfterImageData: [Chunk] = []

    /// A file of image data alone.
    package init(size: PixelSize, imageData: [UInt8], flags: Int? = nil) {
        (self.size, self.imageData, self.flags) = (size, imageData, flags)
    }

    package func modified(by change: (inout WebPBuilder) -> Void) -> WebPBuilder {
        var copy = self
        change(&copy)
        return copy
    }

    package var fileBytes: [UInt8] {
        let header = flags.map { [Self.makeExtendedHeader(flags: $0, canvasSize: size)] } ?? []
        let chunks =
            (header + chunksBeforeImageData).flatMap(\.bytes) + imageData
            + chunksAfterImageData.flatMap(\.bytes)
        return Array("RIFF".utf8) + littleEndianBytes(chunks.count + 4, count: 4) + Array("WEBP".utf8) + chunks
    }

    package static func makeExtendedHeader(flags: Int, canvasSize size: PixelSize) -> Chunk {
        Chunk(
            type: "VP8X",
            payload: littleEndianBytes(flags, count: 4) + littleEndianBytes(size.width - 1, count: 3)
                + littleEndianBytes(size.height - 1, count: 3))
    }

    /// An image of an animation.
    package static func makeFrame(x: Int = 0, y: Int = 0, size: PixelSize, imageData: [UInt8]) -> Chunk {
        let numbers = [x / 2, y / 2, size.width - 1, size.height - 1, 100]
        return Chunk(
            type: "ANMF", payload: numbers.flatMap { littleEndianBytes($0, count: 3) } + [0] + imageData)
    }

    private static func littleEndianBytes(_ value: Int, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func littleEndianBytes(_ value: Int, count: Int) -> [UInt8] {
        Self.littleEndianBytes(value, count: count)
    }
}

#if WebP
    /// Image data by libwebp.
    package enum LibWebP {
        /// The chunks of an image with the pixels that `pixel(x, y)` gives: red, green, blue, and alpha if it has four.
        package static func encode(
            size: PixelSize, isLossless: Bool, pixel: (Int, Int) -> [Int]
        ) throws -> [UInt8] {
            var hasAlpha = false
            var pixels: [UInt8] = []
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let values = pixel(x, y).map { UInt8(clamping: $0) }
                    hasAlpha = hasAlpha || values.count == 4
                    pixels += values.count == 4 ? values : values + [255]
                }
            }
            return try unsafe LibJPEGFileBuilder.bytesWrittenByC { output, count in
                unsafe test_webp_write_pixels(
                    pixels, UInt32(size.width), UInt32(size.height), isLossless, hasAlpha, output, count)
            }
        }

        /// The chunk of a lossy image with stored planes.
        package static func encode(planes: [Plane], size: PixelSize, quality: Int = 90) throws -> [UInt8] {
            try unsafe LibJPEGFileBuilder.bytesWrittenByC { output, count in
                var planes = planes
                return unsafe withCPlanes(&planes) {
                    unsafe test_webp_write_planes(
                        $0, UInt32(size.width), UInt32(size.height), Int32(quality), output, count)
                }
            }
        }

        /// The stored planes of a lossy file, by `WebPDecodeYUV`.
        package static func decodePlanes(_ bytes: [UInt8], size: PixelSize) throws -> [Plane] {
            let chroma = PixelSize(
                width: size.width.dividedRoundingUp(by: 2), height: size.height.dividedRoundingUp(by: 2))
            var planes = [size, chroma, chroma].map { Plane(width: $0.width, height: $0.height) }
            let isRead = unsafe bytes.withUnsafeBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return false }
                return unsafe withCPlanes(&planes) { unsafe test_webp_read_planes(base, bytes.count, $0) }
            }
            guard isRead else { throw LibJPEGFileBuilder.LibraryError.failed }
            return planes
        }

        /// RGBA pixels, by `WebPDecodeRGBAInto`.
        package static func decodePixels(_ bytes: [UInt8], size: PixelSize) throws -> [UInt8] {
            var pixels = [UInt8](repeating: 0, count: size.pixelCount * 4)
            let isRead = unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe pixels.withUnsafeMutableBufferPointer { pixels in
                    guard let base = bytes.baseAddress, let target = pixels.baseAddress else { return false }
                    return unsafe test_webp_read_pixels(base, bytes.count, target, pixels.count)
                }
            }
            guard isRead else { throw LibJPEGFileBuilder.LibraryError.failed }
            return pixels
        }
    }
#endif
