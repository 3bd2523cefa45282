/// Builds ICC profiles for tests. Source: ICC.1:2022.
public struct ICCProfileBuilder: Sendable {
    /// The kind of a tag with a curve.
    public enum Curve: Sendable {
        /// A power, with 8 fractional bits.
        case gamma(Double)
        /// A function with parameters.
        case parametric(type: Int, [Double])
        /// 16-bit samples.
        case samples([Int])

        /// The function of sRGB, and of Display P3.
        public static let sRGB = parametric(type: 3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    }

    /// The signatures of the header.
    public var profileClass = "mntr", colorSpace: String, connectionSpace = "XYZ "
    /// The major version.
    public var version = 4
    /// The tags, in the order of the file.
    public var tags: [(name: String, data: [UInt8])] = []

    /// Creates a profile with a description and no other tag.
    public init(colorSpace: String, name: String? = nil) {
        self.colorSpace = colorSpace
        if let name { tags.append(("desc", Self.multiLocalizedText(name))) }
    }

    /// A profile of three curves and colorants relative to D50.
    public static func matrix(_ name: String, colorants: [[Double]], curve: Curve) -> ICCProfileBuilder {
        var profile = ICCProfileBuilder(colorSpace: "RGB ", name: name)
        for (color, xyz) in zip(["r", "g", "b"], colorants) {
            profile.tags.append((color + "XYZ", Array("XYZ ".utf8) + [0, 0, 0, 0] + xyz.flatMap(s15Fixed16)))
            profile.tags.append((color + "TRC", data(of: curve)))
        }
        return profile
    }

    /// A profile of a curve to the luminance.
    public static func gray(_ name: String, curve: Curve) -> ICCProfileBuilder {
        var profile = ICCProfileBuilder(colorSpace: "GRAY", name: name)
        profile.tags.append(("kTRC", data(of: curve)))
        return profile
    }

    /// sRGB, with colorants relative to D50, as in most profiles.
    public static let sRGB = matrix(
        "sRGB IEC61966-2.1",
        colorants: [[0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.7141]], curve: .sRGB)
    /// Display P3, with Apple's colorants.
    public static let displayP3 = matrix(
        "Display P3",
        colorants: [[0.51512, 0.2412, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407]], curve: .sRGB
    )
    /// Adobe RGB (1998), with Adobe's colorants and curve.
    public static let adobeRGB = matrix("Adobe RGB (1998)", colorants: adobeColorants, curve: .gamma(2.19921875))
    private static let adobeColorants = [
        [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
    ]
    /// The rows of the matrix from linear Adobe RGB to XYZ relative to D50.
    public static let adobeRGBMatrix = (0..<3).map { row in adobeColorants.map { $0[row] } }

    /// A profile whose table of `gridSize` nodes along each axis has XYZ, as the function gives it, after a curve with
    /// an exponent. One unit of the table's numbers is 1 / 32768.
    public static func table(
        _ name: String, colorSpace: String, channelCount: Int, gridSize: Int, exponent: Int = 1,
        xyz: ([Double]) -> [Double]
    ) -> ICCProfileBuilder {
        var profile = ICCProfileBuilder(colorSpace: colorSpace, name: name)
        profile.version = 2
        profile.profileClass = channelCount == 4 ? "prtr" : "scnr"
        var data = Array("mft2".utf8) + [0, 0, 0, 0, UInt8(channelCount), 3, UInt8(gridSize), 0]
        for index in 0..<9 { data += s15Fixed16(index % 4 == 0 ? 1 : 0) }
        data += uInt16(256) + uInt16(2)
        for _ in 0..<channelCount {
            for entry in 0...255 {
                let value = (0..<exponent).reduce(1) { product, _ in product * Double(entry) / 255 }
                data += uInt16(Int((value * 65_535).rounded()))
            }
        }
        var count = 1
        for _ in 0..<channelCount { count *= gridSize }
        for node in 0..<count {
            var rest = node, color: [Double] = []
            for _ in 0..<channelCount {
                color.insert(Double(rest % gridSize) / Double(gridSize - 1), at: 0)
                rest /= gridSize
            }
            for value in xyz(color) { data += uInt16(Int((min(max(value, 0), 1.99) * 32_768).rounded())) }
        }
        for _ in 0..<3 { data += uInt16(0) + uInt16(65_535) }
        profile.tags.append(("A2B0", data))
        return profile
    }

    /// The bytes of the profile.
    public var bytes: [UInt8] {
        var header = [UInt8](repeating: 0, count: 128)
        func put(_ values: some Sequence<UInt8>, at offset: Int) {
            for (index, value) in values.enumerated() { header[offset + index] = value }
        }
        let all = tags + [("wtpt", Array("XYZ ".utf8) + [0, 0, 0, 0] + [0.9642, 1, 0.8249].flatMap(Self.s15Fixed16))]
        var table = Self.uInt32(all.count), content: [UInt8] = []
        for (name, data) in all {
            let padded = data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
            table += name.utf8 + Self.uInt32(132 + all.count * 12 + content.count) + Self.uInt32(data.count)
            content += padded
        }
        put(Self.uInt32(128 + table.count + content.count), at: 0)
        put([UInt8(version), 0x20], at: 8)
        put((profileClass + colorSpace + connectionSpace).utf8, at: 12)
        put("acsp".utf8, at: 36)
        put([0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D], at: 68)
        return header + table + content
    }

    private static func data(of curve: Curve) -> [UInt8] {
        switch curve {
        case .gamma(let value): Array("curv".utf8) + [0, 0, 0, 0] + uInt32(1) + uInt16(Int((value * 256).rounded()))
        case .samples(let values): Array("curv".utf8) + [0, 0, 0, 0] + uInt32(values.count) + values.flatMap(uInt16)
        case .parametric(let type, let parameters):
            Array("para".utf8) + [0, 0, 0, 0] + uInt16(type) + [0, 0] + parameters.flatMap(s15Fixed16)
        }
    }

    private static func multiLocalizedText(_ text: String) -> [UInt8] {
        let units = text.utf16.flatMap { uInt16(Int($0)) }
        return Array("mluc".utf8) + [0, 0, 0, 0] + uInt32(1) + uInt32(12) + Array("enUS".utf8) + uInt32(units.count)
            + uInt32(28) + units
    }

    private static func s15Fixed16(_ value: Double) -> [UInt8] {
        uInt32(Int(UInt32(bitPattern: Int32((value * 65_536).rounded()))))
    }

    private static func uInt16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
    private static func uInt32(_ value: Int) -> [UInt8] { uInt16(value >> 16) + uInt16(value & 0xFFFF) }
}
