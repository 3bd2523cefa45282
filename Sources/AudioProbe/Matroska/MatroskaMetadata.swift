/// What a Segment carries beside its tracks.
struct MatroskaMetadata {
    private(set) var metadataItems: [MetadataItem] = []
    private let nestingLimit: Int

    init(limits: AudioLimits) { nestingLimit = limits.nesting }

    /// Beyond 1,000 no more are listed: tags without number must not fill memory.
    mutating func recordMetadata(kind: MetadataItem.Kind, range: Range<Int>) {
        if metadataItems.count < 1000 { metadataItems.append(MetadataItem(kind: kind, range: range)) }
    }

    /// An Attachments element: RFC 9559, section 5.1.6.
    mutating func readAttachments(
        _ attachments: EBMLElement, in window: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        var position = attachments.contentOffset
        while let file = try walker.nextElement(position: &position, before: attachments.endOffset, in: &window) {
            guard file.id == MatroskaElementID.attachedFile else { continue }
            var kind = MetadataItem.Kind.applicationData, inner = file.contentOffset
            while let child = try walker.nextElement(position: &inner, before: file.endOffset, in: &window) {
                if child.id == MatroskaElementID.fileMediaType,
                    try child.readText(in: &window)?.hasPrefix("image/") == true
                {
                    kind = .image
                }
            }
            recordMetadata(kind: kind, range: file.range)
        }
    }

    /// A Tags element: RFC 9559, section 5.1.8.
    mutating func readTags(
        _ tags: EBMLElement, in window: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        var position = tags.contentOffset
        while let tag = try walker.nextElement(position: &position, before: tags.endOffset, in: &window) {
            if tag.id == MatroskaElementID.tag { try readTag(tag, depth: 3, in: &window, walker: &walker) }
        }
    }

    /// A Tag, or a SimpleTag, which may have others inside.
    private mutating func readTag(
        _ tag: EBMLElement, depth: Int, in window: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        if depth > nestingLimit {
            throw AudioError(
                .limitExceeded, offset: tag.startOffset, message: "tags are nested more than \(nestingLimit) deep")
        }
        var position = tag.contentOffset
        while let child = try walker.nextElement(position: &position, before: tag.endOffset, in: &window) {
            switch child.id {
            case MatroskaElementID.simpleTag: try readTag(child, depth: depth + 1, in: &window, walker: &walker)
            case MatroskaElementID.tagName:
                if let kind = Self.metadataKind(tagName: try child.readText(in: &window) ?? "") {
                    recordMetadata(kind: kind, range: tag.range)
                }
            default: break
            }
        }
    }

    /// What a tag of that name is about; nil if it tells of nothing but the program that wrote the file, or of what can
    /// be counted in it.
    private static func metadataKind(tagName: String) -> MetadataItem.Kind? {
        // ffmpeg and mkvmerge append the language.
        let name = tagName.uppercased().split(separator: "-").first ?? ""
        if name.hasPrefix("_STATISTICS_") || technicalTagNames.contains(name) { return nil }
        return locationTagNames.contains(name) || name.hasSuffix("LOCATION.ISO6709") ? .location : .text
    }

    private static let technicalTagNames: Set<Substring> = [
        "ENCODER", "ENCODER_OPTIONS", "ENCODER_SETTINGS", "DURATION", "BPS", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES",
    ]
    private static let locationTagNames: Set<Substring> = [
        "LOCATION", "RECORDING_LOCATION", "GEO", "GPS", "COORDINATES", "LATITUDE", "LONGITUDE",
    ]
}
