/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable {
    /// The width, in pixels.
    public var width: Int
    /// The height, in pixels.
    public var height: Int

    /// Creates a size of `width` by `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The number of pixels: width times height.
    public var pixelCount: Int { width * height }

    /// The size with width and height swapped.
    public var swappingWidthAndHeight: PixelSize { PixelSize(width: height, height: width) }

    /// Returns whether neither side is smaller than that of `other`.
    package func covers(_ other: PixelSize) -> Bool { width >= other.width && height >= other.height }

    /// Returns the largest size of this aspect ratio with a longer side of at most `limit` pixels.
    ///
    /// A size is never enlarged. The shorter side is rounded to nearest and is at least 1.
    ///
    /// - Parameter limit: The maximum of the longer side, in pixels; `nil` for no limit.
    public func scaledDown(toLongerSide limit: Int?) -> PixelSize {
        let longer = max(width, height)
        guard let limit, longer > limit else { return self }
        func scaled(_ side: Int) -> Int { max(1, (side * limit + longer / 2) / longer) }
        return PixelSize(width: scaled(width), height: scaled(height))
    }
}

extension Int {
    /// Returns the smallest multiple of `unit` that is not less than this number.
    package func roundedUp(toMultipleOf unit: Int) -> Int { (self + unit - 1) / unit * unit }

    /// Returns this number divided by `divisor`, rounded up.
    package func dividedRoundingUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
