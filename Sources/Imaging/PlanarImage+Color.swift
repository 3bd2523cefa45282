// `unsafe`: passes the addresses of planes to C, which accesses them within the given sizes.

internal import CPixelKernels

extension PlanarImage {
    /// Converts the colors of a color image by a table.
    ///
    /// Luma is converted at its own resolution, with the chroma sample that covers it. Chroma is converted at its own,
    /// with the mean of the luma that it covers.
    ///
    /// - Parameters:
    ///   - table: The conversion.
    ///   - instructionSet: The instruction set to use. An unavailable set is replaced by `.portable`.
    /// - Complexity: Linear in the samples.
    package mutating func convertColors(
        with table: ColorConversionTable, instructionSet: InstructionSet = .selected
    ) {
        precondition(planes.count == 3)
        var conversion = RowColorConversion(
            planes: planes, subsampling: chromaSubsampling, table: table,
            kernels: PixelKernels(instructionSet: instructionSet))
        // The samples are moved out of the planes, since a second reference would copy them. If another thread measures
        // the image, they are copied nevertheless.
        var samples = planes.indices.map { takeSamples(ofPlane: $0) }
        for row in 0..<planes[1].height { conversion.convertRows(ofChromaRow: row, samples: &samples) }
        for index in planes.indices { planes[index].samples = samples[index] }
    }

    /// Replaces each sample of a gray image by the value at its index in `table`, which has 256 values.
    package mutating func convertGray(with table: [UInt8]) {
        precondition(planes.count == 1 && table.count == 256)
        var samples = takeSamples(ofPlane: 0)
        var span = samples.mutableSpan
        for index in span.indices { span[index] = table[Int(span[index])] }
        planes[0].samples = samples
    }

    private mutating func takeSamples(ofPlane index: Int) -> ContiguousArray<UInt8> {
        var samples: ContiguousArray<UInt8> = []
        swap(&samples, &planes[index].samples)
        return samples
    }
}

/// Converts one row of chroma and the rows of luma that it covers at a time.
private struct RowColorConversion {
    private let luma, chroma: PlaneGeometry
    private let subsampling: ChromaSubsampling
    private let table: ColorConversionTable
    private let kernels: PixelKernels
    /// A row of chroma at the luma's resolution.
    private var cb, cr: ContiguousArray<UInt8>
    /// The mean of the luma of each chroma sample.
    private var means: ContiguousArray<UInt8>

    init(planes: [Plane], subsampling: ChromaSubsampling, table: ColorConversionTable, kernels: PixelKernels) {
        luma = PlaneGeometry(planes[0])
        chroma = PlaneGeometry(planes[1])
        precondition(PlaneGeometry(planes[2]) == chroma)
        precondition(luma.width.dividedRoundingUp(by: subsampling.horizontalFactor) == chroma.width)
        precondition(luma.height.dividedRoundingUp(by: subsampling.verticalFactor) == chroma.height)
        self.subsampling = subsampling
        self.table = table
        self.kernels = kernels
        cb = ContiguousArray(repeating: 0, count: luma.stride)
        cr = cb
        means = ContiguousArray(repeating: 0, count: chroma.stride)
    }

    mutating func convertRows(ofChromaRow row: Int, samples: inout [ContiguousArray<UInt8>]) {
        let start = row * chroma.stride, firstRow = row * subsampling.verticalFactor
        let rowCount = min(subsampling.verticalFactor, luma.height - firstRow)
        averageLuma(samples[0], firstRow: firstRow, rowCount: rowCount)
        repeatChroma(samples[1], at: start, into: \.cb)
        repeatChroma(samples[2], at: start, into: \.cr)
        for y in firstRow..<(firstRow + rowCount) {
            kernels.convertLuma(&samples[0], at: y * luma.stride, cb: cb.span, cr: cr.span, with: table)
        }
        // Two elements of one array cannot be changed at the same time.
        var bluish: ContiguousArray<UInt8> = []
        swap(&bluish, &samples[1])
        kernels.convertChroma(cb: &bluish, cr: &samples[2], at: start, luma: means.span, with: table)
        swap(&bluish, &samples[1])
    }

    private mutating func averageLuma(_ samples: ContiguousArray<UInt8>, firstRow: Int, rowCount: Int) {
        precondition((firstRow + rowCount) * luma.stride <= samples.count && luma.width <= luma.stride)
        unsafe samples.withUnsafeBufferPointer { rows in
            unsafe means.withUnsafeMutableBufferPointer { target in
                guard let rows = rows.baseAddress, let target = target.baseAddress else { return }
                unsafe prep_average_samples(
                    rows + firstRow * luma.stride, luma.stride, Int32(rowCount), Int32(subsampling.horizontalFactor),
                    Int32(luma.width), target)
            }
        }
        // The padding is converted like the last sample, which it repeats.
        for x in chroma.width..<chroma.stride { means[x] = means[chroma.width - 1] }
    }

    private mutating func repeatChroma(
        _ samples: ContiguousArray<UInt8>, at start: Int,
        into row: WritableKeyPath<RowColorConversion, ContiguousArray<UInt8>>
    ) {
        precondition(start + chroma.stride <= samples.count)
        precondition(chroma.stride * subsampling.horizontalFactor >= luma.stride)
        let (factor, count) = (Int32(subsampling.horizontalFactor), Int32(luma.stride))
        unsafe samples.withUnsafeBufferPointer { source in
            unsafe self[keyPath: row].withUnsafeMutableBufferPointer { target in
                guard let source = source.baseAddress, let target = target.baseAddress else { return }
                unsafe prep_repeat_samples(source + start, factor, count, target)
            }
        }
    }
}

/// The size of a plane's rows.
private struct PlaneGeometry: Equatable {
    let width, height, stride: Int

    init(_ plane: Plane) { (width, height, stride) = (plane.width, plane.height, plane.stride) }
}
