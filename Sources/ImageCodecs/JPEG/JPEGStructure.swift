/// The marker segments of a JPEG file, found without decoding.
///
/// Parsing continues where it stopped once more of the file is known, so every segment is read once.
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
        /// The end of the parameters, and of the entropy-coded data after a start of scan.
        var endOffset: Int { scanDataRange?.upperBound ?? range.upperBound }
    }

    private(set) var segments: [MarkerSegment] = []
    /// The first frame header.
    private(set) var frameHeader: JPEGFrameHeader?
    /// The header of each scan, in order; `nil` for an invalid one.
    private(set) var scanHeaders: [JPEGScanHeader?] = []
    /// The number of components that the first scan header declares, which may be invalid.
    private(set) var firstScanComponentCount: Int?
    /// The coefficients that all scans after the frame header code.
    private(set) var coverage = CoefficientCoverage(componentCount: 0)
    private(set) var metadata = JPEGMetadata()
    /// The offset after the end-of-image marker; `nil` if there is none.
    private(set) var endOffset: Int?

    /// The offset of the first byte that is not parsed yet. The file begins with a start of image.
    private var nextOffset = 2

    /// The segments of the scan headers, in order.
    var scanHeaderSegments: some Collection<MarkerSegment> {
        segments.lazy.filter { $0.marker == JPEGMarker.startOfScan }
    }

    /// Parses the segments that follow those parsed before.
    ///
    /// - Parameters:
    ///   - bytes: The file, or its beginning. It begins with the bytes of the calls before.
    ///   - extent: `.headerOnly` stops before the data of the first scan. If the frame header has no height, it stops
    ///     after the segment that defines it.
    ///   - isWholeFile: Whether `bytes` are the whole file.
    ///   - limits: The limits to check.
    /// - Returns: `false` if `bytes` end before `extent`, and are not the whole file.
    /// - Throws: ``CodecError/Code/tooManySegments``, and the errors of `JPEGFrameHeader`.
    mutating func parse(
        _ bytes: [UInt8], extent: ParsingExtent, isWholeFile: Bool, limits: ImageLimits
    ) throws(CodecError) -> Bool {
        while endOffset == nil, extent == .wholeFile || !isHeaderComplete {
            if needsScanData {
                let dataEnd = JPEGMarkerSearch.endOfScanData(in: bytes, from: nextOffset)
                if dataEnd == bytes.count && !isWholeFile { return false }
                segments[segments.count - 1].scanDataRange = nextOffset..<dataEnd
                nextOffset = dataEnd
            }
            guard let location = JPEGMarkerSearch.nextMarker(in: bytes, from: nextOffset) else { return isWholeFile }
            if location.marker == JPEGMarker.endOfImage {
                endOffset = location.offset + 2
            } else {
                guard let segment = Self.readSegment(at: location, in: bytes) else { return isWholeFile }
                nextOffset = segment.range.upperBound
                try appendSegment(segment, of: bytes, limits: limits)
            }
        }
        return true
    }

    /// Whether a scan was found, and the height is known. Without a frame header before its first scan a file is
    /// invalid.
    private var isHeaderComplete: Bool { !scanHeaders.isEmpty && frameHeader?.height != 0 }

    /// Whether the last segment is a start of scan, and the end of its data is not known.
    private var needsScanData: Bool {
        segments.last.map { $0.marker == JPEGMarker.startOfScan && $0.scanDataRange == nil } ?? false
    }

    /// Reads the segment at a marker. Returns `nil` if `bytes` end within it.
    private static func readSegment(
        at location: JPEGMarkerSearch.MarkerLocation, in bytes: [UInt8]
    ) -> MarkerSegment? {
        if JPEGMarker.isStandalone(location.marker) {
            return MarkerSegment(marker: location.marker, range: location.offset..<(location.offset + 2))
        }
        var reader = ByteReader(bytes, in: (location.offset + 2)..<bytes.count)
        guard let declaredLength = reader.readUInt16() else { return nil }
        // The length includes its own two bytes. libjpeg continues after an invalid length of less than 2.
        let length = max(declaredLength, 2)
        guard length - 2 <= reader.remainingByteCount else { return nil }
        return MarkerSegment(marker: location.marker, range: location.offset..<(location.offset + 2 + length))
    }

    private mutating func appendSegment(
        _ segment: MarkerSegment, of bytes: [UInt8], limits: ImageLimits
    ) throws(CodecError) {
        segments.append(segment)
        if segments.count > limits.segments {
            throw CodecError(
                .tooManySegments, stage: .probe, offset: segment.range.lowerBound,
                message: "more than \(limits.segments) segments")
        }
        switch segment.marker {
        case let marker where JPEGMarker.isFrameHeader(marker) && frameHeader == nil:
            let frame = try JPEGFrameHeader(fileBytes: bytes, segment: segment)
            coverage = CoefficientCoverage(componentCount: frame.components.count)
            frameHeader = frame
        case JPEGMarker.defineNumberOfLines where frameHeader?.height == 0:
            var reader = ByteReader(bytes, in: segment.payloadRange)
            frameHeader?.height = reader.readUInt16() ?? 0
        case JPEGMarker.startOfScan: appendScanHeader(in: segment, of: bytes)
        case JPEGMarker.app1Exif, JPEGMarker.app2ICC: metadata.readSegment(segment, of: bytes)
        default: break
        }
    }

    private mutating func appendScanHeader(in segment: MarkerSegment, of bytes: [UInt8]) {
        if scanHeaders.isEmpty {
            var reader = ByteReader(bytes, in: segment.payloadRange)
            firstScanComponentCount = reader.readUInt8()
        }
        let header = JPEGScanHeader(
            fileBytes: bytes, segment: segment, isProgressive: frameHeader?.codingProcess.isProgressive ?? false)
        scanHeaders.append(header)
        if let header, let frameHeader {
            coverage.recordScan(
                header, componentIndices: frameHeader.componentIndices(forIdentifiers: header.componentIdentifiers))
        }
    }
}

/// The codes of JPEG markers.
///
/// Source: ITU-T T.81, annex B.
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
