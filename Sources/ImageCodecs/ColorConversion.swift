/// Fixed-point conversions between RGB, YCbCr and CMYK, full range, as JPEG uses them.
///
/// Source: ITU-T T.871 (JFIF), section 7, with 16 fractional bits.
enum ColorConversion {
    /// Y, Cb and Cr of a red, green and blue.
    @inline(__always)
    static func yCbCr(_ r: UInt8, _ g: UInt8, _ b: UInt8) -> (y: UInt8, cb: UInt8, cr: UInt8) {
        let (r, g, b) = (Int32(r), Int32(g), Int32(b))
        let y = (19_595 &* r &+ 38_470 &* g &+ 7_471 &* b &+ half) >> 16
        let cb = (-11_059 &* r &- 21_709 &* g &+ 32_768 &* b &+ chromaBias) >> 16
        let cr = (32_768 &* r &- 27_439 &* g &- 5_329 &* b &+ chromaBias) >> 16
        return (UInt8(truncatingIfNeeded: y), UInt8(truncatingIfNeeded: cb), UInt8(truncatingIfNeeded: cr))
    }

    /// Red, green and blue of a Y, Cb and Cr, clipped to 8 bits.
    @inline(__always)
    static func rgb(_ y: UInt8, _ cb: UInt8, _ cr: UInt8) -> (r: UInt8, g: UInt8, b: UInt8) {
        let (y, cb, cr) = (Int32(y) << 16 &+ half, Int32(cb) - 128, Int32(cr) - 128)
        let r = (y &+ 91_881 &* cr) >> 16
        let g = (y &- 22_554 &* cb &- 46_802 &* cr) >> 16
        let b = (y &+ 116_130 &* cb) >> 16
        return (UInt8(clamping: r), UInt8(clamping: g), UInt8(clamping: b))
    }

    /// `a` times `b` of 255, rounded.
    @inline(__always)
    static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt32(a) &* UInt32(b) &+ 127) / 255)
    }

    private static let half: Int32 = 1 << 15
    /// 128, and just under a half, so that 255.5 can't round up to 256.
    private static let chromaBias: Int32 = 128 << 16 + half - 1
}
