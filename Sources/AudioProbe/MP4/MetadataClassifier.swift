internal import MediaContainers

/// Classifies metadata boxes by their names.
///
/// `nil` means that a box is not reported: the name of the encoder, numbers, and what only players need.
enum MetadataClassifier {
    /// The UUID of XMP: Adobe's XMP Specification Part 3, "MPEG-4".
    static let xmpUUID: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]

    /// The beginnings of UUIDs that describe playback: those of PIFF and Smooth Streaming, and two of the PSP.
    static let technicalUUIDPrefixes: [[UInt8]] = [
        [0x6D, 0x1D, 0x9B, 0x05], [0xD4, 0x80, 0x7E, 0xF2], [0xA2, 0x39, 0x4F, 0x52], [0xD0, 0x8A, 0x4F, 0x18],
        [0x89, 0x74, 0xDB, 0xCE], Array("USMT".utf8), Array("PROF".utf8),
    ]

    private static let locationBoxTypes: Set<FourCC> = ["\u{A9}xyz", "loci"]
    private static let encoderBoxTypes: Set<FourCC> = ["\u{A9}too", "\u{A9}enc", "\u{A9}swr", "\u{A9}swf", "\u{A9}req"]
    private static let imageBoxTypes: Set<FourCC> = ["covr", "thmb", "PICT", "pict"]
    /// The types of 3GPP, of QuickTime tracks, and of chapters.
    private static let textBoxTypes: Set<FourCC> = [
        "titl", "auth", "dscp", "perf", "gnre", "cprt", "albm", "yrrc", "kywd", "clsf", "rtng", "coll", "name", "chpl",
        "date",
    ]
    private static let technicalBoxTypes: Set<FourCC> = [
        "free", "skip", "wide", "hinf", "hnti", "hinv", "LOOP", "SelO", "AllF", "WLOC", "tsel", "kind", "elng", "ludt",
        "strk", "ptv ", "angl", "ctry", "TAGS",
    ]
    /// The types of iTunes items with numbers: positions in a series, flags, and IDs in its shop.
    private static let numericItemTypes: Set<FourCC> = [
        "trkn", "disk", "tmpo", "cpil", "pgap", "pcst", "hdvd", "shwm", "stik", "rtng", "gnre", "akID", "geID", "sfID",
        "cnID", "atID", "plID", "cmID", "free",
    ]

    /// Returns the kind of a box in `udta`, or `nil`.
    static func metadataKind(userDataBoxType type: FourCC) -> MetadataItem.Kind? {
        if let kind = metadataKind(commonBoxType: type) { return kind }
        return encoderBoxTypes.contains(type) || technicalBoxTypes.contains(type)
            ? nil : textBoxTypes.contains(type) ? .text : .applicationData
    }

    /// Returns the kind of an item in iTunes' `ilst`, or `nil`.
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

    /// Returns the kind of an item with a full name, such as `com.apple.quicktime.location.ISO6709`, or `nil`.
    static func metadataKind(keyName name: String) -> MetadataItem.Kind? {
        let name = "." + name.lowercased(), bytes = Array(name.utf8)
        if locationKeywords.contains(where: { bytes.contains(subsequence: $0) }) { return .location }
        if imageKeywords.contains(where: { bytes.contains(subsequence: $0) }) { return .image }
        return ignoredKeySuffixes.contains { name.hasSuffix($0) } ? nil : .text
    }

    private static let locationKeywords = ["location", "iso6709", "gps"].map { Array($0.utf8) }
    private static let imageKeywords = ["artwork", "thumbnail"].map { Array($0.utf8) }
    /// The names that are not reported, preceded by a period: the whole name or its end.
    private static let ignoredKeySuffixes = [
        ".encoder", ".encoding params", ".tool", ".software", ".com.android.version", ".com.android.capture.fps",
        ".major_brand", ".minor_version", ".compatible_brands", ".handler_name", ".cdec",
    ]
}

extension [UInt8] {
    /// Returns whether the array contains `word`, which must not be empty.
    ///
    /// Searching strings by character, which must find character boundaries first, took two fifths of the time for a
    /// small MP4.
    func contains(subsequence word: [UInt8]) -> Bool {
        indices.contains { self[$0] == word[0] && self[$0...].starts(with: word) }
    }
}
