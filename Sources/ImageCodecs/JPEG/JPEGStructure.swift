/// The marker segments of a JPEG file, found without decoding anything.
///
/// Source: ITU-T T.81, annex B.
struct JPEGStructure {
    /// A marker with its parameters, or a scan's entropy-coded data behind its header.
    struct Segment {
        var marker: UInt8
        /// From the marker's 0xFF to the end of its parameters.
        var range: Range<Int>
        /// For a start of scan: the data that follows, restart markers included.
        var scanData: Range<Int>?
        /// The parameters behind the length.
        var payload: Range<Int> { min(range.lowerBound + 4, range.upperBound)..<range.upperBound }
    }

    private(set) var segments: [Segment] = []
    /// The first frame header's segment.
    private(set) var frame: JPEGFrame?
    /// Just behind the end-of-image marker; nil if there is none.
    private(set) var end: Int?

    private let bytes: [UInt8]

    /// Walks through `bytes`, which begin with a start of image.
    ///
    /// - Throws: `too-many-segments` and `too-many-scans`, and what `JPEGFrame` throws.
    init(_ bytes: [UInt8], _ extent: FileExtent, limits: ImageLimits) throws(CodecError) {
        self.bytes = bytes
        var position = 2
        while let found = MarkerSearch.next(in: bytes, from: position) {
            if found.marker == Marker.endOfImage {
                end = found.offset + 2
                return
            }
            guard let segment = segment(at: found) else { return }
            position = segment.scanData?.upperBound ?? segment.range.upperBound
            try append(segment, limits: limits)
            if extent == .header && segment.marker == Marker.startOfScan { return }
        }
    }

    /// Scan headers, in order.
    var scans: some Collection<Segment> { segments.lazy.filter { $0.marker == Marker.startOfScan } }

    /// The first application segment with this marker whose payload starts with `name`; the range behind the name.
    func application(_ marker: UInt8, named name: String) -> Range<Int>? {
        applications(marker, named: name).first
    }

    /// The payloads of all application segments of that marker and name, each behind the name.
    func applications(_ marker: UInt8, named name: String) -> [Range<Int>] {
        segments.compactMap { segment in
            guard segment.marker == marker, ByteReader(bytes, in: segment.payload).starts(with: name) else {
                return nil
            }
            return (segment.payload.lowerBound + name.utf8.count)..<segment.payload.upperBound
        }
    }

    /// The segment at a marker; nil if the file ends within it.
    private func segment(at found: MarkerSearch.Found) -> Segment? {
        if Marker.isAlone(found.marker) {
            return Segment(marker: found.marker, range: found.offset..<(found.offset + 2))
        }
        var reader = ByteReader(bytes, in: (found.offset + 2)..<bytes.count)
        guard let stated = reader.uint16() else { return nil }
        // A length counts its own two bytes. libjpeg reads on behind one that doesn't.
        let length = max(stated, 2)
        guard length - 2 <= reader.remaining else { return nil }
        let range = found.offset..<(found.offset + 2 + length)
        guard found.marker == Marker.startOfScan else { return Segment(marker: found.marker, range: range) }
        let dataEnd = MarkerSearch.endOfScan(in: bytes, from: range.upperBound)
        return Segment(marker: found.marker, range: range, scanData: range.upperBound..<dataEnd)
    }

    private mutating func append(_ segment: Segment, limits: ImageLimits) throws(CodecError) {
        segments.append(segment)
        if segments.count > limits.segments {
            throw CodecError(
                .segments, .probe, offset: segment.range.lowerBound, "more than \(limits.segments) segments")
        }
        if Marker.isFrame(segment.marker) && frame == nil {
            frame = try JPEGFrame(bytes, segment)
        }
        if segment.marker == Marker.defineNumberOfLines && frame?.height == 0 {
            var reader = ByteReader(bytes, in: segment.payload)
            frame?.height = reader.uint16() ?? 0
        }
    }
}

/// Marker codes.
enum Marker {
    static let startOfImage: UInt8 = 0xD8
    static let endOfImage: UInt8 = 0xD9
    static let startOfScan: UInt8 = 0xDA
    static let quantizationTables: UInt8 = 0xDB
    static let defineNumberOfLines: UInt8 = 0xDC
    static let restartInterval: UInt8 = 0xDD
    static let hierarchicalProgression: UInt8 = 0xDE
    static let huffmanTables: UInt8 = 0xC4
    static let arithmeticConditioning: UInt8 = 0xCC
    static let jfif: UInt8 = 0xE0
    static let exif: UInt8 = 0xE1
    static let icc: UInt8 = 0xE2
    static let adobe: UInt8 = 0xEE

    /// Markers without parameters: TEM, the restarts, SOI.
    static func isAlone(_ marker: UInt8) -> Bool { marker == 0x01 || (0xD0...0xD8).contains(marker) }

    /// The frame headers of all processes, and the hierarchical progression that stands in their place.
    static func isFrame(_ marker: UInt8) -> Bool {
        if marker == hierarchicalProgression { return true }
        return (0xC0...0xCF).contains(marker) && ![huffmanTables, 0xC8, arithmeticConditioning].contains(marker)
    }
}
