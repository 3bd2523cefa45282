/// Fixed-point conversions of YCCK and CMYK, full range, as in JPEG.
///
/// Source: ITU-T T.871 (JFIF), section 7, with 16 fractional bits.
enum YCbCrToRGBConversion {
    /// Converts Y, Cb and Cr to red, green and blue, clamped to 8 bits.
    @inline(__always)
    static func rgb(y: UInt8, cb: UInt8, cr: UInt8) -> (r: UInt8, g: UInt8, b: UInt8) {
        let (y, cb, cr) = (Int32(y) << 16 &+ fixedPointHalf, Int32(cb) - 128, Int32(cr) - 128)
        let r = (y &+ 91_881 &* cr) >> 16
        let g = (y &- 22_554 &* cb &- 46_802 &* cr) >> 16
        let b = (y &+ 116_130 &* cb) >> 16
        return (UInt8(clamping: r), UInt8(clamping: g), UInt8(clamping: b))
    }

    /// Returns `a` × `b` / 255, rounded.
    @inline(__always)
    static func normalizedProduct(_ a: UInt8, _ b: UInt8) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt32(a) &* UInt32(b) &+ 127) / 255)
    }

    private static let fixedPointHalf: Int32 = 1 << 15
}
