extension Chromaticities {
    /// Creates the chromaticities of a code point of H.273, table 2, or returns `nil` if it is not supported.
    /// Unspecified ones are sRGB's.
    init?(codePoint: Int) {
        let d65 = [31_270, 32_900]
        switch codePoint {
        case 1, 2: self = .rec709
        case 5: self.init(red: [64_000, 33_000], green: [29_000, 60_000], blue: [15_000, 6_000], white: d65)
        case 6, 7: self.init(red: [63_000, 34_000], green: [31_000, 59_500], blue: [15_500, 7_000], white: d65)
        case 9: self.init(red: [70_800, 29_200], green: [17_000, 79_700], blue: [13_100, 4_600], white: d65)
        case 12: self.init(red: [68_000, 32_000], green: [26_500, 69_000], blue: [15_000, 6_000], white: d65)
        default: return nil
        }
    }
}

extension CodedColorSpace.TransferFunction {
    /// Creates the transfer function of a code point of H.273, table 3, or returns `nil` if it is not supported, such
    /// as those of high dynamic range. An unspecified one is sRGB's.
    init?(codePoint: Int) {
        switch codePoint {
        case 1, 6, 14, 15: self = .rec709
        case 2, 13: self = .sRGB
        case 4: self = .power(220_000)
        case 5: self = .power(280_000)
        case 8: self = .linear
        default: return nil
        }
    }
}
