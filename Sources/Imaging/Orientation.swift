/// How a stored picture must be turned to stand upright: the eight values of EXIF's Orientation tag.
///
/// Source: Exif 3.0 (CIPA DC-008), 4.6.5, tag 0x0112.
public enum Orientation: Int, CaseIterable, Sendable {
    /// Stored upright.
    case up = 1
    /// Mirrored left to right.
    case upMirrored
    /// Upside down.
    case down
    /// Mirrored top to bottom.
    case downMirrored
    /// Mirrored along the main diagonal.
    case leftMirrored
    /// To be turned a quarter clockwise.
    case right
    /// Mirrored along the other diagonal.
    case rightMirrored
    /// To be turned a quarter counter-clockwise.
    case left

    /// Whether width and height change places.
    public var isTransposed: Bool { rawValue >= 5 }

    /// Whether the stored horizontal axis runs against the upright axis that it becomes.
    var mirrorsStoredColumns: Bool { [2, 3, 7, 8].contains(rawValue) }

    /// Whether the stored vertical axis runs against the upright axis that it becomes.
    var mirrorsStoredRows: Bool { [3, 4, 6, 7].contains(rawValue) }

    /// The upright size of a picture stored as `size`, or the stored size of one upright as `size`.
    public func applied(to size: PixelSize) -> PixelSize { isTransposed ? size.transposed : size }
}

extension Plane {
    /// Samples on a side of the squares in which a plane is transposed, so that reads and writes both stay in cache.
    private static let tile = 16

    /// This plane turned upright.
    func oriented(_ orientation: Orientation) -> Plane {
        if orientation == .up { return self }
        return orientation.isTransposed ? transposed(orientation) : mirrored(orientation)
    }

    private func mirrored(_ orientation: Orientation) -> Plane {
        var result = Plane(width: width, height: height)
        let source = samples.span
        var target = result.samples.mutableSpan
        for y in 0..<height {
            let from = orientation.mirrorsStoredRows ? height - 1 - y : y
            let row = source.extracting((from * stride)..<(from * stride + width))
            let start = y * stride
            if orientation.mirrorsStoredColumns {
                for x in 0..<width { target[start + x] = row[width - 1 - x] }
            } else {
                for x in 0..<width { target[start + x] = row[x] }
            }
        }
        return result
    }

    private func transposed(_ orientation: Orientation) -> Plane {
        var result = Plane(width: height, height: width)
        let targetStride = result.stride
        let source = samples.span
        var target = result.samples.mutableSpan
        for top in Swift.stride(from: 0, to: width, by: Self.tile) {
            for left in Swift.stride(from: 0, to: height, by: Self.tile) {
                for y in top..<min(top + Self.tile, width) {
                    let column = orientation.mirrorsStoredColumns ? width - 1 - y : y
                    for x in left..<min(left + Self.tile, height) {
                        let row = orientation.mirrorsStoredRows ? height - 1 - x : x
                        target[y * targetStride + x] = source[row * stride + column]
                    }
                }
            }
        }
        return result
    }
}
