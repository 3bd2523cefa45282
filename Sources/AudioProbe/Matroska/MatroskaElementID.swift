/// The IDs of the elements that are read: RFC 9559, section 5.
enum MatroskaElementID {
    static let ebmlHeader = 0x1A45_DFA3, docType = 0x4282, ebmlReadVersion = 0x42F7, ebmlMaxIDLength = 0x42F2,
        ebmlMaxSizeLength = 0x42F3
    static let voidElement = 0xEC
    static let segment = 0x1853_8067

    // In a Segment.
    static let info = 0x1549_A966, tracks = 0x1654_AE6B, cluster = 0x1F43_B675, chapters = 0x1043_A770
    static let tags = 0x1254_C367, attachments = 0x1941_A469, seekHead = 0x114D_9B74, cues = 0x1C53_BB6B

    // In Info.
    static let timestampScale = 0x2AD7B1, duration = 0x4489, title = 0x7BA9, dateUTC = 0x4461
    static let segmentFilename = 0x7384

    // In Tracks.
    static let trackEntry = 0xAE, trackNumber = 0xD7, trackType = 0x83, flagEnabled = 0xB9, codecID = 0x86
    static let codecPrivate = 0x63A2, codecDelay = 0x56AA, defaultDuration = 0x23E383, trackName = 0x536E
    static let audio = 0xE1, samplingFrequency = 0xB5, outputSamplingFrequency = 0x78B5, channels = 0x9F
    static let bitDepth = 0x6264
    static let contentEncodings = 0x6D80, contentEncoding = 0x6240, contentEncodingScope = 0x5032
    static let contentEncodingType = 0x5033, contentCompression = 0x5034, contentCompAlgo = 0x4254
    static let contentCompSettings = 0x4255

    // In a Cluster.
    static let timestamp = 0xE7, simpleBlock = 0xA3, encryptedBlock = 0xAF, blockGroup = 0xA0, block = 0xA1
    static let blockDuration = 0x9B, discardPadding = 0x75A2

    // In Attachments and Tags.
    static let attachedFile = 0x61A7, fileMediaType = 0x4660
    static let tag = 0x7373, simpleTag = 0x67C8, tagName = 0x45A3

    /// Returns whether an element is a direct child of a Segment.
    ///
    /// Such an element ends a Cluster of unknown size, as does the beginning of another file: RFC 8794, section 6.2.
    static func isTopLevelElement(id: Int) -> Bool {
        // No element inside a Cluster has a four-byte ID.
        guard id >= 0x1000_0000 else { return false }
        return [info, tracks, cluster, chapters, tags, attachments, seekHead, cues].contains(id)
    }
}
