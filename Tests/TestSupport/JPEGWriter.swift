// `unsafe`: hands planes and buffers to the C writer and reader.

internal import CTestImages
package import Imaging

/// What kind of JPEG to write, with libjpeg itself rather than the package's encoder.
package struct JPEGRecipe: Sendable, CustomStringConvertible {
    /// In the order of the C writer's.
    package enum Color: UInt32, Sendable { case gray, yCbCr, rgb, cmyk, ycck }

    /// The sampling factors of a component, as they stand in the frame header.
    package struct Sampling: Sendable, Hashable, ExpressibleByArrayLiteral {
        package var horizontal: Int
        package var vertical: Int
        package init(_ horizontal: Int, _ vertical: Int) { (self.horizontal, self.vertical) = (horizontal, vertical) }
        package init(arrayLiteral factors: Int...) { self.init(factors[0], factors[1]) }
    }

    /// One scan of a script of one's own.
    package struct Scan: Sendable {
        package var components: [Int]
        package var coefficients = 0...63
        /// Bits that the scan before left out, and that this one leaves out.
        package var bits = (before: 0, after: 0)

        package init(_ components: [Int], _ coefficients: ClosedRange<Int> = 0...63, before: Int = 0, after: Int = 0) {
            (self.components, self.coefficients, bits) = (components, coefficients, (before, after))
        }
    }

    package enum WritingError: Error { case refused }

    package var color: Color
    package var sampling: [Sampling]
    package var quality = 95
    package var isProgressive = false
    package var isArithmetic = false
    package var hasJFIF: Bool
    package var hasAdobe: Bool
    /// Minimum coded units between restart markers; 0 for none.
    package var restartInterval = 0
    /// Scans of one's own; empty for libjpeg's default.
    package var scans: [Scan] = []

    /// A baseline JPEG with the markers that are usual for `color`.
    package init(_ color: Color, _ sampling: [Sampling]) {
        (self.color, self.sampling) = (color, sampling)
        hasJFIF = color == .gray || color == .yCbCr
        hasAdobe = !hasJFIF
    }

    package static let gray = JPEGRecipe(.gray, [[1, 1]])
    package static let yCbCr444 = JPEGRecipe(.yCbCr, [[1, 1], [1, 1], [1, 1]])
    package static let yCbCr420 = JPEGRecipe(.yCbCr, [[2, 2], [1, 1], [1, 1]])

    package var description: String {
        let factors = sampling.map { "\($0.horizontal)x\($0.vertical)" }.joined(separator: ",")
        let process = (isProgressive ? " progressive" : "") + (isArithmetic ? " arithmetic" : "")
        return "\(color) \(factors) q\(quality)\(process)\(scans.isEmpty ? "" : " \(scans.count) scans")"
            + (restartInterval > 0 ? " restart \(restartInterval)" : "") + (hasAdobe ? " adobe" : "")
    }

    package func with(_ change: (inout JPEGRecipe) -> Void) -> JPEGRecipe {
        var copy = self
        change(&copy)
        return copy
    }

    package var maxHorizontal: Int { sampling.map(\.horizontal).max() ?? 1 }
    package var maxVertical: Int { sampling.map(\.vertical).max() ?? 1 }

    /// The size of component `index` of a picture.
    package func planeSize(_ index: Int, of size: PixelSize) -> PixelSize {
        PixelSize(
            width: (size.width * sampling[index].horizontal).dividedRoundingUp(by: maxHorizontal),
            height: (size.height * sampling[index].vertical).dividedRoundingUp(by: maxVertical))
    }

    /// Planes that hold `value(component, x, y)`, where `x` and `y` are a sample's centre in the picture's pixels.
    package func planes(_ size: PixelSize, _ value: (Int, Double, Double) -> Double) -> [Plane] {
        sampling.indices.map { c in
            let shape = planeSize(c, of: size)
            var plane = Plane(width: shape.width, height: shape.height)
            let stepX = Double(maxHorizontal) / Double(sampling[c].horizontal)
            let stepY = Double(maxVertical) / Double(sampling[c].vertical)
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

    /// The file that holds `planes`, which are those of a picture of `size`.
    package func write(_ size: PixelSize, _ planes: [Plane]) throws -> [UInt8] {
        var file = unsafe test_jpeg()
        unsafe (file.width, file.height) = (UInt32(size.width), UInt32(size.height))
        unsafe file.color = test_jpeg_color(rawValue: color.rawValue)
        unsafe file.horizontal = Self.fourfold(sampling.map { Int32($0.horizontal) })
        unsafe file.vertical = Self.fourfold(sampling.map { Int32($0.vertical) })
        unsafe (file.jfif, file.adobe) = (hasJFIF, hasAdobe)
        unsafe (file.progressive, file.arithmetic) = (isProgressive, isArithmetic)
        unsafe (file.quality, file.restart_interval) = (Int32(quality), Int32(restartInterval))
        unsafe (file.component_count, file.scan_count) = (Int32(sampling.count), Int32(scans.count))
        let script = scans.map(Self.cScan)
        return try unsafe script.withUnsafeBufferPointer { script in
            unsafe file.scans = scans.isEmpty ? nil : script.baseAddress
            return try unsafe Self.output { output, count in
                var planes = planes
                return unsafe withTestPlanes(&planes) { unsafe test_jpeg_write(&file, $0, output, count) }
            }
        }
    }

    /// Calls a C writer, and takes over what it made.
    static func output(
        _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>) -> Bool
    ) throws -> [UInt8] {
        var output: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard unsafe write(&output, &count) else { throw WritingError.refused }
        defer { unsafe test_free(output) }
        return unsafe Array(UnsafeBufferPointer(start: output, count: count))
    }

    private static func cScan(_ scan: Scan) -> test_jpeg_scan {
        test_jpeg_scan(
            component_count: Int32(scan.components.count), components: fourfold(scan.components.map(Int32.init)),
            first_coefficient: Int32(scan.coefficients.lowerBound),
            last_coefficient: Int32(scan.coefficients.upperBound),
            high_bit: Int32(scan.bits.before), low_bit: Int32(scan.bits.after))
    }

    private static func fourfold(_ values: [Int32]) -> (Int32, Int32, Int32, Int32) {
        let filled = values + [Int32](repeating: 0, count: 4)
        return (filled[0], filled[1], filled[2], filled[3])
    }
}

/// What plain libjpeg makes of a file.
package enum JPEGReference {
    /// The stored components, each with the size of the plane at its index in `like`.
    package static func planes(_ bytes: [UInt8], like shapes: [Plane]) throws -> [Plane] {
        var planes = shapes.map { Plane(width: $0.width, height: $0.height) }
        let isRead = unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return false }
            return unsafe withTestPlanes(&planes) { unsafe test_jpeg_read_planes(base, bytes.count, $0) }
        }
        guard isRead else { throw JPEGRecipe.WritingError.refused }
        return planes
    }

    /// Interleaved samples by jpeg_read_scanlines, in the file's own colour space.
    package static func pixels(_ bytes: [UInt8], size: PixelSize, channels: Int) throws -> [UInt8] {
        var pixels = [UInt8](repeating: 0, count: size.pixelCount * channels)
        let isRead = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe pixels.withUnsafeMutableBufferPointer { pixels in
                guard let base = bytes.baseAddress, let target = pixels.baseAddress else { return false }
                return unsafe test_jpeg_read_pixels(base, bytes.count, target, pixels.count)
            }
        }
        guard isRead else { throw JPEGRecipe.WritingError.refused }
        return pixels
    }
}

