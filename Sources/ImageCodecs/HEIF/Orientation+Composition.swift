internal import Imaging

extension Orientation {
    /// The transform that mirrors the upright result of this one at its vertical axis, so that left becomes right.
    var mirroredHorizontally: Orientation {
        swapsWidthAndHeight ? mirroringStored(rows: true) : mirroringStored(columns: true)
    }

    /// The transform that mirrors the upright result of this one at its horizontal axis, so that top becomes bottom.
    var mirroredVertically: Orientation {
        swapsWidthAndHeight ? mirroringStored(columns: true) : mirroringStored(rows: true)
    }

    /// The transform that also rotates the result of this one by 90° counterclockwise.
    var rotatedCounterclockwise: Orientation { mirroredHorizontally.transposed }

    /// The transform that also exchanges the rows and columns of the result of this one.
    private var transposed: Orientation {
        Self.orientation(
            swapsAxes: !swapsWidthAndHeight, mirrorsColumns: mirrorsStoredColumns, mirrorsRows: mirrorsStoredRows)
    }

    private func mirroringStored(columns: Bool = false, rows: Bool = false) -> Orientation {
        Self.orientation(
            swapsAxes: swapsWidthAndHeight, mirrorsColumns: mirrorsStoredColumns != columns,
            mirrorsRows: mirrorsStoredRows != rows)
    }

    /// Returns the transform that mirrors the stored columns and rows, and then exchanges them.
    private static func orientation(swapsAxes: Bool, mirrorsColumns: Bool, mirrorsRows: Bool) -> Orientation {
        switch (swapsAxes, mirrorsColumns, mirrorsRows) {
        case (false, false, false): .up
        case (false, true, false): .upMirrored
        case (false, true, true): .down
        case (false, false, true): .downMirrored
        case (true, false, false): .leftMirrored
        case (true, false, true): .right
        case (true, true, true): .rightMirrored
        case (true, true, false): .left
        }
    }
}
