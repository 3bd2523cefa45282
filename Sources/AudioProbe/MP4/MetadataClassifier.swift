/// What boxes of metadata are about, by their names. Nil is what is of no weight: the name of the encoder, numbers, and
/// what only players need.
enum MetadataClassifier {
    /// XMP's: Adobe's XMP Specification Part 3, "MPEG-4".
    static let xmpUUID: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]

    /// How others begin that say how to play the file: those of PIFF and Smooth Streaming, and the PSP's two.
    static let technicalUUIDPrefixes: [[UInt8]] = [
        [0x6D, 0x1D, 0x9B, 0x05], [0xD4, 0x80, 0x7E, 0xF2], [0xA2, 0x39, 0x4F, 0x52], [0xD0, 0x8A, 0x4F, 0x18],
        [0x89, 0x74, 0xDB, 0xCE], Array("USMT".utf8), Array("PROF".utf8),
    ]

    private static let locationBoxTypes: Set<FourCC> = ["\u{A9}xyz", "loci"]
    private static let encoderBoxTypes: Set<FourCC> = ["\u{A9}too", "\u{A9}enc", "\u{A9}swr", "\u{A9}swf", "\u{A9}req"]
    private static let imageBoxTypes: Set<FourCC> = ["covr", "thmb", "PICT", "pict"]
    /// 3GPP's, QuickTime's for tracks, chapters.
    private static let textBoxTypes: Set<FourCC> = [
        "titl", "auth", "dscp", "perf", "gnre", "cprt", "albm", "yrrc", "kywd", "clsf", "rtng", "coll", "name", "chpl",
        "date",
    ]
    private static let technicalBoxTypes: Set<FourCC> = [
        "free", "skip", "wide", "hinf", "hnti", "hinv", "LOOP", "SelO", "AllF", "WLOC", "tsel", "kind", "elng", "ludt",
        "strk", "ptv ", "angl", "ctry", "TAGS",
    ]
    /// Of iTunes: places in a series, flags, and numbers in its shop.
    private static let numericItemTypes: Set<FourCC> = [
        "trkn", "disk", "tmpo", "cpil", "pgap", "pcst", "hdvd", "shwm", "stik", "rtng", "gnre", "akID", "geID", "sfID",
        "cnID", "atID", "plID", "cmID", "free",
    ]

    /// Of a box in `udta`.
    static func metadataKind(userDataBoxType type: FourCC) -> MetadataItem.Kind? {
        if let kind = metadataKind(commonBoxType: type) { return kind }
        return encoderBoxTypes.contains(type) || technicalBoxTypes.contains(type)
            ? nil : textBoxTypes.contains(type) ? .text : .applicationData
    }

    /// Of an item in iTunes' `ilst`.
    static func metadataKind(iTunesItemType type: FourCC) -> MetadataItem.Kind? {
        metadataKind(commonBoxType: type)
            ?? (encoderBoxTypes.contains(type) || numericItemTypes.contains(type) ? nil : .text)
    }

    private static func metadataKind(commonBoxType type: FourCC) -> MetadataItem.Kind? {
        if locationBoxTypes.contains(type) { return .location }
        if imageBoxTypes.contains(type) { return .image }
        if type == "XMP_" { return .xmp }
        return type.code >> 24 == 0xA9 && !encoderBoxTypes.contains(type) ? .text : nil
    }

    /// Of an item whose name is spelt out, such as `com.apple.quicktime.location.ISO6709`.
    static func metadataKind(keyName name: String) -> MetadataItem.Kind? {
        let name = "." + name.lowercased(), bytes = Array(name.utf8)
        if locationKeywords.contains(where: { bytes.contains(subsequence: $0) }) { return .location }
        if imageKeywords.contains(where: { bytes.contains(subsequence: $0) }) { return .image }
        return ignoredKeySuffixes.contains { name.hasSuffix($0) } ? nil : .text
    }

    private static let locationKeywords = ["location", "iso6709", "gps"].map { Array($0.utf8) }
    private static let imageKeywords = ["artwork", "thumbnail"].map { Array($0.utf8) }
    /// What such names are or, behind a point, end in.
    private static let ignoredKeySuffixes = [
        ".encoder", ".encoding params", ".tool", ".software", ".com.android.version", ".com.android.capture.fps",
        ".major_brand", ".minor_version", ".compatible_brands", ".handler_name", ".cdec",
    ]
}

extension [UInt8] {
    /// Whether `word`, which isn't empty, is somewhere in it. To search names for characters, whose bounds have to be
    /// found first, took two fifths of the time of a small MP4.
    func contains(subsequence word: [UInt8]) -> Bool {
        indices.contains { self[$0] == word[0] && self[$0...].starts(with: word) }
    }
}
