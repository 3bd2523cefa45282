internal import SystemSupport

/// An ICC profile of gray, RGB or CMYK colors. Source: ICC.1:2022.
struct ColorProfile {
    /// The kind of the device's colors.
    enum ColorSpace: String {
        case gray = "GRAY"
        case rgb = "RGB "
        case cmyk = "CMYK"

        var channelCount: Int {
            switch self {
            case .gray: 1
            case .rgb: 3
            case .cmyk: 4
            }
        }
    }

    /// How device values become colors.
    enum Model {
        /// A curve to the luminance.
        case gray(ToneCurve)
        /// Three curves, and a matrix to XYZ relative to D50.
        case matrix([ToneCurve], Matrix3x3)
        /// Tables, which Little CMS evaluates.
        case lookupTables
    }

    /// The reason why a profile cannot be used.
    struct InvalidProfile: Error { let message: String }

    /// The profile's description, without control characters; `nil` if there is none.
    let name: String?
    let colorSpace: ColorSpace
    let model: Model

    /// Reads a profile.
    init(_ bytes: [UInt8]) throws(InvalidProfile) {
        let tags = try TagTable(bytes)
        name = tags["desc"].flatMap { ProfileDescription.text(tag: $0, of: bytes) }
        guard let space = ColorSpace(rawValue: tags.header.colorSpace) else {
            throw InvalidProfile(message: "the color space '\(tags.header.colorSpace.printable)' is unsupported")
        }
        colorSpace = space
        if tags.hasLookupTables || space == .cmyk || tags.header.connectionSpace != "XYZ " {
            model = .lookupTables
        } else if space == .gray {
            model = .gray(try tags.curve("kTRC"))
        } else {
            var columns: [[Double]] = [], curves: [ToneCurve] = []
            for color in ["r", "g", "b"] {
                columns.append(try tags.xyz(color + "XYZ"))
                curves.append(try tags.curve(color + "TRC"))
            }
            let matrix = Matrix3x3((0..<9).map { columns[$0 % 3][$0 / 3] })
            guard matrix.inverse != nil else { throw InvalidProfile(message: "the colorants are not independent") }
            model = .matrix(curves, matrix)
        }
    }

    /// Returns a profile's description, without control characters; `nil` if there is none, or the profile is invalid.
    static func name(of bytes: [UInt8]) -> String? {
        guard let tags = try? TagTable(bytes) else { return nil }
        return tags["desc"].flatMap { ProfileDescription.text(tag: $0, of: bytes) }
    }

    /// Whether the colors are those of sRGB, or of its grays, within a small tolerance.
    var isSRGB: Bool {
        switch model {
        case .gray(let curve): curve.isSRGB
        case .matrix(let curves, let matrix): matrix.isThatOfSRGB && curves.allSatisfy(\.isSRGB)
        case .lookupTables: false
        }
    }
}

extension ColorProfile {
    /// The header of a profile and the places of its tags.
    fileprivate struct TagTable {
        struct Header {
            var profileClass, colorSpace, connectionSpace: String
        }

        private static let headerByteCount = 128
        /// As many as Little CMS reads.
        private static let maxTagCount = 100
        private static let lookupTableTags = ["A2B0", "A2B1", "A2B2", "D2B0", "D2B1", "D2B2"]
        private static let profileClasses = ["mntr", "scnr", "prtr", "spac"]

        let header: Header
        private let bytes: [UInt8]
        private var ranges: [String: Range<Int>] = [:]

        init(_ bytes: [UInt8]) throws(InvalidProfile) {
            self.bytes = bytes
            var reader = ByteReader(bytes)
            guard let byteCount = reader.readUInt32(), bytes.count >= Self.headerByteCount + 4 else {
                throw InvalidProfile(message: "the profile ends within its header")
            }
            guard byteCount <= bytes.count else {
                throw InvalidProfile(message: "the profile has \(bytes.count) bytes (expected \(byteCount))")
            }
            func signature(_ offset: Int) -> String { String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self) }
            header = Header(profileClass: signature(12), colorSpace: signature(16), connectionSpace: signature(20))
            guard signature(36) == "acsp", Self.profileClasses.contains(header.profileClass),
                ["XYZ ", "Lab "].contains(header.connectionSpace)
            else { throw InvalidProfile(message: "the profile's header is invalid") }
            _ = reader.seek(to: Self.headerByteCount)
            guard let count = reader.readUInt32(), count <= Self.maxTagCount, count * 12 <= reader.remainingByteCount
            else { throw InvalidProfile(message: "the profile's list of tags is invalid") }
            for _ in 0..<count {
                let name = signature(reader.position)
                reader.position += 4
                guard let offset = reader.readUInt32(), let length = reader.readUInt32(), offset + length <= byteCount
                else { throw InvalidProfile(message: "the tag '\(name.printable)' is outside the profile") }
                ranges[name] = ranges[name] ?? offset..<(offset + length)
            }
        }

        subscript(name: String) -> Range<Int>? { ranges[name] }

        var hasLookupTables: Bool { Self.lookupTableTags.contains { ranges[$0] != nil } }

        func curve(_ name: String) throws(InvalidProfile) -> ToneCurve {
            guard let range = ranges[name], let curve = ToneCurve(tag: range, of: bytes) else {
                throw InvalidProfile(message: "the profile's curve '\(name)' is missing or invalid")
            }
            return curve
        }

        func xyz(_ name: String) throws(InvalidProfile) -> [Double] {
            if let range = ranges[name] {
                var reader = ByteReader(bytes, in: range)
                if reader.hasASCIIPrefix("XYZ "), reader.seek(to: range.lowerBound + 8),
                    let x = reader.readS15Fixed16(), let y = reader.readS15Fixed16(), let z = reader.readS15Fixed16()
                {
                    return [x, y, z]
                }
            }
            throw InvalidProfile(message: "the profile's colorant '\(name)' is missing or invalid")
        }
    }
}

/// The description of a profile, for people.
private enum ProfileDescription {
    private static let maxScalarCount = 100

    static func text(tag range: Range<Int>, of bytes: [UInt8]) -> String? {
        var reader = ByteReader(bytes, in: range)
        let isASCII = reader.hasASCIIPrefix("desc")
        guard isASCII || reader.hasASCIIPrefix("mluc"), reader.seek(to: range.lowerBound + 8),
            let count = reader.readUInt32()
        else { return nil }
        if isASCII {
            guard count <= reader.remainingByteCount else { return nil }
            return sanitized(String(decoding: bytes[reader.position..<(reader.position + count)], as: UTF8.self))
        }
        guard reader.readUInt32() == 12 else { return nil }
        var text: String?
        for _ in 0..<min(count, 100) {
            guard let language = reader.readUInt16(), reader.readUInt16() != nil, let length = reader.readUInt32(),
                let offset = reader.readUInt32(), offset + length <= range.count
            else { break }
            let isEnglish = language == 0x656E
            guard text == nil || isEnglish else { continue }
            text = utf16Text(bytes[(range.lowerBound + offset)..<(range.lowerBound + offset + length)])
            if isEnglish { break }
        }
        return text.flatMap(sanitized)
    }

    private static func utf16Text(_ bytes: ArraySlice<UInt8>) -> String {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Returns the text up to the first zero, limited, and with invisible scalars escaped; `nil` if nothing remains.
    private static func sanitized(_ text: String) -> String? {
        var visible = String(String.UnicodeScalarView(text.unicodeScalars.prefix { $0 != "\0" }.prefix(maxScalarCount)))
        visible = visible.escapingInvisibleScalars
        return visible.allSatisfy(\.isWhitespace) ? nil : visible
    }
}
