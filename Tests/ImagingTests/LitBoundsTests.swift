import TestSupport
import Testing

@testable import Imaging

@Suite("Black margins")
struct LitBoundsTests {
    /// A dark plane of 20 by 12 samples with a bright rectangle.
    private func plane(columns: Range<Int>, rows: Range<Int>, dark: UInt8 = 24, bright: UInt8 = 25) -> Plane {
        Plane(width: 20, height: 12) { columns.contains($0) && rows.contains($1) ? bright : dark }
    }

    @Test(
        "The bounds are those of the samples brighter than 24",
        arguments: [(0..<20, 0..<12), (1..<20, 0..<11), (5..<9, 4..<8), (16..<20, 8..<12), (3..<18, 2..<9)])
    func boundsOfBrightRectangle(columns: Range<Int>, rows: Range<Int>) {
        #expect(plane(columns: columns, rows: rows).litBounds == SampleBounds(columns: columns, rows: rows))
    }

    @Test(
        "Up to three bright samples in a row or column do not make it lit",
        arguments: [(7..<10, 0..<12), (0..<20, 3..<6)])
    func fewBrightSamplesAreNoImage(columns: Range<Int>, rows: Range<Int>) {
        // Without a lit row or column the whole plane counts.
        #expect(plane(columns: columns, rows: rows).litBounds == SampleBounds(columns: 0..<20, rows: 0..<12))
    }

    @Test("A dark plane has no margins")
    func darkPlaneIsWhole() {
        #expect(plane(columns: 0..<0, rows: 0..<0).litBounds == SampleBounds(columns: 0..<20, rows: 0..<12))
    }

    @Test(
        "Lengths are cut to multiples at both ends; if the rest is odd, the darker end loses one more sample",
        arguments: [
            (0..<16, 0..<16, 0..<8), (2..<20, 3..<19, 0..<8), (2..<19, 3..<19, 0..<8), (0..<19, 2..<18, 0..<8),
            (1..<8, 5..<5, 0..<8),
        ])
    func boundsAreCutToMultiples(columns: Range<Int>, expected: Range<Int>, rows: Range<Int>) {
        // Each column is brighter than the one before it.
        let plane = Plane(width: 20, height: 12) { x, _ in UInt8(100 + x) }
        let bounds = plane.bounds(SampleBounds(columns: columns, rows: rows), cutToMultiplesOf: 8)
        #expect(bounds == SampleBounds(columns: expected, rows: rows))
    }
}
