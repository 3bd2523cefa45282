/// What a Segment carries beside its tracks.
struct MatroskaMetadata {
    private(set) var items: [Metadata] = []
    private let nesting: Int

    init(_ limits: AudioLimits) { nesting = limits.nesting }

    /// Beyond 1,000 no more are listed: tags without number must not fill memory.
    mutating func add(_ kind: Metadata.Kind, _ range: Range<Int>) {
        if items.count < 1000 { items.append(Metadata(kind, range)) }
    }

    /// An Attachments element: RFC 9559, section 5.1.6.
    mutating func readAttachments(
        _ attachments: EBMLElement, in window: inout ByteWindow, _ reader: inout EBMLReader
    ) throws(AudioError) {
        var position = attachments.content
        while let file = try reader.next(&position, before: attachments.end, in: &window) {
            guard file.id == MatroskaID.attachedFile else { continue }
            var kind = Metadata.Kind.application, inner = file.content
            while let child = try reader.next(&inner, before: file.end, in: &window) {
                if child.id == MatroskaID.fileMediaType, try child.text(&window)?.hasPrefix("image/") == true {
                    kind = .picture
                }
            }
            add(kind, file.range)
        }
    }

    /// A Tags element: RFC 9559, section 5.1.8.
    mutating func readTags(
        _ tags: EBMLElement, in window: inout ByteWindow, _ reader: inout EBMLReader
    ) throws(AudioError) {
        var position = tags.content
        while let tag = try reader.next(&position, before: tags.end, in: &window) {
            if tag.id == MatroskaID.tag { try readTag(tag, depth: 3, in: &window, &reader) }
        }
    }

    /// A Tag, or a SimpleTag, which may have others inside.
    private mutating func readTag(
        _ tag: EBMLElement, depth: Int, in window: inout ByteWindow, _ reader: inout EBMLReader
    ) throws(AudioError) {
        if depth > nesting { throw AudioError(.limit, offset: tag.start, "tags are nested more than \(nesting) deep") }
        var position = tag.content
        while let child = try reader.next(&position, before: tag.end, in: &window) {
            switch child.id {
            case MatroskaID.simpleTag: try readTag(child, depth: depth + 1, in: &window, &reader)
            case MatroskaID.tagName:
                if let kind = Self.kind(try child.text(&window) ?? "") { add(kind, tag.range) }
            default: break
            }
        }
    }

    /// What a tag of that name is about; nil if it tells of nothing but the program that wrote the file, or of what can
    /// be counted in it.
    private static func kind(_ tagName: String) -> Metadata.Kind? {
        // ffmpeg and mkvmerge append the language.
        let name = tagName.uppercased().split(separator: "-").first ?? ""
        if name.hasPrefix("_STATISTICS_") || technical.contains(name) { return nil }
        return positions.contains(name) || name.hasSuffix("LOCATION.ISO6709") ? .position : .text
    }

    private static let technical: Set<Substring> = [
        "ENCODER", "ENCODER_OPTIONS", "ENCODER_SETTINGS", "DURATION", "BPS", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES",
    ]
    private static let positions: Set<Substring> = [
        "LOCATION", "RECORDING_LOCATION", "GEO", "GPS", "COORDINATES", "LATITUDE", "LONGITUDE",
    ]
}
