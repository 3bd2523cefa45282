/// Limits on the resources that an input may need. They are checked before memory is allocated or time is spent.
public struct ImageLimits: Hashable, Encodable, Sendable {
    /// The maximum size of the file, in bytes. The default is 256 MiB.
    public var inputBytes = 256 << 20
    /// The maximum number of pixels. The default is 200 million.
    public var pixels = 200_000_000
    /// The maximum width or height, in pixels. The default is 65,500, which is libjpeg's own limit. A higher value does
    /// not allow more.
    public var dimension = largestDimension
    private static let largestDimension = 65_500
    /// The maximum number of scans of a JPEG. The default is 100.
    ///
    /// The maximum among 272 photos was 15. 500 scans keep a core busy for a minute.
    public var scans = 100
    /// The maximum number of scans times pixels of a JPEG. The default is 1.5 billion.
    ///
    /// With arithmetic coding the limit is a third, because decoding takes 9 ns for each pixel of a scan instead of 3
    /// ns.
    public var scanPixels = 1_500_000_000
    /// The maximum size of an arithmetic-coded JPEG, in bytes. The default is 32 MiB.
    ///
    /// libjpeg decodes 5 to 7 MB of arithmetic-coded data a second, a 20th of its speed with Huffman codes.
    public var arithmeticBytes = 32 << 20
    /// The maximum size of an ICC profile, in bytes. The default is 4 MiB. A larger profile is dropped with a warning.
    public var iccBytes = 4 << 20
    /// The maximum memory that decoding needs besides the file, in bytes. The default is 1 GiB.
    ///
    /// A progressive JPEG that libjpeg decodes takes 2 bytes a sample. An interlaced PNG takes 1. A WebP takes 1.5
    /// bytes a pixel, with alpha 6, and 7 or 8 if it is lossless; for Huffman tables, a lossless one may take up to 840
    /// MB more.
    public var decodedBytes = 1 << 30
    /// The maximum number of segments of a JPEG, of chunks of a PNG except image data, or of chunks of a WebP. The
    /// default is 10,000.
    public var segments = 10_000

    /// Creates the default limits.
    public init() {}

    func checkInputByteCount(_ count: Int) throws(CodecError) {
        if count == 0 { throw CodecError(.empty, stage: .probe, message: "the file is empty") }
        if count > inputBytes {
            throw CodecError(
                .inputTooLarge, stage: .probe, message: "the file is too large: \(count) bytes (at most \(inputBytes))")
        }
    }

    func checkArithmeticCodedByteCount(_ count: Int) throws(CodecError) {
        if count > arithmeticBytes {
            throw CodecError(
                .inputTooLarge, stage: .probe,
                message: "the arithmetic-coded data is too large: \(count) bytes (at most \(arithmeticBytes))")
        }
    }

    func checkDimensions(width: Int, height: Int, at offset: Int) throws(CodecError) {
        if width == 0 || height == 0 {
            throw CodecError(
                .damaged, stage: .probe, offset: offset, message: "the header states a size of \(width) x \(height)")
        }
        // Before the product of both is computed.
        let dimension = min(dimension, Self.largestDimension)
        if max(width, height) > dimension {
            throw CodecError(
                .dimensionTooLarge, stage: .probe, offset: offset,
                message: "the size is too large: \(width) x \(height) pixels (at most \(dimension) on a side)")
        }
        if width * height > pixels {
            throw CodecError(
                .tooManyPixels, stage: .probe, offset: offset,
                message: "the size is too large: \(width) x \(height) pixels (at most \(pixels) in all)")
        }
    }

    /// Returns the maximum number of scans times pixels for the kind of entropy coding.
    func maxScanPixels(isArithmetic: Bool) -> Int { isArithmetic ? scanPixels / 3 : scanPixels }

    func checkScanCount(_ count: Int, pixelCount: Int, isArithmetic: Bool, at offset: Int) throws(CodecError) {
        let scanPixels = maxScanPixels(isArithmetic: isArithmetic)
        if count > scans {
            throw CodecError(
                .tooManyScans, stage: .probe, offset: offset, message: "too many scans (at most \(scans))")
        }
        if count * pixelCount > scanPixels {
            throw CodecError(
                .tooManyScans, stage: .probe, offset: offset,
                message: "the scans are too large: \(count) of \(pixelCount) pixels (at most \(scanPixels) in all)")
        }
    }

    func checkDecoderBufferByteCount(_ count: Int) throws(CodecError) {
        if count > decodedBytes {
            throw CodecError(
                .memoryLimitExceeded, stage: .probe,
                message: "the memory for decoding is too large: \(count) bytes (at most \(decodedBytes))")
        }
    }
}
