internal import Imaging
internal import MediaContainers

/// The decoder's configuration of an image item: the form of its samples, and the data that precedes that of the item.
///
/// Source: ISO/IEC 14496-15, 8.3.3.1, and the AV1 Codec ISO Media File Format Binding, 2.3.
struct HEIFConfiguration {
    /// The codecs, with their item types.
    enum Codec: FourCC {
        case hevc = "hvc1"
        case av1 = "av01"
    }

    /// The resolution of the chroma planes. The raw values are those of HEVC's chroma_format_idc.
    enum ChromaFormat: Int {
        case monochrome, yuv420, yuv422, yuv444

        /// The number of luma columns and of luma rows for each chroma sample.
        var factors: (horizontal: Int, vertical: Int) {
            switch self {
            case .monochrome, .yuv444: (1, 1)
            case .yuv420: (2, 2)
            case .yuv422: (2, 1)
            }
        }

        var subsampling: ChromaSubsampling {
            ChromaSubsampling(horizontalFactor: factors.horizontal, verticalFactor: factors.vertical)
        }

        var planeCount: Int { self == .monochrome ? 1 : 3 }
    }

    let codec: Codec
    let chromaFormat: ChromaFormat
    /// The bits of a sample, of luma as of chroma.
    let bitDepth: Int
    /// The bytes of a decoded sample.
    var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }
    /// The ranges of the parameter sets of HEVC, without their lengths.
    private(set) var parameterSets: [Range<Int>] = []
    /// The number of bytes of the length before each NAL unit of HEVC.
    private(set) var lengthByteCount = 4

    /// The maximum size of a configuration, in bytes. Those of cameras have 100 to 300. It is read for each tile, so a
    /// large one would take hours.
    private static let maxByteCount = 16 << 10
    /// The maximum number of NAL units of a picture, and of parameter sets. Encoders write one for each slice.
    private static let maxUnitCount = 4096

    /// Reads a configuration. Returns `nil` if it is invalid, is larger than 16 KiB, or has more than 4,096 parameter
    /// sets.
    init?(codec: Codec, range: Range<Int>, in bytes: [UInt8]) {
        if range.count > Self.maxByteCount { return nil }
        self.codec = codec
        let content = ByteReader(bytes, in: range)
        func byte(_ index: Int) -> Int? {
            index < content.remainingByteCount ? Int(bytes[content.position + index]) : nil
        }
        switch codec {
        case .av1:
            guard let flags = byte(2), byte(3) != nil else { return nil }
            bitDepth = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
            chromaFormat =
                flags & 0x10 != 0
                ? .monochrome : flags & 0x08 == 0 ? .yuv444 : flags & 0x04 == 0 ? .yuv422 : .yuv420
        case .hevc:
            guard let chroma = byte(16).flatMap({ ChromaFormat(rawValue: $0 & 3) }), let luma = byte(17),
                let second = byte(18), luma & 7 == second & 7 || chroma == .monochrome, let lengths = byte(21)
            else { return nil }
            chromaFormat = chroma
            bitDepth = 8 + luma & 7
            lengthByteCount = 1 + lengths & 3
            guard readParameterSets(content) else { return nil }
        }
        if bitDepth > 12 { return nil }
    }

    private mutating func readParameterSets(_ content: ByteReader) -> Bool {
        var reader = content
        guard reader.seek(to: content.position + 22), let arrayCount = reader.readUInt8() else { return false }
        for _ in 0..<arrayCount {
            guard reader.readUInt8() != nil, let unitCount = reader.readUInt16() else { return false }
            for _ in 0..<unitCount {
                guard let count = reader.readUInt16(),
                    Self.readUnit(byteCount: count, from: &reader, into: &parameterSets)
                else { return false }
            }
        }
        return !parameterSets.isEmpty
    }

    /// Reads a unit, and appends its range unless it is empty. Returns `false` if the unit is longer than the data, or
    /// exceeds the maximum number.
    private static func readUnit(
        byteCount count: Int, from reader: inout ByteReader, into units: inout [Range<Int>]
    ) -> Bool {
        if count == 0 { return true }
        guard count <= reader.remainingByteCount, units.count < maxUnitCount else { return false }
        units.append(reader.position..<(reader.position + count))
        reader.position += count
        return true
    }

    /// Returns the ranges of the units that an item's data has: NAL units of HEVC without the empty ones, or the whole
    /// data of AV1. Returns `nil` if a unit is longer than the data, or if there are more than 4,096.
    func unitRanges(in range: Range<Int>, of bytes: [UInt8]) -> [Range<Int>]? {
        if codec == .av1 { return [range] }
        var reader = ByteReader(bytes, in: range)
        var units: [Range<Int>] = []
        while reader.remainingByteCount > 0 {
            guard let count = reader.readInteger(byteCount: lengthByteCount),
                Self.readUnit(byteCount: count, from: &reader, into: &units)
            else { return nil }
        }
        return units
    }
}
