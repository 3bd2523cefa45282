// `unsafe`: passes the addresses of spans to the C kernels, after checking the ranges that those access.

internal import CPixelKernels

extension PixelKernels {
    /// Copies samples. A loop with checked indices takes ten times as long.
    static func copy(_ samples: Span<UInt8>, to target: inout ContiguousArray<UInt8>, at start: Int) {
        precondition(start >= 0 && start + samples.count <= target.count)
        unsafe samples.withUnsafeBufferPointer { samples in
            unsafe target.withUnsafeMutableBufferPointer { target in
                guard let source = samples.baseAddress, let target = target.baseAddress else { return }
                unsafe (target + start).update(from: source, count: samples.count)
            }
        }
    }

    /// Returns the rounded means of 2 by 2 samples, from a sample on. An odd row or column at the end is left out.
    static func halve(_ plane: Plane, fromColumn x: Int, row y: Int) -> Plane {
        let (width, height, stride) = ((plane.width - x) / 2, (plane.height - y) / 2, plane.stride)
        var half = Plane(width: width, height: height)
        precondition(x >= 0 && y >= 0 && plane.hasAllSamples && plane.width <= stride)
        unsafe plane.samples.withUnsafeBufferPointer { samples in
            unsafe half.samples.withUnsafeMutableBufferPointer { [halfStride = half.stride] target in
                guard let samples = samples.baseAddress, let target = target.baseAddress else { return }
                for row in 0..<height {
                    unsafe prep_average_samples(
                        samples + (y + 2 * row) * stride + x, stride, 2, 2, Int32(2 * width),
                        target + row * halfStride)
                }
            }
        }
        return half
    }

    /// Measures the fine detail of one row of places.
    ///
    /// - Parameters:
    ///   - plane: The samples. There are two more on each side of the places.
    ///   - x: The column of the first place's first sample.
    ///   - y: The row of the places' first samples.
    ///   - side: The number of samples along a side of a place, 16 or 8.
    ///   - count: The number of places.
    ///   - start: The index of the first result.
    ///   - energies: Receives four energies for each place.
    func measureGradients(
        of plane: Plane, x: Int, y: Int, side: Int, count: Int, at start: Int,
        into energies: inout ContiguousArray<UInt32>
    ) {
        precondition((side == 16 || side == 8) && count > 0 && x >= 2 && y >= 2)
        precondition(x + side * count + 2 <= plane.width && y + side + 2 <= plane.height)
        precondition(start >= 0 && start + DetailPlaces.directionCount * count <= energies.count)
        let (offset, stride, isHalfSize) = (y * plane.stride + x, plane.stride, side == 8)
        #if arch(x86_64)
            let kernel = unsafe usesAVX2 ? prep_measure_gradients_avx2 : prep_measure_gradients
        #else
            let kernel = unsafe prep_measure_gradients
        #endif
        let scratchCount = (side + 3) * (side * count + 2) + 2
        unsafe withUnsafeTemporaryAllocation(of: Int16.self, capacity: scratchCount) { scratch in
            unsafe plane.samples.withUnsafeBufferPointer { samples in
                unsafe energies.withUnsafeMutableBufferPointer { energies in
                    guard let samples = samples.baseAddress, let energies = energies.baseAddress,
                        let scratch = scratch.baseAddress
                    else { return }
                    unsafe kernel(samples + offset, stride, isHalfSize, Int32(count), scratch, energies + start)
                }
            }
        }
    }

    /// Adds up the differences between neighboring samples by their place in blocks of 8 by 8 samples.
    ///
    /// - Parameters:
    ///   - plane: The samples.
    ///   - bounds: The columns and rows to measure. There is at least one of each.
    /// - Returns: Eight sums for each axis, from the first column and row on.
    func measureBlocks(of plane: Plane, in bounds: SampleBounds) -> (columns: [UInt64], rows: [UInt64]) {
        precondition(bounds.columns.lowerBound >= 0 && bounds.columns.upperBound <= plane.width)
        precondition(bounds.rows.lowerBound >= 0 && bounds.rows.upperBound <= plane.height)
        precondition(!bounds.columns.isEmpty && !bounds.rows.isEmpty && bounds.columns.count < 1 << 24)
        var columnSums = [UInt64](repeating: 0, count: BlockingMeasure.blockSide), rowSums = columnSums
        let offset = bounds.rows.lowerBound * plane.stride + bounds.columns.lowerBound
        #if arch(x86_64)
            let kernel = unsafe usesAVX2 ? prep_measure_blocks_avx2 : prep_measure_blocks
        #else
            let kernel = unsafe prep_measure_blocks
        #endif
        unsafe plane.samples.withUnsafeBufferPointer { samples in
            unsafe columnSums.withUnsafeMutableBufferPointer { columnSums in
                unsafe rowSums.withUnsafeMutableBufferPointer { rowSums in
                    guard let samples = samples.baseAddress, let columnSums = columnSums.baseAddress,
                        let rowSums = rowSums.baseAddress
                    else { return }
                    unsafe kernel(
                        samples + offset, plane.stride, Int32(bounds.columns.count), Int32(bounds.rows.count),
                        columnSums, rowSums)
                }
            }
        }
        return (columnSums, rowSums)
    }

    #if arch(x86_64)
        var usesAVX2: Bool { instructionSet == .avx2 || instructionSet == .avx512 }
    #endif
}
