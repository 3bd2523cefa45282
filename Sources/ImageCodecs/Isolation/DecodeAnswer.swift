internal import Imaging

/// The beginning of a worker's answer. The samples of the planes and of the overview follow it, or the texts of an
/// error.
///
/// A worker may be under the control of the file that it decodes, so everything in an answer is checked.
enum DecodeAnswer {
    /// The decoded image: the form of its planes, whether an overview follows them, and its colors.
    case image(chromaSubsampling: ChromaSubsampling, planeCount: Int, hasOverview: Bool, colors: HEIFColors)
    /// An error: the lengths of its code and its message in bytes, its stage and its offset.
    case error(codeByteCount: Int, messageByteCount: Int, stage: CodecError.Stage, offset: Int?)

    /// The number of ``numbers(cpuMilliseconds:)``.
    static let numberCount = 10
    private static let stages: [CodecError.Stage] = [.probe, .decode, .encode]
    /// The most bytes of a text.
    private static let maxTextByteCount = 4096

    /// The codes of the errors that decoding throws. Others could mean something to the caller.
    static let errorCodes: Set<CodecError.Code> = [
        .truncated, .damaged, .inputTooLarge, .tooManyPixels, .dimensionTooLarge, .tooManySegments,
        .memoryLimitExceeded, .outOfMemory, .decoderUnavailable, .unsupportedColor, .unsupportedFormat("heic"),
        .unsupportedFormat("avif"),
    ]

    /// The answer as numbers, after the CPU time that the worker has taken since its start.
    func numbers(cpuMilliseconds: Int64) -> [Int64] {
        var values: [Int]
        switch self {
        case .image(let chroma, let planeCount, let hasOverview, let colors):
            values = [
                0, chroma.horizontalFactor, chroma.verticalFactor, planeCount, hasOverview ? 1 : 0, colors.primaries,
                colors.transfer, colors.matrix, colors.isFullRange ? 1 : 0,
            ]
        case .error(let codeByteCount, let messageByteCount, let stage, let offset):
            values = [
                1, codeByteCount, messageByteCount, Self.stages.firstIndex(of: stage) ?? 0, offset ?? -1, 0, 0, 0, 0,
            ]
        }
        return [cpuMilliseconds] + values.map(Int64.init)
    }

    /// Creates the answer that `numbers` describe, or returns `nil` if they describe none.
    init?(numbers: [Int64]) {
        guard numbers.count == Self.numberCount else { return nil }
        let values = numbers.dropFirst().map { Int(clamping: $0) }
        switch values[0] {
        case 0:
            guard (1...4).contains(values[1]), (1...4).contains(values[2]), values[1] * values[2] <= 8,
                [1, 3].contains(values[3]), [0, 1].contains(values[4]), values[5...7].allSatisfy((0...0xFFFF).contains)
            else { return nil }
            self = .image(
                chromaSubsampling: ChromaSubsampling(horizontalFactor: values[1], verticalFactor: values[2]),
                planeCount: values[3], hasOverview: values[4] != 0,
                colors: HEIFColors(
                    primaries: values[5], transfer: values[6], matrix: values[7], isFullRange: values[8] != 0))
        case 1:
            guard (1...Self.maxTextByteCount).contains(values[1]), (0...Self.maxTextByteCount).contains(values[2]),
                Self.stages.indices.contains(values[3])
            else { return nil }
            self = .error(
                codeByteCount: values[1], messageByteCount: values[2], stage: Self.stages[values[3]],
                offset: values[4] >= 0 ? values[4] : nil)
        default: return nil
        }
    }

    /// Creates the answer for an error.
    init(_ error: CodecError) {
        self = .error(
            codeByteCount: error.code.rawValue.utf8.count,
            messageByteCount: min(error.message.utf8.count, Self.maxTextByteCount), stage: error.stage,
            offset: error.offset)
    }

    /// Returns the size of a plane of an image of `size` pixels.
    static func planeSize(_ index: Int, of size: PixelSize, chroma: ChromaSubsampling) -> PixelSize {
        index == 0
            ? size
            : PixelSize(
                width: size.width.dividedRoundingUp(by: chroma.horizontalFactor),
                height: size.height.dividedRoundingUp(by: chroma.verticalFactor))
    }
}
