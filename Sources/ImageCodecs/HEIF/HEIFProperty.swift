internal import Imaging
internal import MediaContainers

/// A property of an item.
///
/// Source: ISO/IEC 23008-12, 6.5.
enum HEIFProperty {
    /// The size of the decoded item, in pixels.
    case size(PixelSize)
    /// The range of the decoder's configuration, of HEVC or AV1.
    case configuration(type: FourCC, Range<Int>)
    /// The colors as code points of ITU-T H.273.
    case colors(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool)
    /// The luminance of the brightest pixel in cd/m², 0 if it is unknown: MaxCLL of CTA-861.3.
    case maxLuminance(Int)
    /// The range of an ICC profile.
    case iccProfile(Range<Int>)
    /// A rotation by this many quarter turns counterclockwise.
    case rotation(Int)
    /// A mirroring: 0 exchanges top and bottom, 1 left and right.
    case mirroring(axis: Int)
    /// The part of the image that is shown.
    case cleanAperture(HEIFCleanAperture)
    /// The kind of an auxiliary image, as a URN.
    case auxiliaryType(String)
    /// A property that does not change how an image is decoded.
    case informative
    /// A property that is not known, or asks for what the decoders do not do.
    case unknown

    /// Reads a property. Returns `nil` if its content is invalid.
    init?(_ box: ISOBox, in bytes: [UInt8]) {
        var reader = ByteReader(bytes, in: box.contentRange)
        switch box.type {
        case "ispe":
            guard reader.readVersionAndFlags() != nil, let width = reader.readUInt32(), let height = reader.readUInt32()
            else { return nil }
            self = .size(PixelSize(width: width, height: height))
        case "hvcC", "av1C": self = .configuration(type: box.type, box.contentRange)
        case "colr":
            guard let colors = Self(colorInformation: &reader, contentEnd: box.contentRange.upperBound) else {
                return nil
            }
            self = colors
        case "clli":
            guard let luminance = reader.readUInt16(), reader.readUInt16() != nil else { return nil }
            self = .maxLuminance(luminance)
        case "irot":
            guard let angle = reader.readUInt8() else { return nil }
            self = .rotation(angle & 3)
        case "imir":
            guard let axis = reader.readUInt8() else { return nil }
            self = .mirroring(axis: axis & 1)
        case "clap":
            guard let aperture = HEIFCleanAperture(&reader) else { return nil }
            self = .cleanAperture(aperture)
        case "auxC":
            guard reader.readVersionAndFlags() != nil, let type = reader.readNullTerminatedText() else { return nil }
            self = .auxiliaryType(type)
        // The operating point of AV1, and the layer. The decoders take the first, and the highest of all layers.
        case "a1op": self = reader.readUInt8() == 0 ? .informative : .unknown
        case "lsel": self = reader.readUInt16() == 0xFFFF ? .informative : .unknown
        case "pixi", "pasp", "rloc", "mdcv", "cclv", "amve", "a1lx", "udes", "altt", "rref", "crtt", "mdft":
            self = .informative
        default: self = .unknown
        }
    }

    /// Reads the content of a `colr` box: ISO/IEC 14496-12, 12.1.5.
    private init?(colorInformation reader: inout ByteReader, contentEnd: Int) {
        switch reader.readFourCC() {
        case "nclx":
            guard let primaries = reader.readUInt16(), let transfer = reader.readUInt16(),
                let matrix = reader.readUInt16(), let range = reader.readUInt8()
            else { return nil }
            self = .colors(primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range & 0x80 != 0)
        case "prof", "rICC": self = .iccProfile(reader.position..<contentEnd)
        case .some: self = .informative
        case nil: return nil
        }
    }
}

/// The part of an image that is shown: its size, and the distance of its center from that of the whole image.
///
/// Source: ISO/IEC 14496-12, 12.1.4.
struct HEIFCleanAperture {
    private struct Fraction {
        var numerator: Int
        var denominator: Int
    }

    private let width, height, horizontalOffset, verticalOffset: Fraction

    /// Reads the content of a `clap` box. Returns `nil` if it is too short, or a denominator is 0.
    init?(_ reader: inout ByteReader) {
        var fractions: [Fraction] = []
        for _ in 0..<4 {
            guard let numerator = reader.readUInt32(), let denominator = reader.readUInt32(), denominator > 0 else {
                return nil
            }
            fractions.append(
                Fraction(numerator: Int(Int32(truncatingIfNeeded: numerator)), denominator: denominator))
        }
        (width, height, horizontalOffset, verticalOffset) = (fractions[0], fractions[1], fractions[2], fractions[3])
    }

    /// Returns the shown columns and rows of an image, rounded to whole pixels, or `nil` if they are not within it.
    func cropping(_ size: PixelSize) -> (columns: Range<Int>, rows: Range<Int>)? {
        guard let columns = Self.interval(length: width, offset: horizontalOffset, within: size.width),
            let rows = Self.interval(length: height, offset: verticalOffset, within: size.height)
        else { return nil }
        return (columns, rows)
    }

    /// The interval's start is the middle of the whole, plus the offset, minus half of the length.
    private static func interval(length: Fraction, offset: Fraction, within whole: Int) -> Range<Int>? {
        let count = length.numerator / length.denominator
        guard count >= 1, count <= whole else { return nil }
        let doubledOffset = (2 * offset.numerator) / offset.denominator
        let start = (whole - count + doubledOffset) / 2
        guard start >= 0, start + count <= whole else { return nil }
        return start..<(start + count)
    }
}
