/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable {
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int

    /// A size of `width` by `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Width times height.
    public var pixelCount: Int { width * height }

    /// The same size lying on its other side.
    public var swappingWidthAndHeight: PixelSize { PixelSize(width: height, height: width) }

    /// The largest size of this aspect whose longer side is at most `limit` pixels, never larger than this one.
    ///
    /// The shorter side is rounded to nearest and is at least 1. Without a limit it is this size.
    public func scaledDown(toLongerSide limit: Int?) -> PixelSize {
        let longer = max(width, height)
        guard let limit, longer > limit else { return self }
        func scaled(_ side: Int) -> Int { max(1, (side * limit + longer / 2) / longer) }
        return PixelSize(width: scaled(width), height: scaled(height))
    }
}

extension Int {
    /// The smallest multiple of `unit` that is not below this number.
    package func roundedUp(toMultipleOf unit: Int) -> Int { (self + unit - 1) / unit * unit }

    /// This number divided by `divisor`, rounded up.
    package func dividedRoundingUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
