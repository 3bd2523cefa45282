/// A function from a device value to a linear one, both from 0 to 1, as samples with linear interpolation.
///
/// Source: ICC.1:2022, 10.6 (`curveType`) and 10.18 (`parametricCurveType`). Results do not depend on a math library.
struct ToneCurve: Equatable {
    private static let intervalCount = 1024

    private let samples: [Double]

    /// Creates a curve from a function, whose results are clamped to 0 to 1.
    init(_ function: (Double) -> Double) {
        samples = (0...Self.intervalCount).map { min(max(function(Double($0) / Double(Self.intervalCount)), 0), 1) }
    }

    /// Reads the curve of a tag, or returns `nil` if it is invalid.
    init?(tag range: Range<Int>, of bytes: [UInt8]) {
        var reader = ByteReader(bytes, in: range)
        let isParametric = reader.hasASCIIPrefix("para")
        guard isParametric || reader.hasASCIIPrefix("curv"), reader.seek(to: range.lowerBound + 8) else { return nil }
        if isParametric {
            self.init(parametric: &reader)
        } else {
            self.init(curve: &reader)
        }
    }

    private init?(curve reader: inout ByteReader) {
        guard let count = reader.readUInt32(), count * 2 <= reader.remainingByteCount else { return nil }
        if count == 0 {
            self.init { $0 }
        } else if count == 1 {
            guard let gamma = reader.readUInt16(), gamma > 0 else { return nil }
            self.init { Self.power($0, Double(gamma) / 256) }
        } else {
            let entries = (0..<count).compactMap { _ in reader.readUInt16() }
            self.init { value in
                let position = value * Double(count - 1)
                let index = min(Int(position), count - 2)
                let (lower, upper) = (Double(entries[index]) / 65_535, Double(entries[index + 1]) / 65_535)
                return lower + (upper - lower) * (position - Double(index))
            }
        }
    }

    /// The number of parameters of each type of function.
    private static let parameterCounts = [1, 3, 4, 5, 7]

    private init?(parametric reader: inout ByteReader) {
        guard let type = reader.readUInt16(), type < Self.parameterCounts.count, reader.readUInt16() != nil
        else { return nil }
        var p: [Double] = []
        for _ in 0..<Self.parameterCounts[type] {
            guard let value = reader.readS15Fixed16() else { return nil }
            p.append(value)
        }
        switch type {
        case 0: self.init { Self.power($0, p[0]) }
        case 1:
            guard p[1] != 0 else { return nil }
            self.init { $0 >= -p[2] / p[1] ? Self.power(p[1] * $0 + p[2], p[0]) : 0 }
        case 2:
            guard p[1] != 0 else { return nil }
            self.init { $0 >= -p[2] / p[1] ? Self.power(p[1] * $0 + p[2], p[0]) + p[3] : p[3] }
        case 3: self.init { $0 >= p[4] ? Self.power(p[1] * $0 + p[2], p[0]) : p[3] * $0 }
        default: self.init { $0 >= p[4] ? Self.power(p[1] * $0 + p[2], p[0]) + p[5] : p[3] * $0 + p[6] }
        }
    }

    /// The linear value of a device value from 0 to 1.
    func callAsFunction(_ value: Double) -> Double {
        let position = value * Double(Self.intervalCount)
        let index = min(Int(position), Self.intervalCount - 1)
        return samples[index] + (samples[index + 1] - samples[index]) * (position - Double(index))
    }

    /// Whether the curve is sRGB's with a difference of at most one of 255 levels.
    var isSRGB: Bool {
        samples.indices.allSatisfy { index in
            let value = Double(index) / Double(Self.intervalCount)
            return (SRGBTransferFunction.encoded(fromLinear: samples[index]) - value).magnitude <= 1 / 255
        }
    }

    /// Returns a power of any base. It is 0 for a base of 0 or below, and limited to a range that a curve needs.
    static func power(_ base: Double, _ exponent: Double) -> Double {
        if base <= 0 { return 0 }
        let (base, exponent) = base > 1 ? (1 / base, -exponent) : (base, exponent)
        return exponent >= 0
            ? PortableMath.power(base: base, exponent: exponent)
            : 1 / max(PortableMath.power(base: base, exponent: -exponent), 1e-6)
    }
}

extension ByteReader {
    /// Reads a signed number with 16 fractional bits.
    mutating func readS15Fixed16() -> Double? {
        readUInt32().map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
    }
}
