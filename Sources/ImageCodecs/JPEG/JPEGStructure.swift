/// The marker segments of a JPEG file, found without decoding.
///
/// Source: ITU-T T.81, annex B.
struct JPEGStructure {
    /// A marker with its parameters, and after a start of scan the entropy-coded data.
    struct MarkerSegment {
        var marker: UInt8
        /// The range from the marker's 0xFF to the end of its parameters.
        var range: Range<Int>
        /// The entropy-coded data after a start of scan, including restart markers.
        var scanDataRange: Range<Int>?
        /// The range of the parameters after the length.
        var payloadRange: Range<Int> { min(range.lowerBound + 4, range.upperBound)..<range.upperBound }
    }

    private(set) var segments: [MarkerSegment] = []
    /// The first frame header.
    private(set) var frameHeader: JPEGFrameHeader?
    /// The offset after the end-of-image marker; `nil` if there is none.
    private(set) var endOffset: Int?

    private let bytes: [UInt8]

    /// Parses `bytes`, which begin with a start of image.
    ///
    /// - Throws: ``CodecError/Code/tooManySegments``, and the errors of `JPEGFrameHeader`.
    init(_ bytes: [UInt8], extent: ParsingExtent, limits: ImageLimits) throws(CodecError) {
        self.bytes = bytes
        var position = 2
        while let location = JPEGMarkerSearch.nextMarker(in: bytes, from: position) {
            if location.marker == JPEGMarker.endOfImage {
                endOffset = location.offset + 2
                return
            }
            guard let segment = readSegment(at: location) else { return }
            position = segment.scanDataRange?.upperBound ?? segment.range.upperBound
            try appendSegment(segment, limits: limits)
            if extent == .headerOnly && segment.marker == JPEGMarker.startOfScan { return }
        }
    }

    /// The segments of the scan headers, in order.
    var scanHeaderSegments: some Collection<MarkerSegment> {
        segments.lazy.filter { $0.marker == JPEGMarker.startOfScan }
    }

    /// Returns the payload of the first application segment with this marker and identifier, without the identifier.
    func firstApplicationPayload(marker: UInt8, identifier name: String) -> Range<Int>? {
        applicationPayloads(marker: marker, identifier: name).first
    }

    /// Returns the payloads of all application segments with this marker and identifier, without the identifier.
    func applicationPayloads(marker: UInt8, identifier name: String) -> [Range<Int>] {
        segments.compactMap { segment in
            guard segment.marker == marker, ByteReader(bytes, in: segment.payloadRange).hasASCIIPrefix(name) else {
                return nil
            }
            return (segment.payloadRange.lowerBound + name.utf8.count)..<segment.payloadRange.upperBound
        }
    }

    /// Reads the segment at a marker. Returns `nil` if the file ends within it.
    private func readSegment(at location: JPEGMarkerSearch.MarkerLocation) -> MarkerSegment? {
        if JPEGMarker.isStandalone(location.marker) {
            return MarkerSegment(marker: location.marker, range: location.offset..<(location.offset + 2))
        }
        var reader = ByteReader(bytes, in: (location.offset + 2)..<bytes.count)
        guard let declaredLength = reader.readUInt16() else { return nil }
        // The length includes its own two bytes. libjpeg continues after an invalid length of less than 2.
        let length = max(declaredLength, 2)
        guard length - 2 <= reader.remainingByteCount else { return nil }
        let range = location.offset..<(location.offset + 2 + length)
        guard location.marker == JPEGMarker.startOfScan else {
            return MarkerSegment(marker: location.marker, range: range)
        }
        let dataEnd = JPEGMarkerSearch.endOfScanData(in: bytes, from: range.upperBound)
        return MarkerSegment(marker: location.marker, range: range, scanDataRange: range.upperBound..<dataEnd)
    }

    private mutating func appendSegment(_ segment: MarkerSegment, limits: ImageLimits) throws(CodecError) {
        segments.append(segment)
        if segments.count > limits.segments {
            throw CodecError(
                .tooManySegments, stage: .probe, offset: segment.range.lowerBound,
                message: "more than \(limits.segments) segments")
        }
        if JPEGMarker.isFrameHeader(segment.marker) && frameHeader == nil {
            frameHeader = try JPEGFrameHeader(fileBytes: bytes, segment: segment)
        }
        if segment.marker == JPEGMarker.defineNumberOfLines && frameHeader?.height == 0 {
            var reader = ByteReader(bytes, in: segment.payloadRange)
            frameHeader?.height = reader.readUInt16() ?? 0
        }
    }
}

/// The codes of JPEG markers.
enum JPEGMarker {
    static let startOfImage: UInt8 = 0xD8
    static let endOfImage: UInt8 = 0xD9
    static let startOfScan: UInt8 = 0xDA
    static let quantizationTables: UInt8 = 0xDB
    static let defineNumberOfLines: UInt8 = 0xDC
    static let restartInterval: UInt8 = 0xDD
    static let hierarchicalProgression: UInt8 = 0xDE
    static let huffmanTables: UInt8 = 0xC4
    static let arithmeticConditioning: UInt8 = 0xCC
    static let app0JFIF: UInt8 = 0xE0
    static let app1Exif: UInt8 = 0xE1
    static let app2ICC: UInt8 = 0xE2
    static let app14Adobe: UInt8 = 0xEE

    /// Returns whether the marker has no parameters: TEM, RST or SOI.
    static func isStandalone(_ marker: UInt8) -> Bool { marker == 0x01 || (0xD0...0xD8).contains(marker) }

    /// Returns whether the marker is a frame header of any process, or DHP, which replaces it in a hierarchical file.
    static func isFrameHeader(_ marker: UInt8) -> Bool {
        if marker == hierarchicalProgression { return true }
        return (0xC0...0xCF).contains(marker) && ![huffmanTables, 0xC8, arithmeticConditioning].contains(marker)
    }
}