/// Calls `body` with planes as the C side sees them; it may write to them.
private func withTestPlanes(_ planes: inout [Plane], _ body: (UnsafePointer<test_plane>) -> Bool) -> Bool {
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
package struct JPEGParts: Sendable {
    package struct Segment: Equatable, Sendable {
        package var marker: UInt8
        /// The parameters behind the length.
        package var payload: [UInt8]
        /// Behind a scan's header: its entropy-coded data, restart markers included.
        package var scanData: [UInt8] = []

        package init(_ marker: UInt8, _ payload: [UInt8]) { (self.marker, self.payload) = (marker, payload) }

        package init(_ marker: UInt8, text: String) { self.init(marker, Array(text.utf8)) }

        /// As it stands in a file.
        package var bytes: [UInt8] {
            let length = payload.count + 2
            return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload + scanData
        }
    }

    /// All between the start and the end of image.
    package var segments: [Segment] = [], hasEnd = false
    /// What stands behind the end of image.
    package var trailing: [UInt8] = []

    /// Takes apart a file without fill bytes or bytes outside segments.
    package init(_ bytes: [UInt8]) {
        var position = 2
        while position + 4 <= bytes.count, bytes[position] == 0xFF, bytes[position + 1] != 0xD9 {
            let end = position + 2 + Int(bytes[position + 2]) << 8 + Int(bytes[position + 3])
            var segment = Segment(bytes[position + 1], Array(bytes[(position + 4)..<end]))
            position = end
            if segment.marker == 0xDA {
                while position + 1 < bytes.count && !Self.isMarker(bytes[position], bytes[position + 1]) {
                    position += 1
                }
                segment.scanData = Array(bytes[end..<position])
            }
            segments.append(segment)
        }
        hasEnd = bytes[position...].starts(with: [0xFF, 0xD9])
        trailing = Array(bytes[(position + (hasEnd ? 2 : 0))...])
    }

    /// The file put together again.
    package var bytes: [UInt8] { [0xFF, 0xD8] + segments.flatMap(\.bytes) + (hasEnd ? [0xFF, 0xD9] : []) + trailing }

    package var markers: [UInt8] { segments.map(\.marker) }

    /// Where the segments of that marker stand.
    package func indices(of marker: UInt8) -> [Int] { segments.indices.filter { segments[$0].marker == marker } }

    private static func isMarker(_ first: UInt8, _ second: UInt8) -> Bool {
        first == 0xFF && second != 0 && !(0xD0...0xD7).contains(second)
    }
}
