/// A color with 8 bits each of red, green and blue.
public struct RGBColor: Hashable, Encodable, Sendable {
    /// The red component, 0 to 255.
    public var red: UInt8
    /// The green component, 0 to 255.
    public var green: UInt8
    /// The blue component, 0 to 255.
    public var blue: UInt8

    /// Creates a color from its components, each 0 to 255.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Creates a color from its hexadecimal form, or returns `nil` if `hex` is invalid.
    ///
    /// - Parameter hex: Six hexadecimal digits, as in `#rrggbb`. The number sign is optional.
    public init?(hex: String) {
        let digits = hex.hasPrefix("#") ? hex.dropFirst() : hex[...]
        guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else {
            return nil
        }
        self.init(red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    }

    /// White.
    public static let white = RGBColor(red: 255, green: 255, blue: 255)

    var isGray: Bool { red == green && green == blue }
}
