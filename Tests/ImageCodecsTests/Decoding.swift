import Diagnostics
import ImageCodecs
import Imaging
import TestSupport

/// Decodes at the stored size, or at `size`, with the stored chroma resolution.
func decodeImage(
    _ bytes: [UInt8], size: PixelSize? = nil, limits: ImageLimits = ImageLimits(),
    options: ImageSource.DecodingOptions = ImageSource.DecodingOptions(), convertsToSRGB: Bool = false
) throws(CodecError) -> ImageSource.DecodedImage {
    var options = options
    options.limits = limits
    let source = try ImageSource(bytes, options: options)
    let header = source.header
    return try source.decode(
        resampling: ResampleRequest(
            size: size ?? header.uprightSize, orientation: header.orientation, minChromaSubsampling: .none),
        convertsToSRGB: convertsToSRGB)
}

/// The outcome of decoding.
enum DecodeVerdict: Equatable, CustomStringConvertible {
    case decoded(warnings: Set<String>)
    case rejected(CodecError.Code)

    init(
        decoding bytes: [UInt8], limits: ImageLimits = ImageLimits(),
        options: ImageSource.DecodingOptions = ImageSource.DecodingOptions()
    ) {
        do throws(CodecError) {
            let decoded = try decodeImage(bytes, limits: limits, options: options)
            self = .decoded(warnings: Set(decoded.warnings.map(\.code.rawValue)))
        } catch {
            self = .rejected(error.code)
        }
    }

    static let decodedWithoutWarnings = DecodeVerdict.decoded(warnings: [])

    static func decoded(_ warnings: String...) -> DecodeVerdict { .decoded(warnings: Set(warnings)) }

    var description: String {
        switch self {
        case .decoded(let warnings): "decoded \(warnings.sorted())"
        case .rejected(let code): "rejected \(code)"
        }
    }
}

/// The error that decoding throws; `nil` if it succeeds.
func decodingError(
    for bytes: [UInt8], limits: ImageLimits = ImageLimits(),
    options: ImageSource.DecodingOptions = ImageSource.DecodingOptions()
) -> CodecError? {
    do throws(CodecError) {
        _ = try decodeImage(bytes, limits: limits, options: options)
        return nil
    } catch {
        return error
    }
}

extension ImageSource.DecodingOptions {
    static let allowingTruncated = ImageSource.DecodingOptions(allowTruncated: true)
    static let allowingDamaged = ImageSource.DecodingOptions(allowDamaged: true)
    static let allowingTruncatedAndDamaged = ImageSource.DecodingOptions(allowTruncated: true, allowDamaged: true)

    init(allowTruncated: Bool = false, allowDamaged: Bool = false, background: RGBColor = .white) {
        self.init()
        (self.allowsTruncated, self.allowsDamaged, self.background) = (allowTruncated, allowDamaged, background)
    }
}

extension Plane {
    subscript(x: Int, y: Int) -> Int { Int(samples[y * stride + x]) }

    /// The rows without their padding.
    var visibleRows: [[UInt8]] { (0..<height).map { y in Array(samples[(y * stride)..<(y * stride + width)]) } }

    var meanSample: Double {
        Double(visibleRows.reduce(0) { $0 + $1.reduce(0) { $0 + Int($1) } }) / Double(width * height)
    }

    /// The largest difference of a sample from that of another plane; `nil` if their sizes differ.
    func largestDifference(from other: Plane) -> Int? {
        guard (width, height) == (other.width, other.height) else { return nil }
        return zip(visibleRows.joined(), other.visibleRows.joined()).map { abs(Int($0) - Int($1)) }.max()
    }
}

/// Red, green and blue of a Y, Cb and Cr (ITU-T T.871, section 7).
func rgbFromYCbCr(y: Double, cb: Double, cr: Double) -> [Double] {
    [y + 1.402 * (cr - 128), y - 0.344136 * (cb - 128) - 0.714136 * (cr - 128), y + 1.772 * (cb - 128)]
}

/// Y, Cb and Cr of a red, green and blue (ITU-T T.871, section 7).
func yCbCrFromRGB(r: Double, g: Double, b: Double) -> [Double] {
    [
        0.299 * r + 0.587 * g + 0.114 * b, 128 - 0.168736 * r - 0.331264 * g + 0.5 * b,
        128 + 0.5 * r - 0.418688 * g - 0.081312 * b,
    ]
}

extension PlanarImage {
    /// The mean color, of an image whose planes cover the same area.
    var meanRGB: [Double] {
        let means = planes.map(\.meanSample)
        return means.count == 1
            ? [means[0], means[0], means[0]] : rgbFromYCbCr(y: means[0], cb: means[1], cr: means[2])
    }

    /// The color of one pixel, of an image whose planes are all of its size.
    func rgbPixel(x: Int, y: Int) -> [Double] {
        let values = planes.map { Double($0[x, y]) }
        return values.count == 1
            ? [values[0], values[0], values[0]]
            : rgbFromYCbCr(y: values[0], cb: values[1], cr: values[2])
    }
}
