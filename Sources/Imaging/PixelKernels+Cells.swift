// `unsafe`: passes the addresses of spans to the C kernels, after checking the ranges that those access.

internal import CPixelKernels

extension PixelKernels {
    /// Measures one row of cells of 4 by 4 samples.
    ///
    /// - Parameters:
    ///   - plane: The samples.
    ///   - x: The column of the first cell's first sample.
    ///   - y: The row of the cells' first samples.
    ///   - count: The number of cells.
    ///   - limits: The highest sample that counts as black, and the lowest that counts as white.
    ///   - start: The index of the first result.
    ///   - sums: Receives the cells' sums.
    ///   - blackCounts: Receives the numbers of black samples.
    ///   - whiteCounts: Receives the numbers of white samples.
    func measureCells(
        of plane: Plane, x: Int, y: Int, count: Int, limits: (black: UInt8, white: UInt8), at start: Int,
        sums: inout ContiguousArray<UInt16>, blackCounts: inout ContiguousArray<UInt8>,
        whiteCounts: inout ContiguousArray<UInt8>
    ) {
        let side = LumaCells.side
        precondition(x >= 0 && y >= 0 && count > 0 && x + side * count <= plane.width && y + side <= plane.height)
        precondition(start >= 0 && start + count <= min(sums.count, blackCounts.count, whiteCounts.count))
        let offset = y * plane.stride + x
        #if arch(x86_64)
            let kernel = unsafe usesAVX2 ? prep_measure_cells_avx2 : prep_measure_cells
        #else
            let kernel = unsafe prep_measure_cells
        #endif
        unsafe plane.samples.withUnsafeBufferPointer { samples in
            unsafe sums.withUnsafeMutableBufferPointer { sums in
                unsafe blackCounts.withUnsafeMutableBufferPointer { black in
                    unsafe whiteCounts.withUnsafeMutableBufferPointer { white in
                        guard let samples = samples.baseAddress, let sums = sums.baseAddress,
                            let black = black.baseAddress, let white = white.baseAddress
                        else { return }
                        unsafe kernel(
                            samples + offset, plane.stride, Int32(count), limits.black, limits.white, sums + start,
                            black + start, white + start)
                    }
                }
            }
        }
    }

    /// The sums over the cells of a field, and a histogram of the cells' means.
    struct ExposureSums {
        var histogram = ContiguousArray<UInt32>(repeating: 0, count: 256)
        /// The sum of the samples, the numbers of black and of white samples, and the number of cells.
        var totals = ContiguousArray<UInt64>(repeating: 0, count: 4)
    }

    /// Adds up the cells that are in a field.
    static func measureExposure(of cells: LumaCells, isInField: ContiguousArray<Bool>) -> ExposureSums {
        var result = ExposureSums()
        let count = cells.sums.count
        precondition(isInField.count == count && cells.blackCounts.count == count && cells.whiteCounts.count == count)
        unsafe cells.sums.withUnsafeBufferPointer { sums in
            unsafe cells.blackCounts.withUnsafeBufferPointer { black in
                unsafe cells.whiteCounts.withUnsafeBufferPointer { white in
                    unsafe isInField.withUnsafeBufferPointer { field in
                        unsafe result.histogram.withUnsafeMutableBufferPointer { histogram in
                            unsafe result.totals.withUnsafeMutableBufferPointer { totals in
                                guard let sums = sums.baseAddress, let black = black.baseAddress,
                                    let white = white.baseAddress, let field = field.baseAddress,
                                    let histogram = histogram.baseAddress, let totals = totals.baseAddress
                                else { return }
                                unsafe prep_measure_exposure(
                                    sums, black, white, field, Int32(count), histogram, totals)
                            }
                        }
                    }
                }
            }
        }
        return result
    }

