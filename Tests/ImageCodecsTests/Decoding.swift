import ImageCodecs
import Imaging
import TestSupport

/// Decodes at the stored size, or at `size`, with chroma as fine as it is stored.
func decode(
    _ bytes: [UInt8], size: PixelSize? = nil, limits: ImageLimits = ImageLimits(),
    _ options: ImageSource.DecodingOptions = ImageSource.DecodingOptions()
) throws(CodecError) -> ImageSource.DecodedImage {
    let source = try ImageSource(bytes, limits: limits, options: options)
    let header = source.header
    return try source.decode(
        resampling: ResampleRequest(
            size: size ?? header.uprightSize, orientation: header.orientation, minChromaSubsampling: .none))
}

/// What a decode ends with.
enum Outcome: Equatable, CustomStringConvertible {
    case decoded(warnings: Set<String>)
    case refused(CodecError.Code)

    init(
        _ bytes: [UInt8], limits: ImageLimits = ImageLimits(),
        _ options: ImageSource.DecodingOptions = ImageSource.DecodingOptions()
    ) {
        do throws(CodecError) {
            let decoded = try decode(bytes, limits: limits, options)
            self = .decoded(warnings: Set(decoded.warnings.map(\.code)))
        } catch {
            self = .refused(error.code)
        }
    }

    static let clean = Outcome.decoded(warnings: [])

    static func decoded(_ warnings: String...) -> Outcome { .decoded(warnings: Set(warnings)) }

    var description: String {
        switch self {
        case .decoded(let warnings): "decoded \(warnings.sorted())"
        case .refused(let code): "refused \(code)"
        }
    }
}

/// The error that decoding ends with; nil if it succeeds.
func refusal(
    _ bytes: [UInt8], limits: ImageLimits = ImageLimits(),
    _ options: ImageSource.DecodingOptions = ImageSource.DecodingOptions()
) -> CodecError? {
    do throws(CodecError) {
        _ = try decode(bytes, limits: limits, options)
        return nil
    } catch {
        return error
    }
}

extension ImageSource.DecodingOptions {
    static let takingTruncated = ImageSource.DecodingOptions(allowTruncated: true)
    static let takingDamaged = ImageSource.DecodingOptions(allowDamaged: true)
    static let takingAll = ImageSource.DecodingOptions(allowTruncated: true, allowDamaged: true)

    init(allowTruncated: Bool = false, allowDamaged: Bool = false, background: RGBColor = .white) {
        self.init()
        (self.allowsTruncated, self.allowsDamaged, self.background) = (allowTruncated, allowDamaged, background)
    }
}

extension Plane {
    subscript(x: Int, y: Int) -> Int { Int(samples[y * stride + x]) }

    /// The rows without their padding.
    var picture: [[UInt8]] { (0..<height).map { y in Array(samples[(y * stride)..<(y * stride + width)]) } }

    var mean: Double {
        Double(picture.reduce(0) { $0 + $1.reduce(0) { $0 + Int($1) } }) / Double(width * height)
    }

    /// The largest difference of any sample from another plane's of the same size; nil if it has another.
    func largestDifference(from other: Plane) -> Int? {
        guard (width, height) == (other.width, other.height) else { return nil }
        return zip(picture.joined(), other.picture.joined()).map { abs(Int($0) - Int($1)) }.max()
    }
}

/// Red, green and blue of a Y, Cb and Cr (ITU-T T.871, section 7).
func rgbColor(_ y: Double, _ cb: Double, _ cr: Double) -> [Double] {
    [y + 1.402 * (cr - 128), y - 0.344136 * (cb - 128) - 0.714136 * (cr - 128), y + 1.772 * (cb - 128)]
}

/// Y, Cb and Cr of a red, green and blue (ITU-T T.871, section 7).
func yCbCrColor(_ r: Double, _ g: Double, _ b: Double) -> [Double] {
    [
        0.299 * r + 0.587 * g + 0.114 * b, 128 - 0.168736 * r - 0.331264 * g + 0.5 * b,
        128 + 0.5 * r - 0.418688 * g - 0.081312 * b,
    ]
}

extension PlanarImage {
    /// The mean colour, of a picture whose planes cover the same area.
    var meanRGB: [Double] {
        let means = planes.map(\.mean)
        return means.count == 1 ? [means[0], means[0], means[0]] : rgbColor(means[0], means[1], means[2])
    }

    /// The colour of one pixel, of a picture whose planes are all of its size.
    func rgb(_ x: Int, _ y: Int) -> [Double] {
        let values = planes.map { Double($0[x, y]) }
        return values.count == 1
            ? [values[0], values[0], values[0]]
            : rgbColor(values[0], values[1], values[2])
    }
}

/// Numbers that look random and are the same every time (Numerical Recipes' linear congruential generator).
struct FlipGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        func half() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 32
        }
        return half() << 32 | half()
    }
}
