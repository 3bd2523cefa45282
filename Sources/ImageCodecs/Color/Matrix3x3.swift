/// A matrix of three rows, for linear colors.
///
/// Only the four basic operations are used, whose results are the same on every processor.
struct Matrix3x3: Equatable {
    /// The nine elements, row by row.
    var elements: [Double]

    init(_ elements: [Double]) {
        precondition(elements.count == 9)
        self.elements = elements
    }

    static func diagonal(_ values: [Double]) -> Matrix3x3 {
        Matrix3x3([values[0], 0, 0, 0, values[1], 0, 0, 0, values[2]])
    }

    static func * (lhs: Matrix3x3, rhs: Matrix3x3) -> Matrix3x3 {
        var product = [Double](repeating: 0, count: 9)
        for row in 0..<3 {
            for column in 0..<3 {
                for k in 0..<3 { product[row * 3 + column] += lhs.elements[row * 3 + k] * rhs.elements[k * 3 + column] }
            }
        }
        return Matrix3x3(product)
    }

    static func * (lhs: Matrix3x3, rhs: [Double]) -> [Double] {
        var product = [0.0, 0, 0]
        for row in 0..<3 {
            for k in 0..<3 { product[row] += lhs.elements[row * 3 + k] * rhs[k] }
        }
        return product
    }

    /// Returns the product with a column of three values. It makes no array, unlike the operator.
    @inline(__always)
    func applied(to r: Double, _ g: Double, _ b: Double) -> (Double, Double, Double) {
        let m = elements
        return (
            m[0] * r + m[1] * g + m[2] * b, m[3] * r + m[4] * g + m[5] * b, m[6] * r + m[7] * g + m[8] * b
        )
    }

    /// The inverse; `nil` if the rows are linearly dependent, or nearly so.
    var inverse: Matrix3x3? {
        let m = elements
        func cofactor(_ row: Int, _ column: Int) -> Double {
            let (r1, r2) = ((row + 1) % 3, (row + 2) % 3), (c1, c2) = ((column + 1) % 3, (column + 2) % 3)
            return m[r1 * 3 + c1] * m[r2 * 3 + c2] - m[r1 * 3 + c2] * m[r2 * 3 + c1]
        }
        let determinant: Double = m[0] * cofactor(0, 0) + m[1] * cofactor(0, 1) + m[2] * cofactor(0, 2)
        guard determinant.magnitude > 1e-9 else { return nil }
        return Matrix3x3((0..<9).map { cofactor($0 % 3, $0 / 3) / determinant })
    }

    /// The largest difference between two elements.
    func maxDifference(from other: Matrix3x3) -> Double {
        zip(elements, other.elements).map { ($0 - $1).magnitude }.max() ?? 0
    }
}

/// The chromaticities of red, green, blue and white, in CIE 1931.
struct Chromaticities: Hashable {
    /// The coordinates x and y, in units of 0.00001.
    var red, green, blue, white: [Int]

    static let rec709 = Chromaticities(
        red: [64_000, 33_000], green: [30_000, 60_000], blue: [15_000, 6_000], white: [31_270, 32_900])

    /// The matrix from linear RGB to XYZ relative to D50; `nil` if the colors are not independent.
    ///
    /// White is adapted with the Bradford transform. Source: ICC.1:2022, annex E.
    var matrixToXYZ: Matrix3x3? {
        guard let whitePoint = Self.xyz(of: white), let r = Self.xyz(of: red), let g = Self.xyz(of: green),
            let b = Self.xyz(of: blue)
        else { return nil }
        let primaries = Matrix3x3([r[0], g[0], b[0], r[1], g[1], b[1], r[2], g[2], b[2]])
        guard let inverse = primaries.inverse, let adaptation = Self.adaptation(from: whitePoint) else { return nil }
        return adaptation * primaries * .diagonal(inverse * whitePoint)
    }

    private static let bradford = Matrix3x3([
        0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296,
    ])
    private static let d50 = [0.9642, 1, 0.8249]

    /// Returns the color with luminance 1, or `nil` if y is not positive.
    private static func xyz(of point: [Int]) -> [Double]? {
        let (x, y) = (Double(point[0]) / 100_000, Double(point[1]) / 100_000)
        return y > 0 ? [x / y, 1, (1 - x - y) / y] : nil
    }

    private static func adaptation(from white: [Double]) -> Matrix3x3? {
        let source = bradford * white, target = bradford * d50
        guard source.allSatisfy({ $0 > 0 }), let inverse = bradford.inverse else { return nil }
        return inverse * .diagonal(zip(target, source).map { $0 / $1 }) * bradford
    }
}

extension Matrix3x3 {
    static let identity = diagonal([1, 1, 1])

    /// Whether this matrix to XYZ is that of sRGB, within a small tolerance: profiles round its elements differently.
    var isThatOfSRGB: Bool { (Self.xyzToLinearSRGB * self).maxDifference(from: .identity) <= 0.005 }

    /// The matrix from XYZ relative to D50 to linear sRGB.
    static let xyzToLinearSRGB: Matrix3x3 = {
        guard let inverse = Chromaticities.rec709.matrixToXYZ?.inverse else { preconditionFailure("a regular matrix") }
        return inverse
    }()
}
