// `unsafe`: hands planes and buffers to the C writer and reader.

internal import CTestImages
package import Imaging

/// What kind of JPEG to write, with libjpeg itself rather than the package's encoder.
package struct LibJPEGFileBuilder: Sendable, CustomStringConvertible {
    /// In the order of the C writer's.
    package enum ColorSpace: UInt32, Sendable { case gray, yCbCr, rgb, cmyk, ycck }

    /// The sampling factors of a component, as they stand in the frame header.
    package struct Sampling: Sendable, Hashable, ExpressibleByArrayLiteral {
        package var horizontal: Int
        package var vertical: Int
        package init(horizontal: Int, vertical: Int) { (self.horizontal, self.vertical) = (horizontal, vertical) }
        package init(arrayLiteral factors: Int...) { self.init(horizontal: factors[0], vertical: factors[1]) }
    }

    /// One scan of a script of one's own.
    package struct ScanScriptEntry: Sendable {
        package var components: [Int]
        package var coefficients = 0...63
        /// Bits that the scan before left out, and that this one leaves out.
        package var successiveApproximationBits = (before: 0, after: 0)

        package init(components: [Int], coefficients: ClosedRange<Int> = 0...63, highBit: Int = 0, lowBit: Int = 0) {
            (self.components, self.coefficients, successiveApproximationBits) = (
                components, coefficients, (highBit, lowBit)
            )
        }
    }

    package enum LibraryError: Error { case failed }

    package var colorSpace: ColorSpace
    package var sampling: [Sampling]
    package var quality = 95
    package var isProgressive = false
    package var isArithmetic = false
    package var hasJFIFMarker: Bool
    package var hasAdobeMarker: Bool
    /// Minimum coded units between restart markers; 0 for none.
    package var restartInterval = 0
    /// Scans of one's own; empty for libjpeg's default.
    package var scanScript: [ScanScriptEntry] = []

    /// A baseline JPEG with the markers that are usual for `colorSpace`.
    package init(colorSpace color: ColorSpace, sampling: [Sampling]) {
        (self.colorSpace, self.sampling) = (color, sampling)
        hasJFIFMarker = color == .gray || color == .yCbCr
        hasAdobeMarker = !hasJFIFMarker
    }

    package static let gray = LibJPEGFileBuilder(colorSpace: .gray, sampling: [[1, 1]])
    package static let yCbCr444 = LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[1, 1], [1, 1], [1, 1]])
    package static let yCbCr420 = LibJPEGFileBuilder(colorSpace: .yCbCr, sampling: [[2, 2], [1, 1], [1, 1]])

    package var description: String {
        let factors = sampling.map { "\($0.horizontal)x\($0.vertical)" }.joined(separator: ",")
        let process = (isProgressive ? " progressive" : "") + (isArithmetic ? " arithmetic" : "")
        return "\(colorSpace) \(factors) q\(quality)\(process)\(scanScript.isEmpty ? "" : " \(scanScript.count) scans")"
            + (restartInterval > 0 ? " restart \(restartInterval)" : "") + (hasAdobeMarker ? " adobe" : "")
    }

    package func modified(by change: (inout LibJPEGFileBuilder) -> Void) -> LibJPEGFileBuilder {
        var copy = self
        change(&copy)
        return copy
    }

    package var maxHorizontalSampling: Int { sampling.map(\.horizontal).max() ?? 1 }
    package var maxVerticalSampling: Int { sampling.map(\.vertical).max() ?? 1 }

    /// The size of component `index` of an image.
    package func planeSize(ofComponent index: Int, imageSize size: PixelSize) -> PixelSize {
        PixelSize(
            width: (size.width * sampling[index].horizontal).dividedRoundingUp(by: maxHorizontalSampling),
            height: (size.height * sampling[index].vertical).dividedRoundingUp(by: maxVerticalSampling))
    }

    /// Planes that hold `value(component, x, y)`, where `x` and `y` are a sample's centre in the image's pixels.
    package func makePlanes(imageSize size: PixelSize, sample value: (Int, Double, Double) -> Double) -> [Plane] {
        sampling.indices.map { c in
            let shape = planeSize(ofComponent: c, imageSize: size)
            var plane = Plane(width: shape.width, height: shape.height)
            let stepX = Double(maxHorizontalSampling) / Double(sampling[c].horizontal)
            let stepY = Double(maxVerticalSampling) / Double(sampling[c].vertical)
            for y in 0..<shape.height {
                for x in 0..<plane.stride {
                    // Repeated behind the last sample, where whole blocks are read.
                    let column = Double(min(x, shape.width - 1))
                    let sample = value(c, (column + 0.5) * stepX, (Double(y) + 0.5) * stepY)
                    plane.samples[y * plane.stride + x] = UInt8(min(max(sample.rounded(), 0), 255))
                }
            }
            return plane
        }
    }

    /// The file that holds `decodePlanes`, which are those of an image of `size`.
    package func encode(imageSize size: PixelSize, planes: [Plane]) throws -> [UInt8] {
        var file = unsafe test_jpeg()
        unsafe (file.width, file.height) = (UInt32(size.width), UInt32(size.height))
        unsafe file.color = test_jpeg_color(rawValue: colorSpace.rawValue)
        unsafe file.horizontal = Self.zeroPaddedTuple(sampling.map { Int32($0.horizontal) })
        unsafe file.vertical = Self.zeroPaddedTuple(sampling.map { Int32($0.vertical) })
        unsafe (file.jfif, file.adobe) = (hasJFIFMarker, hasAdobeMarker)
        unsafe (file.progressive, file.arithmetic) = (isProgressive, isArithmetic)
        unsafe (file.quality, file.restart_interval) = (Int32(quality), Int32(restartInterval))
        unsafe (file.component_count, file.scan_count) = (Int32(sampling.count), Int32(scanScript.count))
        let script = scanScript.map(Self.cScanScriptEntry)
        return try unsafe script.withUnsafeBufferPointer { script in
            unsafe file.scans = scanScript.isEmpty ? nil : script.baseAddress
            return try unsafe Self.bytesWrittenByC { output, count in
                var planes = planes
                return unsafe withCPlanes(&planes) { unsafe test_jpeg_write(&file, $0, output, count) }
            }
        }
    }

    /// Calls a C writer, and takes over what it made.
    static func bytesWrittenByC(
        _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>) -> Bool
    ) throws -> [UInt8] {
        var output: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard unsafe write(&output, &count) else { throw LibraryError.failed }
        defer { unsafe test_free(output) }
        return unsafe Array(UnsafeBufferPointer(start: output, count: count))
    }

    private static func cScanScriptEntry(for scan: ScanScriptEntry) -> test_jpeg_scan {
        test_jpeg_scan(
            component_count: Int32(scan.components.count), components: zeroPaddedTuple(scan.components.map(Int32.init)),
            first_coefficient: Int32(scan.coefficients.lowerBound),
            last_coefficient: Int32(scan.coefficients.upperBound),
            high_bit: Int32(scan.successiveApproximationBits.before),
            low_bit: Int32(scan.successiveApproximationBits.after))
    }

    private static func zeroPaddedTuple(_ values: [Int32]) -> (Int32, Int32, Int32, Int32) {
        let filled = values + [Int32](repeating: 0, count: 4)
        return (filled[0], filled[1], filled[2], filled[3])
    }
}

