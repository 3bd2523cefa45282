internal import Imaging

/// A JPEG frame header: the process, the size and the components.
///
/// Source: ITU-T T.81, B.2.2.
struct JPEGFrame {
    /// How the coefficients are coded.
    enum Process {
        case baseline, extended, progressive, arithmetic, arithmeticProgressive

        var isProgressive: Bool { self == .progressive || self == .arithmeticProgressive }
        var isArithmetic: Bool { self == .arithmetic || self == .arithmeticProgressive }
    }

    struct Component {
        var identifier: Int
        var horizontal: Int
        var vertical: Int
        var quantizationTable: Int
    }

    var process: Process
    var width: Int
    /// Zero where the file states it behind the first scan.
    var height: Int
    var components: [Component]
    /// Where the two bytes of the height are.
    var heightOffset: Int

    /// Reads the frame header `segment`.
    ///
    /// - Throws: `unsupported-...` for the processes that are not read, and `damaged`.
    init(_ bytes: [UInt8], _ segment: JPEGStructure.Segment) throws(CodecError) {
        let offset = segment.range.lowerBound
        process = try Self.process(segment.marker, at: offset)
        var reader = ByteReader(bytes, in: segment.payload)
        let precision = reader.uint8()
        heightOffset = reader.position
        guard let precision, let height = reader.uint16(), let width = reader.uint16(), let count = reader.uint8(),
            reader.remaining == 3 * count, count > 0
        else { throw CodecError(.damaged, .probe, offset: offset, "the frame header's length is wrong") }
        if precision == 12 {
            throw CodecError(
                .unsupported("12-bit-jpeg"), .probe, offset: offset,
                "a JPEG of 12 bits a sample is not read; export it with 8")
        }
        if precision != 8 {
            throw CodecError(.damaged, .probe, offset: offset, "the header states \(precision) bits a sample")
        }
        if ![1, 3, 4].contains(count) {
            throw CodecError(
                .unsupportedColor, .probe, offset: offset, "\(count) components are of no known colour model")
        }
        (self.width, self.height) = (width, height)
        components = []
        for _ in 0..<count {
            guard let identifier = reader.uint8(), let sampling = reader.uint8(), let table = reader.uint8() else {
                break
            }
            components.append(
                Component(
                    identifier: identifier, horizontal: sampling >> 4, vertical: sampling & 15, quantizationTable: table
                ))
        }
        guard components.allSatisfy({ (1...4).contains($0.horizontal) && (1...4).contains($0.vertical) }) else {
            throw CodecError(.damaged, .probe, offset: offset, "a sampling factor is not between 1 and 4")
        }
    }

    /// The components that a scan names, by their place in the frame. Where identifiers are not unique, each stands for
    /// the first component that the scan hasn't named yet, as libjpeg has it.
    func indices(of identifiers: [Int]) -> [Int] {
        identifiers.reduce(into: []) { found, identifier in
            let next = components.indices.first { components[$0].identifier == identifier && !found.contains($0) }
            if let next { found.append(next) }
        }
    }

    private static func process(_ marker: UInt8, at offset: Int) throws(CodecError) -> Process {
        switch marker {
        case 0xC0: return .baseline
        case 0xC1: return .extended
        case 0xC2: return .progressive
        case 0xC9: return .arithmetic
        case 0xCA: return .arithmeticProgressive
        case 0xC3, 0xCB:
            throw CodecError(
                .unsupported("lossless-jpeg"), .probe, offset: offset,
                "a lossless JPEG is not read; export it as ordinary JPEG or PNG")
        default:
            throw CodecError(
                .unsupported("hierarchical-jpeg"), .probe, offset: offset,
                "a hierarchical JPEG is not read; export it as ordinary JPEG or PNG")
        }
    }

    /// Bytes that all coefficients take, which libjpeg keeps where components don't arrive together.
    var coefficientBytes: Int {
        let across = components.map(\.horizontal).max() ?? 1, down = components.map(\.vertical).max() ?? 1
        return components.reduce(0) { sum, component in
            let columns = width.dividedRoundingUp(by: 8 * across) * component.horizontal
            let rows = height.dividedRoundingUp(by: 8 * down) * component.vertical
            return sum + columns * rows * 64 * 2
        }
    }
}
