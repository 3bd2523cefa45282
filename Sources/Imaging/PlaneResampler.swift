/// Resizes one plane while its rows arrive.
///
/// Each output row is filtered vertically into one row of 16-bit samples with 6 fractional bits, which is then filtered
/// horizontally. Samples of limited range, or of more bits, are converted to full range after that, before they are
/// rounded to 8 bits. Samples of another matrix than JPEG's are not rounded, see `YCbCrConversion`.
///
/// The memory is the output, one intermediate row, the coefficients, and up to 64 rows that are not turned upright yet.
/// The source rows belong to the caller. The time is proportional to the source samples times the filter's width.
struct PlaneResampler: ~Copyable {
    private let kernels: PixelKernels
    private let verticalCoefficients: FilterCoefficients
    private let horizontalCoefficients: FilterCoefficients
    private let sourceWidth: Int
    private let sourceHeight: Int
    private var boxShrinker: BoxShrinker?
    private var intermediateRow: ContiguousArray<Int16>
    private var rowOffsets: ContiguousArray<Int32>
    private let output: Output
    private let bytesPerSample: Int
    /// 16-bit results: one row, before its range is converted, or all. Empty if the results have 8 bits.
    private var wideSamples: ContiguousArray<Int16>
    private var nextOutputRow = 0
    private let outputSize: PixelSize
    private let outputStride: Int
    /// Results of 8 bits. Without rows if they have 16.
    private var uprightPlane: UprightPlane

    /// The number of source rows that the caller must retain.
    let retainedRowCount: Int

    /// The results to produce.
    enum Output {
        /// Samples of 8 bits.
        case samples
        /// Samples of 8 bits with full range, converted from another range or bit depth.
        case convertedSamples(RangeConversion)
        /// Samples of 16 bits, for a conversion of all planes together.
        case wideSamples
    }

    /// Creates a resampler.
    ///
    /// - Parameters:
    ///   - horizontal: The mapping of the columns.
    ///   - vertical: The mapping of the rows.
    ///   - orientation: The transform that makes results of 8 bits upright. Those of 16 bits stay as they are stored.
    ///   - filter: The filter kernel.
    ///   - sampleBitCount: The number of bits of a source sample.
    ///   - output: The results to produce.
    ///   - kernels: The kernels to use.
    init(
        horizontal: AxisMapping, vertical: AxisMapping, orientation: Orientation = .up, filter: ResampleFilter,
        sampleBitCount: Int = 8, output: Output = .samples, kernels: PixelKernels
    ) {
        let (across, down) = (horizontal.remaining, vertical.remaining)
        let cache = CoefficientCache.shared
        let pass: FilterCoefficients.ConvolutionPass =
            sampleBitCount == 8 ? .vertical : .wideVertical(sampleBitCount: sampleBitCount)
        self.kernels = kernels
        bytesPerSample = sampleBitCount == 8 ? 1 : 2
        self.verticalCoefficients = cache.coefficients(for: .init(mapping: down, filter: filter, pass: pass))
        self.horizontalCoefficients = cache.coefficients(for: .init(mapping: across, filter: filter, pass: .horizontal))
        sourceWidth = across.sourceSampleCount
        sourceHeight = down.sourceSampleCount
        outputSize = PixelSize(width: horizontal.outputSampleCount, height: vertical.outputSampleCount)
        outputStride = Plane.stride(forWidth: outputSize.width)

        // Taps beyond the last sample have a coefficient of 0 but are read, so the row has room for them.
        let columns = sourceWidth.roundedUp(toMultipleOf: PixelKernels.columnBlockSize)
        intermediateRow = ContiguousArray(repeating: 0, count: columns + self.horizontalCoefficients.paddedTapCount)
        rowOffsets = ContiguousArray(repeating: 0, count: self.verticalCoefficients.paddedTapCount)

        self.output = output
        let (planeRowCount, wideRowCount) =
            switch output {
            case .samples: (outputSize.height, 0)
            case .convertedSamples: (outputSize.height, 1)
            case .wideSamples: (0, outputSize.height)
            }
        uprightPlane = UprightPlane(
            storedSize: PixelSize(width: outputSize.width, height: planeRowCount), orientation: orientation)
        wideSamples = ContiguousArray(repeating: 0, count: outputStride * wideRowCount)

        let needsBox = horizontal.boxShrinkFactor > 1 || vertical.boxShrinkFactor > 1
        retainedRowCount = needsBox ? 0 : self.verticalCoefficients.tapCount
        boxShrinker =
            needsBox
            ? BoxShrinker(
                horizontal: horizontal, vertical: vertical, retainedRowCount: self.verticalCoefficients.tapCount,
                bytesPerSample: bytesPerSample) : nil
    }

