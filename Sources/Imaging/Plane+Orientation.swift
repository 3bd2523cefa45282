// `unsafe`: passes the addresses of two planes' samples to C, which accesses them within the given sizes.

internal import CPixelKernels

extension Plane {
    /// Returns this plane with `orientation` applied, or the plane itself if it is already upright.
    func oriented(by orientation: Orientation) -> Plane {
        if orientation == .up { return self }
        let isTransposed = orientation.swapsWidthAndHeight
        var upright = Plane(width: isTransposed ? height : width, height: isTransposed ? width : height)
        // A mirrored axis is traversed from its far end.
        let rows = AxisTraversal(count: height, stride: stride, isReversed: orientation.mirrorsStoredRows)
        let columns = AxisTraversal(count: width, stride: upright.stride, isReversed: orientation.mirrorsStoredColumns)
        precondition(hasAllSamples && upright.hasAllSamples)
        unsafe samples.withUnsafeBufferPointer { [width, height, stride] source in
            unsafe upright.samples.withUnsafeMutableBufferPointer { target in
                guard let source = source.baseAddress, let target = target.baseAddress else { return }
                if isTransposed {
                    unsafe prep_transpose_samples(
                        source + rows.startOffset, rows.step, Int32(width), Int32(height), target + columns.startOffset,
                        columns.step)
                    return
                }
                for y in 0..<height {
                    let row = unsafe source + rows.startOffset + y * rows.step, uprightRow = unsafe target + y * stride
                    if orientation.mirrorsStoredColumns {
                        unsafe prep_reverse_samples(row, Int32(width), uprightRow)
                    } else {
                        unsafe uprightRow.update(from: row, count: width)
                    }
                }
            }
        }
        upright.padRowsToStride()
        return upright
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