/// What plain libjpeg makes of a file.
package enum LibJPEGReferenceDecoder {
    /// The stored components, each with the size of the plane at its index in `like`.
    package static func decodePlanes(_ bytes: [UInt8], shapedLike shapes: [Plane]) throws -> [Plane] {
        var planes = shapes.map { Plane(width: $0.width, height: $0.height) }
        let isRead = unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return false }
            return unsafe withCPlanes(&planes) { unsafe test_jpeg_read_planes(base, bytes.count, $0) }
        }
        guard isRead else { throw LibJPEGFileBuilder.LibraryError.failed }
        return planes
    }

    /// Interleaved samples by jpeg_read_scanlines, in the file's own color space.
    package static func decodePixels(_ bytes: [UInt8], size: PixelSize, channels: Int) throws -> [UInt8] {
        var pixels = [UInt8](repeating: 0, count: size.pixelCount * channels)
        let isRead = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe pixels.withUnsafeMutableBufferPointer { pixels in
                guard let base = bytes.baseAddress, let target = pixels.baseAddress else { return false }
                return unsafe test_jpeg_read_pixels(base, bytes.count, target, pixels.count)
            }
        }
        guard isRead else { throw LibJPEGFileBuilder.LibraryError.failed }
        return pixels
    }
}

/// Calls `body` with planes as the C side sees them; it may write to them.
func withCPlanes(_ planes: inout [Plane], _ body: (UnsafePointer<test_plane>) -> Bool) -> Bool {
    var joined = planes.flatMap(\.samples)
    let result = unsafe joined.withUnsafeMutableBufferPointer { buffer in
        guard var next = buffer.baseAddress else { return false }
        let seen = unsafe planes.map { plane in
            defer { unsafe next += plane.samples.count }
            return unsafe test_plane(
                samples: next, stride: plane.stride, width: UInt32(plane.width), rows: UInt32(plane.height))
        }
        return unsafe seen.withUnsafeBufferPointer { seen in
            guard let base = seen.baseAddress else { return false }
            return unsafe body(base)
        }
    }
    var rest = joined[...]
    for index in planes.indices {
        let count = planes[index].samples.count
        planes[index].samples = ContiguousArray(rest.prefix(count))
        rest = rest.dropFirst(count)
    }
    return result
}

