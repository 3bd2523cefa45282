/// A plane that is turned upright while its stored rows are written, top to bottom.
///
/// ```
/// stored rows -> strip of 64 rows -> 64 columns, or rows, of the upright plane
/// ```
///
/// Memory is the upright plane and the strip. To turn the planes of a photo of 1,600 × 1,200 pixels afterwards would
/// take 2.9 MB more.
struct UprightPlane {
    /// The number of rows of a strip: the side of the tiles in which the kernel transposes samples.
    private static let stripRowCount = 64

    private let orientation: Orientation
    private let storedRowCount: Int
    /// The rows that are not turned yet; `nil` if the plane is stored upright, so that its rows are written directly.
    private var strip: Plane?
    private var uprightPlane: Plane
    private var writtenRowCount = 0

    /// Creates a plane without rows.
    ///
    /// - Parameters:
    ///   - storedSize: The number of samples in a stored row, and of stored rows.
    ///   - orientation: The transform that makes the stored plane upright.
    init(storedSize: PixelSize, orientation: Orientation) {
        self.orientation = orientation
        storedRowCount = storedSize.height
        let size = orientation.orientedSize(of: storedSize)
        uprightPlane = Plane(width: size.width, height: size.height)
        if orientation != .up {
            strip = Plane(width: storedSize.width, height: min(storedSize.height, Self.stripRowCount))
        }
    }

    /// Adds the next stored row.
    ///
    /// - Parameter write: Writes the samples of the row, and its padding, to an array from an index on.
    /// - Precondition: A row is missing.
    mutating func appendRow(_ write: (inout ContiguousArray<UInt8>, Int) -> Void) {
        precondition(writtenRowCount < storedRowCount)
        let row = writtenRowCount
        writtenRowCount += 1
        guard var strip = strip.take() else {
            write(&uprightPlane.samples, row * uprightPlane.stride)
            return
        }
        write(&strip.samples, row % strip.height * strip.stride)
        turnIfFull(strip)
        if writtenRowCount < storedRowCount {
            self.strip = strip
        } else {
            uprightPlane.padRowsToStride()
            SampleBufferPool.shared.recycle(strip.samples)
        }
    }

    private mutating func turnIfFull(_ strip: Plane) {
        let count = (writtenRowCount - 1) % strip.height + 1
        guard count == strip.height || writtenRowCount == storedRowCount else { return }
        uprightPlane.copyStoredRows(
            of: strip, count: count, at: writtenRowCount - count, orientation: orientation)
    }

    /// The upright plane.
    ///
    /// - Precondition: All rows are written.
    var plane: Plane {
        precondition(writtenRowCount == storedRowCount)
        return uprightPlane
    }
}
