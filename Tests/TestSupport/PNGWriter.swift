// `unsafe`: hands rows and buffers to the C writer.

internal import CTestImages
package import Imaging

/// A PNG file put together chunk by chunk, without any library: every color type, bit depth, and chunks at will.
package struct PNGFileBuilder: Sendable, CustomStringConvertible {
    package enum ColorType: Int, Sendable { case gray = 0, rgb = 2, palette = 3, grayAlpha = 4, rgba = 6 }

    package struct Chunk: Sendable {
        package var type: String
        package var payload: [UInt8]

        package init(type: String, payload: [UInt8]) { (self.type, self.payload) = (type, payload) }

        /// As it stands in a file.
        package var bytes: [UInt8] {
            let covered = Array(type.utf8) + payload
            return bigEndianBytes(payload.count) + covered + bigEndianBytes(Int(Checksum.crc32(covered)))
        }
    }

    package var size: PixelSize
    package var colorType: ColorType
    package var bitDepth: Int
    package var isInterlaced = false
    /// Samples of a row, channel by channel, at the file's bit depth.
    package var sampleRows: [[Int]]
    /// Chunks behind the header, such as PLTE, tRNS, gAMA.
    package var chunksBeforeImageData: [Chunk] = []
    /// Chunks behind the image data.
    package var chunksAfterImageData: [Chunk] = []

    package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// An image whose pixels are the samples that `pixel(x, y)` gives.
    package init(
        size: PixelSize, colorType: ColorType, bitDepth: Int = 8, isInterlaced: Bool = false,
        pixel: (Int, Int) -> [Int]
    ) {
        (self.size, self.colorType, self.bitDepth, self.isInterlaced) = (size, colorType, bitDepth, isInterlaced)
        sampleRows = (0..<size.height).map { y in (0..<size.width).flatMap { x in pixel(x, y) } }
    }

    package var description: String { "\(colorType) \(bitDepth) bits\(isInterlaced ? " Adam7" : "")" }

    package var channelCount: Int {
        switch colorType {
        case .gray, .palette: 1
        case .grayAlpha: 2
        case .rgb: 3
        case .rgba: 4
        }
    }

    package func modified(by change: (inout PNGFileBuilder) -> Void) -> PNGFileBuilder {
        var copy = self
        change(&copy)
        return copy
    }

    /// The chunks of the file, in order.
    package var allChunks: [Chunk] {
        [headerChunk] + chunksBeforeImageData + [
            Chunk(type: "IDAT", payload: DeflateStreamBuilder.storedBlocks(scanlines))
        ] + chunksAfterImageData + [Chunk(type: "IEND", payload: [])]
    }

    /// The file, its image data stored without compression.
    package var fileBytes: [UInt8] { Self.fileBytes(chunks: allChunks) }

    package static func fileBytes(chunks: [Chunk]) -> [UInt8] { signature + chunks.flatMap(\.bytes) }

    /// IHDR, with any field as it is asked for.
    package var headerChunk: Chunk {
        Self.makeHeaderChunk(
            size: size, bitDepth: bitDepth, colorType: colorType.rawValue, interlaceMethod: isInterlaced ? 1 : 0)
    }

    package static func makeHeaderChunk(size: PixelSize, bitDepth: Int, colorType: Int, interlaceMethod: Int = 0)
        -> Chunk
    {
        Chunk(
            type: "IHDR",
            payload: bigEndianBytes(size.width) + bigEndianBytes(size.height) + [
                UInt8(bitDepth), UInt8(colorType), 0, 0, UInt8(interlaceMethod),
            ])
    }

    /// The same image, without the chunks, written by libpng: compressed, and filtered in every way.
    package func encodedByLibPNG() throws -> [UInt8] {
        var file = test_png()
        file.width = UInt32(size.width)
        file.height = UInt32(size.height)
        file.bit_depth = Int32(bitDepth)
        file.color_type = Int32(colorType.rawValue)
        file.interlaced = isInterlaced
        let packed = sampleRows.flatMap(packSamples)
        let stride = packed.count / max(size.height, 1)
        return try unsafe packed.withUnsafeBufferPointer { rows in
            try unsafe LibJPEGFileBuilder.bytesWrittenByC { output, count in
                guard let base = rows.baseAddress else { return false }
                return unsafe test_png_write(&file, base, stride, output, count)
            }
        }
    }

    /// Filtered scanlines, of one pass or of Adam7's seven. The filter is always none.
    private var scanlines: [UInt8] {
        guard isInterlaced else { return sampleRows.flatMap { [0] + packSamples($0) } }
        let passes = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
        ]
        return passes.flatMap { left, top, stepX, stepY in
            left >= size.width
                ? []
                : stride(from: top, to: size.height, by: stepY).flatMap { y in
                    let columns = stride(from: left, to: size.width, by: stepX)
                    return [0]
                        + packSamples(
                            columns.flatMap { x in sampleRows[y][(x * channelCount)..<((x + 1) * channelCount)] })
                }
        }
    }

    /// Samples as bytes: the leftmost in the highest bits, the last byte filled up with zeros.
    private func packSamples(_ samples: [Int]) -> [UInt8] {
        if bitDepth == 16 { return samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }
        let perByte = 8 / bitDepth
        return stride(from: 0, to: samples.count, by: perByte).map { first in
            (first..<(first + perByte)).reduce(0) { byte, i in
                byte << UInt8(bitDepth) | (i < samples.count ? UInt8(samples[i]) : 0)
            }
        }
    }
}

/// Data in zlib's format, made without zlib.
package enum DeflateStreamBuilder {
    /// The bytes as they are, in stored blocks.
    package static func storedBlocks(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let count = min(bytes.count - start, 65_535)
            let isLast = start + count == bytes.count
            output += [isLast ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8)]
            output += [UInt8(~count & 0xFF), UInt8(~count >> 8 & 0xFF)]
            output += bytes[start..<(start + count)]
            start += count
        } while start < bytes.count
        return output + bigEndianBytes(Int(Checksum.adler32(bytes)))
    }

    /// `prefix`, and then at least `count` zeros, of which 158 take a byte: the beginning of a stream without an end.
    package static func unterminatedZeros(count: Int, after prefix: [UInt8] = []) -> [UInt8] {
        var output = Array(storedBlocks(prefix + [0]).dropLast(4))
        output[2] = 0  // more blocks follow
        // A last block of fixed codes: length 258 is 11000101, distance 1 is 00000; 13 bits for each repeat, and
        // 13 bytes until they fall upon the same bits again.
        let block: [UInt8] = [1, 1, 0]
        let repeated: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
        func bit(_ index: Int) -> UInt8 { index < 3 ? block[index] : repeated[(index - 3) % 13] }
        func byte(_ index: Int) -> UInt8 { (0..<8).reduce(0) { value, i in value | bit(8 * index + i) << UInt8(i) } }
        let cycle = (1...13).map(byte)
        output.append(byte(0))
        for _ in 0...(count / (8 * 258)) { output += cycle }
        return output
    }
}

/// The checksums of PNG and zlib.
package enum Checksum {
    private static let crc32Table: [UInt32] = (0..<256).map { byte in
        var value = UInt32(byte)
        for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
        return value
    }

    package static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes { sum = crc32Table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
        return ~sum
    }

    package static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (a, b) = (UInt32(1), UInt32(0))
        for byte in bytes {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return b << 16 | a
    }
}

private func bigEndianBytes(_ value: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
