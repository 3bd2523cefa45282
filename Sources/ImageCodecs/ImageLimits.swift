/// What an input may ask for. All of it is checked before memory is allocated or time spent on it.
public struct ImageLimits: Hashable, Encodable, Sendable {
    /// Bytes of the file: 256 MiB.
    public var inputBytes = 256 << 20
    /// Pixels of the picture: 200 million.
    public var pixels = 200_000_000
    /// Pixels along either side: 65,500, which is libjpeg's own limit.
    public var dimension = 65_500
    /// Scans of a JPEG: 100. The most among 272 real photos was 15; 500 keep a core busy for a minute.
    public var scans = 100
    /// Scans times pixels: 1.5 thousand million; a third of it where they are arithmetic-coded, which takes 9 ns for
    /// each where Huffman codes take 3.
    public var scanPixels = 1_500_000_000
    /// Bytes of an arithmetic-coded JPEG: 32 MiB. libjpeg takes a second for 5 to 7 million of them, 20 times as long
    /// as for Huffman codes.
    public var arithmeticBytes = 32 << 20
    /// Bytes of an ICC profile: 4 MiB. A larger one is left out, with a warning.
    public var iccBytes = 4 << 20
    /// Bytes that decoding may hold at once beside the file: 1 GiB. A progressive JPEG may take 2 a sample, and takes
    /// them where something in it is odd; an interlaced PNG takes 1.
    public var decodedBytes = 1 << 30
    /// Segments of a JPEG, or chunks of a PNG other than image data: 10,000.
    public var segments = 10_000

    /// The defaults.
    public init() {}

    func checkInputByteCount(_ count: Int) throws(CodecError) {
        if count == 0 { throw CodecError(.empty, stage: .probe, message: "the file is empty") }
        if count > inputBytes {
            throw CodecError(
                .inputTooLarge, stage: .probe, message: "\(count) bytes are more than the \(inputBytes) allowed")
        }
    }

    func checkArithmeticCodedByteCount(_ count: Int) throws(CodecError) {
        if count > arithmeticBytes {
            throw CodecError(
                .inputTooLarge, stage: .probe,
                message: "\(count) arithmetic-coded bytes are more than the \(arithmeticBytes) allowed")
        }
    }

    func checkDimensions(width: Int, height: Int, at offset: Int) throws(CodecError) {
        if width == 0 || height == 0 {
            throw CodecError(
                .damaged, stage: .probe, offset: offset, message: "the header states a size of \(width) x \(height)")
        }
        if max(width, height) > dimension {
            throw CodecError(
                .dimensionTooLarge, stage: .probe, offset: offset,
                message: "\(width) x \(height) exceeds \(dimension) pixels on a side")
        }
        if width * height > pixels {
            throw CodecError(
                .tooManyPixels, stage: .probe, offset: offset, message: "\(width) x \(height) exceeds \(pixels) pixels")
        }
    }

    /// `maxScanPixels` for the kind of coding.
    func maxScanPixels(isArithmetic: Bool) -> Int { isArithmetic ? scanPixels / 3 : scanPixels }

    func checkScanCount(_ count: Int, pixelCount: Int, isArithmetic: Bool, at offset: Int) throws(CodecError) {
        let scanPixels = maxScanPixels(isArithmetic: isArithmetic)
        if count > scans {
            throw CodecError(.tooManyScans, stage: .probe, offset: offset, message: "more than \(scans) scans")
        }
        if count * pixelCount > scanPixels {
            throw CodecError(
                .tooManyScans, stage: .probe, offset: offset,
                message: "\(count) scans of \(pixelCount) pixels exceed \(scanPixels) in all")
        }
    }

    func checkDecoderBufferByteCount(_ count: Int) throws(CodecError) {
        if count > decodedBytes {
            throw CodecError(
                .memoryLimitExceeded, stage: .probe,
                message: "decoding takes \(count) bytes, more than the \(decodedBytes) allowed")
        }
    }
}
