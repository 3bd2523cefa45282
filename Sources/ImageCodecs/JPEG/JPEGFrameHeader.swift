internal import Imaging

/// The frame header of a JPEG: the coding process, the size and the components.
///
/// Source: ITU-T T.81, B.2.2.
struct JPEGFrameHeader {
    /// The coding process of the coefficients.
    enum CodingProcess {
        case baseline, extended, progressive, arithmetic, arithmeticProgressive

        var isProgressive: Bool { self == .progressive || self == .arithmeticProgressive }
        var isArithmetic: Bool { self == .arithmetic || self == .arithmeticProgressive }
    }

    struct FrameComponent {
        var identifier: Int
        var horizontalSampling: Int
        var verticalSampling: Int
        var quantizationTableIndex: Int
    }

    var codingProcess: CodingProcess
    var width: Int
    /// The height, in pixels; 0 if it is defined after the first scan.
    var height: Int
    var components: [FrameComponent]
    /// Whether the height is in the frame header, and not in a DNL segment after the first scan.
    let hasHeight: Bool
    /// The offset of the two bytes of the height.
    var heightOffset: Int

    /// Reads the frame header in `segment`.
    ///
    /// - Throws: `unsupported-…` for a process that is not supported, ``CodecError/Code/unsupportedColor`` and
    ///   ``CodecError/Code/damaged``.
    init(fileBytes bytes: [UInt8], segment: JPEGStructure.MarkerSegment) throws(CodecError) {
        let offset = segment.range.lowerBound
        codingProcess = try Self.codingProcess(forMarker: segment.marker, at: offset)
        var reader = ByteReader(bytes, in: segment.payloadRange)
        let precision = reader.readUInt8()
        heightOffset = reader.position
        guard let precision, let height = reader.readUInt16(), let width = reader.readUInt16(),
            let count = reader.readUInt8(),
            reader.remainingByteCount == 3 * count, count > 0
        else {
            throw CodecError(.damaged, stage: .probe, offset: offset, message: "the frame header's length is wrong")
        }
        if precision == 12 {
            throw CodecError(
                .unsupportedFormat("12-bit-jpeg"), stage: .probe, offset: offset,
                message: "JPEG with 12 bits per sample is not supported; export it with 8")
        }
        if precision != 8 {
            throw CodecError(
                .damaged, stage: .probe, offset: offset, message: "the header states \(precision) bits per sample")
        }
        if ![1, 3, 4].contains(count) {
            throw CodecError(
                .unsupportedColor, stage: .probe, offset: offset,
                message: "the color model of \(count) components is unknown")
        }
        (self.width, self.height, hasHeight) = (width, height, height != 0)
        components = []
        for _ in 0..<count {
            guard let identifier = reader.readUInt8(), let sampling = reader.readUInt8(), let table = reader.readUInt8()
            else {
                break
            }
            components.append(
                FrameComponent(
                    identifier: identifier, horizontalSampling: sampling >> 4, verticalSampling: sampling & 15,
                    quantizationTableIndex: table
                ))
        }
        guard
            components.allSatisfy({ (1...4).contains($0.horizontalSampling) && (1...4).contains($0.verticalSampling) })
        else {
            throw CodecError(
                .damaged, stage: .probe, offset: offset, message: "a sampling factor is not between 1 and 4")
        }
    }

    /// Returns the indices in the frame of a scan's components.
    ///
    /// If identifiers are not unique, each matches the first component that the scan has not named yet, as in libjpeg.
    func componentIndices(forIdentifiers identifiers: [Int]) -> [Int] {
        identifiers.reduce(into: []) { matched, identifier in
            let next = components.indices.first { components[$0].identifier == identifier && !matched.contains($0) }
            if let next { matched.append(next) }
        }
    }

    private static func codingProcess(forMarker marker: UInt8, at offset: Int) throws(CodecError) -> CodingProcess {
        switch marker {
        case 0xC0: return .baseline
        case 0xC1: return .extended
        case 0xC2: return .progressive
        case 0xC9: return .arithmetic
        case 0xCA: return .arithmeticProgressive
        case 0xC3, 0xCB:
            throw CodecError(
                .unsupportedFormat("lossless-jpeg"), stage: .probe, offset: offset,
                message: "lossless JPEG is not supported; export it as standard JPEG or PNG")
        default:
            throw CodecError(
                .unsupportedFormat("hierarchical-jpeg"), stage: .probe, offset: offset,
                message: "hierarchical JPEG is not supported; export it as standard JPEG or PNG")
        }
    }

    /// The number of pixels for one sample of the chroma component with the fewest; none unless there are three
    /// components.
    var chromaSubsampling: ChromaSubsampling {
        guard components.count == 3 else { return .none }
        func factor(_ sampling: KeyPath<FrameComponent, Int>) -> Int {
            let samplings = components.map { $0[keyPath: sampling] }
            return (samplings.max() ?? 1).dividedRoundingUp(by: min(samplings[1], samplings[2]))
        }
        return ChromaSubsampling(
            horizontalFactor: factor(\.horizontalSampling), verticalFactor: factor(\.verticalSampling))
    }

    /// The number of pixels for each chroma sample, or 0 if there is only one component.
    var pixelsPerChromaSample: Int {
        components.count > 1 ? chromaSubsampling.horizontalFactor * chromaSubsampling.verticalFactor : 0
    }

    /// The size of all coefficients, in bytes. libjpeg keeps them if the components are not in a single scan.
    var coefficientByteCount: Int {
        let across = components.map(\.horizontalSampling).max() ?? 1,
            down = components.map(\.verticalSampling).max() ?? 1
        return components.reduce(0) { sum, component in
            let columns = width.dividedRoundingUp(by: 8 * across) * component.horizontalSampling
            let rows = height.dividedRoundingUp(by: 8 * down) * component.verticalSampling
            return sum + columns * rows * 64 * 2
        }
    }
}
