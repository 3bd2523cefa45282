internal import MediaContainers

/// Collects the metadata of a file at all levels.
///
/// It supports the user data of ISO/IEC 14496-12, 8.10, and of QuickTime, iTunes items, 3GPP TS 26.244, section 8, and
/// XMP.
///
/// An erasable item is removed by replacing its range, which is that of a box, with a `free` box of the same size. The
/// first four bytes stay, the type after them becomes `free`, and the rest becomes zeros. If the first four bytes are
/// the number 1, the eight bytes after the type are the size and stay too. Nothing moves, so all offsets in the file
/// remain valid. Items of `ilst` are boxes too, and players ignore an item with an unknown type.
struct ISOMetadataReader {
    private(set) var metadataItems: [MetadataItem] = []
    /// The encoder's delay and padding as stated by iTunes, or `nil`.
    private(set) var gaplessTag: ITunesGaplessTag?
    private let limits: AudioLimits
    /// The kinds of `ilst` items by the number of their key. A `nil` kind is not reported.
    private var metadataKindsByKeyIndex: [Int: MetadataItem.Kind?] = [:]

    init(limits: AudioLimits) { self.limits = limits }

    /// Reads `box` if it is metadata or contains metadata. Other boxes are ignored.
    mutating func readMetadataBox(
        _ box: ISOBox, depth: Int, walker: inout ISOBoxWalker, in reader: inout BufferedFileReader
    ) throws(AudioError) {
        switch box.type {
        case "udta": try readChildBoxes(of: box, depth: depth, walker: &walker, in: &reader)
        case "meta":
            metadataKindsByKeyIndex = [:]
            // Items may precede their keys.
            try readChildBoxes(of: box, depth: depth, walker: &walker, in: &reader) { $0.type == "keys" }
            try readChildBoxes(of: box, depth: depth, walker: &walker, in: &reader) { $0.type != "keys" }
        case "ilst": try readItemList(box, depth: depth, walker: &walker, in: &reader)
        case "keys": try readKeysBox(box, depth: depth, walker: &walker, in: &reader)
        case "uuid": try readUUIDBox(box, in: &reader)
        case "ID32": try recordMetadata(kind: .text, box: box)
        case "xml ", "bxml": try recordMetadata(kind: .applicationData, box: box)
        default: break
        }
    }

    private mutating func readChildBoxes(
        of box: ISOBox, depth: Int, walker: inout ISOBoxWalker, in reader: inout BufferedFileReader,
        where shouldRead: (ISOBox) -> Bool = { _ in true }
    ) throws(AudioError) {
        var offset = box.contentRange.lowerBound
        // ISO's `meta` begins with a version and flags of 0. QuickTime's begins with a box, with a size of at least 8.
        if box.type == "meta", try reader.uint32(at: offset) ?? 0 < 8 { offset += 4 }
        while let child = try walker.readBox(at: offset, within: box.contentRange, depth: depth + 1, in: &reader) {
            offset = child.range.upperBound
            if !shouldRead(child) { continue }
            if box.type != "udta" || child.type == "meta" || child.type == "uuid" {
                try readMetadataBox(child, depth: depth + 1, walker: &walker, in: &reader)
            } else if let kind = MetadataClassifier.metadataKind(userDataBoxType: child.type) {
                try recordMetadata(kind: kind, box: child)
            }
        }
    }

    /// Reads QuickTime's `keys`: the names to which items refer by their numbers, from 1 on.
    private mutating func readKeysBox(
        _ box: ISOBox, depth: Int, walker: inout ISOBoxWalker, in reader: inout BufferedFileReader
    ) throws(AudioError) {
        // The version, flags and a count come first. Each key has the form of a box with its namespace as the type.
        var offset = box.contentRange.lowerBound + 8, number = 1
        while let key = try walker.readBox(at: offset, within: box.contentRange, depth: depth + 1, in: &reader) {
            try checkItemLimit(count: metadataKindsByKeyIndex.count, box: box)
            metadataKindsByKeyIndex[number] = MetadataClassifier.metadataKind(
                keyName: try readText(range: key.contentRange, in: &reader))
            offset = key.range.upperBound
            number += 1
        }
    }

    private mutating func readItemList(
        _ box: ISOBox, depth: Int, walker: inout ISOBoxWalker, in reader: inout BufferedFileReader
    ) throws(AudioError) {
        var offset = box.contentRange.lowerBound
        while let item = try walker.readBox(at: offset, within: box.contentRange, depth: depth + 1, in: &reader) {
            offset = item.range.upperBound
            let kind: MetadataItem.Kind?
            if item.type == "----" {
                kind = try readFreeFormItem(item, depth: depth + 1, walker: &walker, in: &reader)
            } else if item.type.code < 1 << 16 {
                // The meaning of a number without a key is unknown.
                kind = metadataKindsByKeyIndex[Int(item.type.code)] ?? .applicationData
            } else {
                kind = MetadataClassifier.metadataKind(iTunesItemType: item.type)
            }
            if let kind { try recordMetadata(kind: kind, box: item) }
        }
    }

