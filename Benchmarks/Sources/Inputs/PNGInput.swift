// `unsafe`: hands buffers to zlib.

internal import CFloors
public import Imaging

/// A synthetic photograph as a PNG file, filtered row by row as encoders do.
public struct PNGInput: Sendable {
    /// The pixel format.
    public enum Kind: String, CaseIterable, Sendable {
        case rgb, rgba, gray, palette
        /// RGBA with 16 bits per sample.
        case deep = "rgba 16-bit"
        /// RGB in Adam7's seven passes.
        case interlaced = "rgb interlaced"

        /// The color type in the PNG header.
        fileprivate var colorType: UInt8 {
            switch self {
            case .gray: 0
            case .rgb, .interlaced: 2
            case .palette: 3
            case .rgba, .deep: 6
            }
        }

        /// The number of bytes per pixel.
        var pixelBytes: Int {
            switch self {
            case .gray, .palette: 1
            case .rgb, .interlaced: 3
            case .rgba: 4
            case .deep: 8
            }
        }
    }

    /// The file.
    public let bytes: [UInt8]

    /// Creates an image.
    public init(_ kind: Kind, size: PixelSize = JPEGInput.size) {
        var header: [UInt8] = []
        header.appendBigEndian(size.width, bytes: 4)
        header.appendBigEndian(size.height, bytes: 4)
        header += [kind == .deep ? 16 : 8, kind.colorType, 0, 0, kind == .interlaced ? 1 : 0]
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header[...])
        if kind == .palette { file += Self.chunk("PLTE", PNGPixels.palette[...]) }
        let stream = Self.deflated(PNGPixels(kind, size).scanlines)
        // Encoders write chunks of this size.
        for start in Swift.stride(from: 0, to: stream.count, by: 64 << 10) {
            file += Self.chunk("IDAT", stream[start..<min(start + 64 << 10, stream.count)])
        }
        bytes = file + Self.chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ payload: ArraySlice<UInt8>) -> [UInt8] {
        let covered = Array(type.utf8) + payload
        var chunk: [UInt8] = []
        chunk.appendBigEndian(payload.count, bytes: 4)
        chunk += covered
        let checksum = unsafe covered.withUnsafeBufferPointer { bytes in
            unsafe floor_crc32(bytes.baseAddress, bytes.count)
        }
        chunk.appendBigEndian(Int(checksum), bytes: 4)
        return chunk
    }

    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        let capacity = floor_deflate_bound(bytes.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                count = unsafe floor_deflate(input.baseAddress, input.count, output.baseAddress, capacity)
            }
        }
    }
}
