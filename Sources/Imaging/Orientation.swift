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
    public var swapsWidthAndHeight: Bool { rawValue >= 5 }

    /// Whether the stored horizontal axis runs against the upright axis that it becomes.
    var mirrorsStoredColumns: Bool { [2, 3, 7, 8].contains(rawValue) }

    /// Whether the stored vertical axis runs against the upright axis that it becomes.
    var mirrorsStoredRows: Bool { [3, 4, 6, 7].contains(rawValue) }

    /// The upright size of a picture stored as `size`, or the stored size of one upright as `size`.
    public func orientedSize(of size: PixelSize) -> PixelSize {
        swapsWidthAndHeight ? size.swappingWidthAndHeight : size
    }
}