    /// Writes every output row for which `ring` has enough rows.
    mutating func resampleAvailableRows(from source: Span<UInt8>, ring: RowRingBuffer.ComponentRing) {
        guard var shrinker = boxShrinker.take() else { return resampleRows(from: source, ring: ring) }
        while shrinker.shrinkNextRow(from: source, ring: ring) {
            resampleRows(from: shrinker.outputBytes.span, ring: shrinker.outputRing)
        }
        boxShrinker = shrinker
    }

    private mutating func resampleRows(from source: Span<UInt8>, ring: RowRingBuffer.ComponentRing) {
        let end = min(ring.writtenRowCount, sourceHeight)
        while nextOutputRow < outputSize.height {
            let first = Int(verticalCoefficients.sourceStarts[nextOutputRow])
            guard min(first + verticalCoefficients.tapCount, sourceHeight) <= end else { return }
            for k in rowOffsets.indices { rowOffsets[k] = Int32(ring.byteOffset(ofRow: min(first + k, end - 1))) }
            resampleNextRow(from: source)
            nextOutputRow += 1
        }
    }

    private mutating func resampleNextRow(from source: Span<UInt8>) {
        // Copies of references: a span of a stored property would prevent changes of `self` during the calls.
        let (vertical, offsets) = (verticalCoefficients, rowOffsets)
        let columns = sourceWidth.roundedUp(toMultipleOf: PixelKernels.columnBlockSize)
        let coefficients = vertical.values.span.extracting(
            (nextOutputRow * vertical.paddedTapCount)..<((nextOutputRow + 1) * vertical.paddedTapCount))
        if bytesPerSample == 1 {
            kernels.convolveVertically(
                source, rowOffsets: offsets.span, coefficients: coefficients, shift: vertical.rightShift,
                columnCount: columns, into: &intermediateRow)
        } else {
            kernels.convolveWideRowsVertically(
                source, rowOffsets: offsets.span, coefficients: coefficients, shift: vertical.rightShift,
                columnCount: columns, into: &intermediateRow)
        }
        let convolvedRow = intermediateRow, horizontal = horizontalCoefficients, kernels = kernels
        switch output {
        case .samples:
            uprightPlane.appendRow { samples, start in
                kernels.convolveHorizontally(
                    convolvedRow.span, coefficients: horizontal, into: &samples, at: start)
            }
        case .convertedSamples(let conversion):
            kernels.convolveHorizontally(
                convolvedRow.span, coefficients: horizontal, into: &wideSamples, at: 0)
            let resampledRow = wideSamples, count = outputStride
            uprightPlane.appendRow { samples, start in
                conversion.convertRow(resampledRow.span, count: count, into: &samples, at: start)
            }
        case .wideSamples:
            kernels.convolveHorizontally(
                convolvedRow.span, coefficients: horizontal, into: &wideSamples, at: nextOutputRow * outputStride)
        }
    }

    /// The results of 8 bits, upright.
    ///
    /// - Precondition: All rows are resampled.
    var outputPlane: Plane { uprightPlane.plane }

    /// The results of 16 bits, as they are stored.
    var widePlane: WidePlane {
        WidePlane(
            width: outputSize.width, height: outputSize.height, stride: outputStride, samples: wideSamples)
    }
}