    /// Returns the coarse detail of cells with a border of one value around them, see `DetailPlaces`.
    func coarseDetail(ofSums sums: ContiguousArray<UInt16>, columnCount: Int, rowCount: Int) -> ContiguousArray<Int32> {
        precondition(sums.count == columnCount * rowCount && columnCount > 0 && rowCount > 0)
        #if arch(x86_64)
            let kernel = unsafe usesAVX2 ? prep_filter_cells_avx2 : prep_filter_cells
        #else
            let kernel = unsafe prep_filter_cells
        #endif
        var values = ContiguousArray<Int32>(repeating: 0, count: (columnCount + 2) * (rowCount + 2))
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: 3 * columnCount + 8) { scratch in
            unsafe sums.withUnsafeBufferPointer { sums in
                unsafe values.withUnsafeMutableBufferPointer { values in
                    guard let sums = sums.baseAddress, let values = values.baseAddress,
                        let scratch = scratch.baseAddress
                    else { return }
                    unsafe kernel(sums, Int32(columnCount), Int32(rowCount), scratch, values)
                }
            }
        }
        return values
    }

    /// Measures the coarse detail of one row of places of 4 by 4 cells.
    ///
    /// - Parameters:
    ///   - values: The coarse detail of cells, with one more on each side of the places.
    ///   - stride: The number of values from one row to the next.
    ///   - first: The index of the first cell.
    ///   - count: The number of places.
    ///   - start: The index of the first result.
    ///   - energies: Receives four energies for each place.
    func measureCoarseGradients(
        of values: ContiguousArray<Int32>, stride: Int, from first: Int, count: Int, at start: Int,
        into energies: inout ContiguousArray<UInt64>
    ) {
        let side = LumaCells.side
        precondition(count > 0 && side * count + 2 <= stride && first > stride)
        precondition(first + side * stride + side * count < values.count)
        precondition(start >= 0 && start + DetailPlaces.directionCount * count <= energies.count)
        #if arch(x86_64)
            let kernel = unsafe usesAVX2 ? prep_measure_coarse_gradients_avx2 : prep_measure_coarse_gradients
        #else
            let kernel = unsafe prep_measure_coarse_gradients
        #endif
        unsafe values.withUnsafeBufferPointer { values in
            unsafe energies.withUnsafeMutableBufferPointer { energies in
                guard let values = values.baseAddress, let energies = energies.baseAddress else { return }
                unsafe kernel(values + first, stride, Int32(count), energies + start)
            }
        }
    }

    /// Adds up the white samples of one row of places of 4 by 4 cells, and tells whether their cells are in a field.
    ///
    /// - Parameters:
    ///   - cells: The cells.
    ///   - isInField: Whether each cell is in the field.
    ///   - first: The index of the first cell.
    ///   - count: The number of places.
    static func countInPlaces(
        of cells: LumaCells, isInField: ContiguousArray<Bool>, from first: Int, count: Int
    ) -> (whiteCounts: [UInt16], isInside: [Bool]) {
        let side = LumaCells.side, stride = cells.columnCount
        precondition(first >= 0 && count >= 0 && first + (side - 1) * stride + side * count <= isInField.count)
        precondition(cells.whiteCounts.count == isInField.count)
        var whiteCounts = [UInt16](repeating: 0, count: count), isInside = [Bool](repeating: false, count: count)
        unsafe cells.whiteCounts.withUnsafeBufferPointer { white in
            unsafe isInField.withUnsafeBufferPointer { field in
                unsafe whiteCounts.withUnsafeMutableBufferPointer { whiteCounts in
                    unsafe isInside.withUnsafeMutableBufferPointer { isInside in
                        guard let white = white.baseAddress, let field = field.baseAddress,
                            let whiteCounts = whiteCounts.baseAddress, let isInside = isInside.baseAddress
                        else { return }
                        unsafe prep_count_in_places(
                            white + first, field + first, stride, Int32(count), whiteCounts, isInside)
                    }
                }
            }
        }
        return (whiteCounts, isInside)
    }

    /// Adds up the samples of one row of units of `side` by `side` cells.
    ///
    /// - Parameters:
    ///   - cells: The cells.
    ///   - side: The number of cells along a side of a unit, at most 1,024.
    ///   - first: The index of the first cell.
    ///   - count: The number of units.
    static func addCells(of cells: LumaCells, side: Int, from first: Int, count: Int) -> [UInt32] {
        let stride = cells.columnCount
        precondition((1...1024).contains(side) && first >= 0 && count >= 0)
        precondition(first + (side - 1) * stride + side * count <= cells.sums.count)
        var unitSums = [UInt32](repeating: 0, count: count)
        unsafe cells.sums.withUnsafeBufferPointer { sums in
            unsafe unitSums.withUnsafeMutableBufferPointer { unitSums in
                guard let sums = sums.baseAddress, let unitSums = unitSums.baseAddress else { return }
                unsafe prep_add_cells(sums + first, stride, Int32(side), Int32(count), unitSums)
            }
        }
        return unitSums
    }
}
