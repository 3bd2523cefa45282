/// A JPEG taken apart into its segments, without the code under test, to see what is in it.
///
/// It is stricter than a decoder: it accepts no byte that belongs to nothing.
///
/// Source: ITU-T T.81, annex B.
public struct StrictJPEGParser {
    /// A marker and what belongs to it.
    public struct Segment: Equatable {
        /// The byte behind the 0xFF.
        public var marker: UInt8
        /// The parameters behind the length.
        public var payload: [UInt8]
        /// Behind a start of scan: the entropy-coded data with its restart markers.
        public var entropyCodedData: [UInt8]

        /// Bytes that it takes in the file.
        public var byteCount: Int { 4 + payload.count + entropyCodedData.count }
    }

    /// The bytes are not a plain sequence of segments.
    public struct MalformedJPEGError: Error {
        /// Where.
        public var offset: Int
    }

    /// Between start and end of image, in order.
    public private(set) var segments: [Segment] = []
    /// What stands behind the end of image.
    public private(set) var trailingBytes: [UInt8] = []

    /// - Throws: `MalformedJPEGError` if anything but segments stands between start and end of image, or there is no
    ///   end.
    public init(parsing bytes: some Sequence<UInt8>) throws {
        let bytes = Array(bytes)
        guard bytes.starts(with: [0xFF, 0xD8]) else { throw MalformedJPEGError(offset: 0) }
        var position = 2
        while true {
            guard position + 1 < bytes.count, bytes[position] == 0xFF else {
                throw MalformedJPEGError(offset: position)
            }
            let marker = bytes[position + 1]
            if marker == 0xD9 { break }
            guard marker >= 0xC0, position + 3 < bytes.count else { throw MalformedJPEGError(offset: position) }
            let end = position + 2 + Int(bytes[position + 2]) << 8 + Int(bytes[position + 3])
            guard end >= position + 4, end <= bytes.count else { throw MalformedJPEGError(offset: position) }
            let scanEnd = marker == 0xDA ? Self.endOfScan(in: bytes, from: end) : end
            segments.append(
                Segment(
                    marker: marker, payload: Array(bytes[(position + 4)..<end]),
                    entropyCodedData: Array(bytes[end..<scanEnd])))
            position = scanEnd
        }
        trailingBytes = Array(bytes[(position + 2)...])
    }

    /// The first marker from `start` that is neither a stuffed 0xFF nor a restart.
    private static func endOfScan(in bytes: [UInt8], from start: Int) -> Int {
        var position = start
        while let found = bytes[position...].firstIndex(of: 0xFF), found + 1 < bytes.count {
            if bytes[found + 1] != 0 && !(0xD0...0xD7).contains(bytes[found + 1]) { return found }
            position = found + 2
        }
        return bytes.count
    }

    /// The segments with this marker.
    public func segments(withMarker marker: UInt8) -> [Segment] { segments.filter { $0.marker == marker } }

    /// Width and height as the frame header has them.
    public var frameSize: (width: Int, height: Int)? {
        guard let frame = segments.first(where: { (0xC0...0xC2).contains($0.marker) })?.payload else { return nil }
        return (Int(frame[3]) << 8 + Int(frame[4]), Int(frame[1]) << 8 + Int(frame[2]))
    }

    /// The color profile, from segments that stand in their order; nil if there is none.
    public var colorProfile: [UInt8]? {
        let name = Array("ICC_PROFILE\0".utf8)
        let chunks = segments(withMarker: 0xE2).filter { $0.payload.starts(with: name) }
        return chunks.isEmpty ? nil : chunks.flatMap { $0.payload.dropFirst(name.count + 2) }
    }

    /// The segments that an image needs to be decoded: tables, frame, scans, restart interval.
    public var imageDataSegments: [Segment] {
        segments.filter { [0xDB, 0xC4, 0xDD, 0xDA].contains($0.marker) || (0xC0...0xC2).contains($0.marker) }
    }

    /// What no output may contain, in words; empty for a file without metadata other than its color profile.
    public var leakedMetadataDescriptions: [String] {
        var leaks = trailingBytes.isEmpty ? [] : ["\(trailingBytes.count) bytes behind the end"]
        for segment in segments where !imageDataSegments.contains(segment) {
            switch segment.marker {
            case 0xE0
            where segment.payload.count == 14 && segment.payload.starts(with: "JFIF\0".utf8)
                && segment.payload.suffix(2) == [0, 0]:
                break
            case 0xE2 where segment.payload.starts(with: "ICC_PROFILE\0".utf8): break
            case 0xEE where segment.payload.count == 12 && segment.payload.starts(with: "Adobe".utf8): break
            default: leaks.append("a segment FF\(String(segment.marker, radix: 16)) of \(segment.payload.count) bytes")
            }
        }
        return leaks
    }
}
