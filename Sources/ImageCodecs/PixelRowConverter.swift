internal import Imaging

/// Converts rows of 8-bit gray or RGB, with or without alpha, to rows of gray or of Y, Cb and Cr.
struct PixelRowConverter {
    /// The channels of the source: 1 for gray, 2 for gray and alpha, 3 for RGB, 4 for RGB and alpha.
    let channelCount: Int
    /// The number of planes of the result: 1 or 3.
    let planeCount: Int
    private let background: RGBColor
    /// The bytes of the background; `nil` for RGB, which has no transparent pixels.
    private let backgroundBytes: [UInt8]?
    /// The gamma-corrected value of each 8-bit value; `nil` if no correction is needed.
    private let gammaTable: [UInt8]?
    private let kernels: PixelKernels

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - channelCount: The channels of the source, 1 to 4.
    ///   - fileGamma: The value of the gAMA chunk, gamma times 100,000; 0 if there is none.
    ///   - background: The color that transparent pixels are blended with.
    ///   - instructionSet: The instruction set to use.
    init(channelCount: Int, fileGamma: Int, background: RGBColor, instructionSet: InstructionSet) {
        self.channelCount = channelCount
        self.background = background
        backgroundBytes = channelCount == 3 ? nil : [background.red, background.green, background.blue]
        planeCount = channelCount == 1 || (channelCount == 2 && background.isGray) ? 1 : 3
        gammaTable = GammaTable.makeTable(fileGamma: fileGamma)
        kernels = PixelKernels(instructionSet: instructionSet)
    }

    /// Writes `count` contiguous rows as the next batch of every ring of `ringBuffer`.
    func convertRowsToPlanes(_ rows: Span<UInt8>, count: Int, into ringBuffer: inout RowRingBuffer) {
        let stride = rows.count / max(count, 1)
        for y in 0..<count {
            convertRowToPlanes(rows.extracting((y * stride)..<((y + 1) * stride)), into: &ringBuffer, batchRow: y)
        }
    }

    /// Writes a row as row `batchRow` of the next batch of every ring of `ringBuffer`.
    func convertRowToPlanes(_ source: Span<UInt8>, into ringBuffer: inout RowRingBuffer, batchRow: Int) {
        let starts = ringBuffer.rings.map { $0.nextBatchOffset + batchRow * $0.stride }
        if planeCount == 1 { return convertRowToGray(source, into: &ringBuffer.bytes, at: starts[0]) }
        if channelCount > 2 && gammaTable == nil {
            kernels.convertRGBToYCbCr(
                source, background: backgroundBytes, into: &ringBuffer.bytes, planeOffsets: starts)
        } else {
            kernels.convertRGBToYCbCr(
                gammaCorrectedRGBRow(from: source).span, background: backgroundBytes, into: &ringBuffer.bytes,
                planeOffsets: starts)
        }
    }

    private func convertRowToGray(_ source: Span<UInt8>, into bytes: inout ContiguousArray<UInt8>, at start: Int) {
        var luma = bytes.mutableSpan
        for x in 0..<(source.count / channelCount) {
            let value = gammaCorrected(source[x * channelCount])
            luma[start + x] =
                channelCount == 1
                ? value : AlphaBlend.blend(value, over: background.red, alpha: source[x * channelCount + 1])
        }
    }

    /// Returns the row as RGB, with alpha if there is any, and with gamma-corrected values.
    private func gammaCorrectedRGBRow(from source: Span<UInt8>) -> ContiguousArray<UInt8> {
        var pixels: ContiguousArray<UInt8> = []
        pixels.reserveCapacity(source.count / channelCount * 4)
        for first in stride(from: 0, to: source.count, by: channelCount) {
            for c in 0..<3 { pixels.append(gammaCorrected(source[first + (channelCount < 3 ? 0 : c)])) }
            if channelCount % 2 == 0 { pixels.append(source[first + channelCount - 1]) }
        }
        return pixels
    }

    @inline(__always)
    private func gammaCorrected(_ value: UInt8) -> UInt8 {
        guard let gammaTable else { return value }
        return gammaTable[Int(value)]
    }
}