    /// Reads an item that contains its own name.
    ///
    /// - Returns: The kind of metadata, or `nil` if the item is not reported.
    private mutating func readFreeFormItem(
        _ item: ISOBox, depth: Int, walker: inout ISOBoxWalker, in reader: inout BufferedFileReader
    ) throws(AudioError) -> MetadataItem.Kind? {
        var offset = item.contentRange.lowerBound, name = ""
        while let part = try walker.readBox(at: offset, within: item.contentRange, depth: depth + 1, in: &reader) {
            offset = part.range.upperBound
            // `name` begins with a version and flags, `data` with a type and a language.
            if part.type == "name" {
                name = try readText(range: part.contentRange.dropFirst(4), in: &reader)
            } else if part.type == "data", name == "iTunSMPB", gaplessTag == nil {
                gaplessTag = ITunesGaplessTag(parsing: try readText(range: part.contentRange.dropFirst(8), in: &reader))
            }
        }
        return name.hasPrefix("iTun") ? nil : MetadataClassifier.metadataKind(keyName: name)
    }

    /// Returns the first 256 bytes of a text. The names and values that are read here are shorter.
    private func readText(range: Range<Int>, in reader: inout BufferedFileReader) throws(AudioError) -> String {
        let bytes = try reader.bytes(at: range.lowerBound, count: min(range.count, 256))
        return String(decoding: bytes ?? [], as: UTF8.self)
    }

    private mutating func readUUIDBox(_ box: ISOBox, in reader: inout BufferedFileReader) throws(AudioError) {
        guard box.contentRange.count >= 16, let uuid = try reader.bytes(at: box.contentRange.lowerBound, count: 16)
        else {
            return
        }
        if uuid == MetadataClassifier.xmpUUID {
            try recordMetadata(kind: .xmp, box: box)
        } else if !MetadataClassifier.technicalUUIDPrefixes.contains(where: { uuid.starts(with: $0) }) {
            try recordMetadata(kind: .applicationData, box: box)
        }
    }

    private mutating func recordMetadata(kind: MetadataItem.Kind, box: ISOBox) throws(AudioError) {
        try checkItemLimit(count: metadataItems.count, box: box)
        metadataItems.append(
            MetadataItem(
                kind: kind, range: box.range, isErasable: (kind == .location || kind == .xmp) && !box.isTruncated))
    }

    private func checkItemLimit(count: Int, box: ISOBox) throws(AudioError) {
        guard count < limits.tracks else {
            throw AudioError(
                .limitExceeded, offset: box.range.lowerBound,
                message: "too many metadata items (at most \(limits.tracks))")
        }
    }

    /// Records metadata in a track that is neither audio nor video: some tracks record the camera's location, and one
    /// may be an attached image.
    mutating func recordMetadataTrack(_ track: ISOTrack, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let entry = track.sampleEntry else { return }
        let kind: MetadataItem.Kind? =
            switch entry.type {
            case "camm", "gpmd": .location
            case "mebx": try hasLocationKey(sampleEntry: entry, in: &reader) ? .location : nil
            case "mett", "metx", "urim", "rtmd": .applicationData
            case "jpeg", "png ": .image
            default: nil
            }
        if let kind { metadataItems.append(MetadataItem(kind: kind, range: track.boxRange)) }
    }

    /// Returns whether the keys of a QuickTime metadata track include a location.
    private func hasLocationKey(sampleEntry entry: ISOBox, in reader: inout BufferedFileReader) throws(AudioError)
        -> Bool
    {
        let length = min(entry.contentRange.count, BufferedFileReader.maxBufferSize)
        return try reader.bytes(at: entry.contentRange.lowerBound, count: length)?.contains(
            subsequence: Array("location".utf8)) ?? false
    }
}

/// The delay in iTunes' "iTunSMPB": hexadecimal numbers, of which the second is the delay, the third the padding, and
/// the fourth the number of samples between them.
struct ITunesGaplessTag: Hashable {
    let encoderDelaySamples: Int
    let encoderPaddingSamples: Int
    let sampleCount: Int

    /// Parses the numbers. Returns `nil` if they are missing or implausible.
    init?(parsing text: String) {
        let numbers = text.split(separator: " ").prefix(4).map { Int($0, radix: 16) }
        guard numbers.count == 4, let delay = numbers[1], let padding = numbers[2], let samples = numbers[3],
            [delay, padding].allSatisfy({ (0..<1 << 24).contains($0) }), (0..<1 << 48).contains(samples)
        else { return nil }
        (self.encoderDelaySamples, self.encoderPaddingSamples, self.sampleCount) = (delay, padding, samples)
    }
}
