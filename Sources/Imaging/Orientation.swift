/// The transform that makes a stored image upright: the eight values of Exif's Orientation tag.
///
/// Source: Exif 3.0 (CIPA DC-008), 4.6.5, tag 0x0112.
public enum Orientation: Int, CaseIterable, Sendable {
    /// The image is stored upright.
    case up = 1
    /// Mirrored horizontally.
    case upMirrored
    /// Rotated by 180°.
    case down
    /// Mirrored vertically.
    case downMirrored
    /// Transposed: mirrored along the main diagonal.
    case leftMirrored
    /// Must be rotated by 90° clockwise.
    case right
    /// Transversed: mirrored along the other diagonal.
    case rightMirrored
    /// Must be rotated by 90° counterclockwise.
    case left

    /// Whether the transform swaps width and height.
    public var swapsWidthAndHeight: Bool { rawValue >= 5 }

    /// Whether the stored horizontal axis runs opposite to the upright axis that it becomes.
    package var mirrorsStoredColumns: Bool { [2, 3, 7, 8].contains(rawValue) }

    /// Whether the stored vertical axis runs opposite to the upright axis that it becomes.
    package var mirrorsStoredRows: Bool { [3, 4, 6, 7].contains(rawValue) }

    /// Returns the upright size of an image that is stored as `size`, or the stored size of one that is upright as
    /// `size`.
    ///
    /// - Parameter size: The stored or upright size, in pixels.
    public func orientedSize(of size: PixelSize) -> PixelSize {
        swapsWidthAndHeight ? size.swappingWidthAndHeight : size
    }
}
