/// A conversion of Y, Cb and Cr to Y, Cb and Cr, as a table with trilinear interpolation.
///
/// The table has 33 nodes along each axis, 8 levels apart: at 0, 8, …, 256. The layout of its cells is described in
/// `pixel_kernels.h`.
package struct ColorConversionTable: Sendable {
    /// The number of nodes along an axis.
    package static let axisNodeCount = 33
    /// The distance between two nodes, in levels.
    package static let nodeDistance = 8
    /// The number of nodes.
    package static let nodeCount = axisNodeCount * axisNodeCount * axisNodeCount
    /// The value of a node for one level.
    package static let levelScale = 64

    /// The number of cells along an axis.
    private static let axisCellCount = axisNodeCount - 1
    /// The number of cells.
    static let cellCount = axisCellCount * axisCellCount * axisCellCount

    /// For each cell, Y at its 8 corners.
    let lumaCells: ContiguousArray<Int16>
    /// For each cell, Cb at its 8 corners, and then Cr.
    let chromaCells: ContiguousArray<Int16>

    /// The weights of a cell's corners, for each of the 512 places in it.
    static let cornerWeights: ContiguousArray<Int16> = {
        var weights: ContiguousArray<Int16> = []
        weights.reserveCapacity(4096)
        for place in 0..<512 {
            let (cb, cr, y) = (place >> 6, place >> 3 & 7, place & 7)
            for corner in 0..<8 {
                let weight =
                    (corner & 4 == 0 ? 8 - cb : cb) * (corner & 2 == 0 ? 8 - cr : cr) * (corner & 1 == 0 ? 8 - y : y)
                weights.append(Int16(weight))
            }
        }
        return weights
    }()

    /// Creates a table from its nodes, in the order of Cb, Cr, Y, of which Y varies fastest.
    ///
    /// - Parameters:
    ///   - y: The result's Y at each node, times ``levelScale``.
    ///   - cb: Its Cb.
    ///   - cr: Its Cr.
    package init(y: [Int16], cb: [Int16], cr: [Int16]) {
        precondition([y, cb, cr].allSatisfy { $0.count == Self.nodeCount })
        lumaCells = Self.cells(of: [y])
        chromaCells = Self.cells(of: [cb, cr])
    }

    /// A checksum of all nodes (FNV-1a), for comparisons of machines.
    package var checksum: UInt64 {
        [lumaCells, chromaCells].joined().reduce(0xCBF2_9CE4_8422_2325) { checksum, value in
            (checksum ^ UInt64(UInt16(bitPattern: value))) &* 0x100_0000_01B3
        }
    }

    private static func cells(of components: [[Int16]]) -> ContiguousArray<Int16> {
        var cells = ContiguousArray<Int16>(repeating: 0, count: cellCount * components.count * 8)
        for (index, nodes) in components.enumerated() {
            fillCells(&cells, from: index * 8, distance: components.count * 8, with: nodes)
        }
        return cells
    }

    /// Stores the values of all cells' corners, of which the first cell's are at `start`, and the next `distance` on.
    private static func fillCells(
        _ cells: inout ContiguousArray<Int16>, from start: Int, distance: Int, with nodes: [Int16]
    ) {
        let n = axisNodeCount
        var values = cells.mutableSpan, position = start
        for cb in 0..<axisCellCount {
            for cr in 0..<axisCellCount {
                for y in 0..<axisCellCount {
                    let first = (cb * n + cr) * n + y
                    for edge in 0..<4 {
                        let corner = first + (edge & 1) * n + (edge >> 1) * n * n
                        values[position + 2 * edge] = nodes[corner]
                        values[position + 2 * edge + 1] = nodes[corner + 1]
                    }
                    position += distance
                }
            }
        }
    }
}
