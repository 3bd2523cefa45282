// `unsafe`: passes the addresses of two planes' samples to C, which accesses them within the given sizes.

internal import CPixelKernels

extension Plane {
    /// Returns this plane with `orientation` applied, or the plane itself if it is already upright.
    func oriented(by orientation: Orientation) -> Plane {
        if orientation == .up { return self }
        let uprightSize = orientation.orientedSize(of: size)
        var upright = Plane(width: uprightSize.width, height: uprightSize.height)
        upright.copyStoredRows(of: self, count: height, at: 0, orientation: orientation)
        upright.padRowsToStride()
        return upright
    }

    /// Copies rows of a plane that is stored with `orientation` to where they are in this plane, which is upright.
    ///
    /// - Parameters:
    ///   - rows: The plane that begins with the rows.
    ///   - rowCount: The number of rows.
    ///   - firstRow: The index of the first of them in the stored plane.
    ///   - orientation: The orientation of the stored plane.
    /// - Precondition: The stored plane, turned upright, has the size of this plane.
    mutating func copyStoredRows(of rows: Plane, count rowCount: Int, at firstRow: Int, orientation: Orientation) {
        // Turning swaps the sides, and swaps them back.
        let storedSize = orientation.orientedSize(of: size)
        precondition(rows.width == storedSize.width && 0...rows.height ~= rowCount)
        precondition(firstRow >= 0 && firstRow + rowCount <= storedSize.height)
        precondition(rows.hasAllSamples && hasAllSamples)
        // A mirrored axis is traversed from its far end.
        let sourceRows = AxisTraversal(
            count: rowCount, stride: rows.stride, isReversed: orientation.mirrorsStoredRows)
        let targetRows = AxisTraversal(
            count: storedSize.width, stride: stride, isReversed: orientation.mirrorsStoredColumns)
        let position = orientation.mirrorsStoredRows ? storedSize.height - firstRow - rowCount : firstRow
        unsafe rows.samples.withUnsafeBufferPointer { [stride] source in
            unsafe samples.withUnsafeMutableBufferPointer { target in
                guard let source = source.baseAddress, let target = target.baseAddress else { return }
                if orientation.swapsWidthAndHeight {
                    unsafe prep_transpose_samples(
                        source + sourceRows.startOffset, sourceRows.step, Int32(storedSize.width), Int32(rowCount),
                        target + targetRows.startOffset + position, targetRows.step)
                    return
                }
                for y in 0..<rowCount {
                    let row = unsafe source + sourceRows.startOffset + y * sourceRows.step
                    let uprightRow = unsafe target + (position + y) * stride
                    if orientation.mirrorsStoredColumns {
                        unsafe prep_reverse_samples(row, Int32(storedSize.width), uprightRow)
                    } else {
                        unsafe uprightRow.update(from: row, count: storedSize.width)
                    }
                }
            }
        }
    }
}

/// The offset of the first of several rows, and the step to the next.
private struct AxisTraversal {
    var startOffset: Int
    var step: Int

    init(count: Int, stride: Int, isReversed: Bool) {
        startOffset = isReversed ? (count - 1) * stride : 0
        step = isReversed ? -stride : stride
    }
}
