/// The metadata of a Segment.
struct MatroskaMetadata {
    private(set) var metadataItems: [MetadataItem] = []
    private let nestingLimit: Int

    init(limits: AudioLimits) { nestingLimit = limits.nesting }

    /// Records an item, up to 1,000 of them, so that a file with many tags cannot fill memory.
    mutating func recordMetadata(kind: MetadataItem.Kind, range: Range<Int>) {
        if metadataItems.count < 1000 { metadataItems.append(MetadataItem(kind: kind, range: range)) }
    }

    /// Reads an Attachments element: RFC 9559, section 5.1.6.
    mutating func readAttachments(
        _ attachments: EBMLElement, in reader: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        var position = attachments.contentOffset
        while let file = try walker.nextElement(position: &position, before: attachments.endOffset, in: &reader) {
            guard file.id == MatroskaElementID.attachedFile else { continue }
            var kind = MetadataItem.Kind.applicationData, inner = file.contentOffset
            while let child = try walker.nextElement(position: &inner, before: file.endOffset, in: &reader) {
                if child.id == MatroskaElementID.fileMediaType,
                    try child.readText(in: &reader)?.hasPrefix("image/") == true
                {
                    kind = .image
                }
            }
            recordMetadata(kind: kind, range: file.range)
        }
    }

    /// Reads a Tags element: RFC 9559, section 5.1.8.
    mutating func readTags(
        _ tags: EBMLElement, in reader: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        var position = tags.contentOffset
        while let tag = try walker.nextElement(position: &position, before: tags.endOffset, in: &reader) {
            if tag.id == MatroskaElementID.tag { try readTag(tag, depth: 3, in: &reader, walker: &walker) }
        }
    }

    /// Reads a Tag or a SimpleTag, which may contain other SimpleTags.
    private mutating func readTag(
        _ tag: EBMLElement, depth: Int, in reader: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        if depth > nestingLimit {
            throw AudioError(
                .limitExceeded, offset: tag.startOffset,
                message: "the tags are nested too deeply (at most \(nestingLimit) levels)")
        }
        var position = tag.contentOffset
        while let child = try walker.nextElement(position: &position, before: tag.endOffset, in: &reader) {
            switch child.id {
            case MatroskaElementID.simpleTag: try readTag(child, depth: depth + 1, in: &reader, walker: &walker)
            case MatroskaElementID.tagName:
                if let kind = Self.metadataKind(tagName: try child.readText(in: &reader) ?? "") {
                    recordMetadata(kind: kind, range: tag.range)
                }
            default: break
            }
        }
    }

    /// Returns the kind of a tag, or `nil` if it only describes the program that wrote the file, or values that can be
    /// counted in the file.
    private static func metadataKind(tagName: String) -> MetadataItem.Kind? {
        // FFmpeg and mkvmerge append the language.
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