/// A JPEG taken apart into its segments, to be changed byte by byte and put together again.
package struct EditableJPEG: Sendable {
    package struct Segment: Equatable, Sendable {
        package var marker: UInt8
        /// The parameters behind the length.
        package var payload: [UInt8]
        /// Behind a scan's header: its entropy-coded data, restart markers included.
        package var entropyCodedData: [UInt8] = []

        package init(marker: UInt8, payload: [UInt8]) { (self.marker, self.payload) = (marker, payload) }

        package init(marker: UInt8, text: String) { self.init(marker: marker, payload: Array(text.utf8)) }

        /// As it stands in a file.
        package var bytes: [UInt8] {
            let length = payload.count + 2
            return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload + entropyCodedData
        }
    }

    /// All between the start and the end of image.
    package var segments: [Segment] = [], hasEndOfImage = false
    /// What stands behind the end of image.
    package var trailingBytes: [UInt8] = []

    /// Takes apart a file without fill bytes or bytes outside segments.
    package init(parsing bytes: [UInt8]) {
        var position = 2
        while position + 4 <= bytes.count, bytes[position] == 0xFF, bytes[position + 1] != 0xD9 {
            let end = position + 2 + Int(bytes[position + 2]) << 8 + Int(bytes[position + 3])
            var segment = Segment(marker: bytes[position + 1], payload: Array(bytes[(position + 4)..<end]))
            position = end
            if segment.marker == 0xDA {
                while position + 1 < bytes.count
                    && !Self.isMarker(firstByte: bytes[position], secondByte: bytes[position + 1])
                {
                    position += 1
                }
                segment.entropyCodedData = Array(bytes[end..<position])
            }
            segments.append(segment)
        }
        hasEndOfImage = bytes[position...].starts(with: [0xFF, 0xD9])
        trailingBytes = Array(bytes[(position + (hasEndOfImage ? 2 : 0))...])
    }

    /// The file put together again.
    package var bytes: [UInt8] {
        [0xFF, 0xD8] + segments.flatMap(\.bytes) + (hasEndOfImage ? [0xFF, 0xD9] : []) + trailingBytes
    }

    package var markers: [UInt8] { segments.map(\.marker) }

    /// Where the segments of that marker stand.
    package func segmentIndices(withMarker marker: UInt8) -> [Int] {
        segments.indices.filter { segments[$0].marker == marker }
    }

    private static func isMarker(firstByte first: UInt8, secondByte second: UInt8) -> Bool {
        first == 0xFF && second != 0 && !(0xD0...0xD7).contains(second)
    }
}
