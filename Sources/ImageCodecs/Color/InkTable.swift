/// A conversion of CMYK to sRGB, as a table with interpolation among the five corners of a simplex.
package struct InkTable: Sendable {
    /// The number of nodes along each axis. Little CMS takes about a third of a microsecond for each node.
    static let axisNodeCount = 13
    /// The value of a node for one level.
    private static let levelScale = 128

    /// Red, green and blue of each node, of which the axis of K varies fastest.
    private let nodes: [Int16]
    /// For each amount of ink, the index of the node below it, and its distance from there in 1/256 of an interval.
    private let places: [(node: Int, fraction: Int32)]

    /// Creates a table from encoded sRGB from 0 to 1, three numbers for each node.
    init(encodedSRGB values: [Double]) {
        let n = Self.axisNodeCount
        precondition(values.count == n * n * n * n * 3)
        nodes = values.map {
            Int16((min(max($0, 0), 1) * 255 * Double(Self.levelScale)).rounded(.toNearestOrAwayFromZero))
        }
        places = (0...255).map { ink in
            let position = (ink * (n - 1) * 256 + 127) / 255
            let node = min(position >> 8, n - 2)
            return (node, Int32(position - node << 8))
        }
    }

    /// The amounts of ink at all nodes from 0 to 1, four numbers each.
    static var nodeColors: [Double] {
        let steps = (0..<axisNodeCount).map { Double($0) / Double(axisNodeCount - 1) }
        var colors: [Double] = []
        colors.reserveCapacity(axisNodeCount * axisNodeCount * axisNodeCount * axisNodeCount * 4)
        for c in steps {
            for m in steps {
                for y in steps {
                    for k in steps { colors += [c, m, y, k] }
                }
            }
        }
        return colors
    }

    /// Converts amounts of ink from 0 to 255 to red, green and blue.
    func rgb(c: UInt8, m: UInt8, y: UInt8, k: UInt8) -> (r: UInt8, g: UInt8, b: UInt8) {
        let n = Self.axisNodeCount
        let (pc, pm, py, pk) = (places[Int(c)], places[Int(m)], places[Int(y)], places[Int(k)])
        var first = (fraction: pc.fraction, step: n * n * n), second = (fraction: pm.fraction, step: n * n)
        var third = (fraction: py.fraction, step: n), fourth = (fraction: pk.fraction, step: 1)
        // From the greatest fraction to the least, which is the order of the corners.
        if first.fraction < second.fraction { swap(&first, &second) }
        if third.fraction < fourth.fraction { swap(&third, &fourth) }
        if first.fraction < third.fraction { swap(&first, &third) }
        if second.fraction < fourth.fraction { swap(&second, &fourth) }
        if second.fraction < third.fraction { swap(&second, &third) }
        let corner = ((pc.node * n + pm.node) * n + py.node) * n + pk.node
        let corners = (
            corner, corner + first.step, corner + first.step + second.step,
            corner + first.step + second.step + third.step,
            corner + first.step + second.step + third.step + fourth.step
        )
        func channel(_ index: Int) -> UInt8 {
            var sum: Int32 = 1 << 14
            sum += Int32(nodes[corners.0 * 3 + index]) * (256 - first.fraction)
            sum += Int32(nodes[corners.1 * 3 + index]) * (first.fraction - second.fraction)
            sum += Int32(nodes[corners.2 * 3 + index]) * (second.fraction - third.fraction)
            sum += Int32(nodes[corners.3 * 3 + index]) * (third.fraction - fourth.fraction)
            sum += Int32(nodes[corners.4 * 3 + index]) * fourth.fraction
            return UInt8(clamping: sum >> 15)
        }
        return (channel(0), channel(1), channel(2))
    }
}
