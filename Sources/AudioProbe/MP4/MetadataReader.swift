/// Collects what a file carries beside its sound, at whatever level it stands: user data of ISO/IEC 14496-12, 8.10, and
/// QuickTime, iTunes' items, 3GPP TS 26.244, 8, and XMP.
///
/// An item that is erasable goes away when its whole range, which is that of a box, is made a box `free` of the same size:
/// its first four bytes stay, the type behind becomes `free`, and what follows becomes zeros; but where the first four hold
/// the number 1, the eight bytes behind the type are the size, and stay too. Nothing moves, so that every offset in the file
/// remains right. Items of `ilst` are boxes as well, and players pass over one of a name that they don't know.
struct MetadataReader {
    private(set) var items: [Metadata] = []
    /// What iTunes says of the encoder's delay.
    private(set) var gapless: GaplessTag?
    private let limits: AudioLimits
    /// What the items of `ilst` are about that have a number for a name; nil for those of no weight.
    private var keys: [Int: Metadata.Kind?] = [:]

    init(_ limits: AudioLimits) { self.limits = limits }

    /// Reads `box` if it is metadata, or holds such; any other is passed over.
    mutating func read(
        _ box: Box, depth: Int, _ walker: inout BoxWalker, in window: inout ByteWindow
    ) throws(AudioError) {
        switch box.type {
        case "udta": try readChildren(of: box, depth, &walker, in: &window)
        case "meta":
            keys = [:]
            // Items may stand before their names.
            try readChildren(of: box, depth, &walker, in: &window) { $0.type == "keys" }
            try readChildren(of: box, depth, &walker, in: &window) { $0.type != "keys" }
        case "ilst": try readItems(box, depth, &walker, in: &window)
        case "keys": try readKeys(box, depth, &walker, in: &window)
        case "uuid": try readUUID(box, in: &window)
        case "ID32": try add(.text, box)
        case "xml ", "bxml": try add(.application, box)
        default: break
        }
    }

    private mutating func readChildren(
        of box: Box, _ depth: Int, _ walker: inout BoxWalker, in window: inout ByteWindow,
        where isAskedFor: (Box) -> Bool = { _ in true }
    ) throws(AudioError) {
        var offset = box.content.lowerBound
        // ISO's `meta` has a version and flags, all 0; QuickTime's begins with a box, whose size is 8 at least.
        if box.type == "meta", try window.uint32(at: offset) ?? 0 < 8 { offset += 4 }
        while let child = try walker.box(at: offset, in: box.content, depth: depth + 1, &window) {
            offset = child.range.upperBound
            if !isAskedFor(child) { continue }
            if box.type != "udta" || child.type == "meta" || child.type == "uuid" {
                try read(child, depth: depth + 1, &walker, in: &window)
            } else if let kind = MetadataNames.userData(child.type) {
                try add(kind, child)
            }
        }
    }

    /// `keys` of QuickTime: names, which the items refer to by their numbers from 1 on.
    private mutating func readKeys(
        _ box: Box, _ depth: Int, _ walker: inout BoxWalker, in window: inout ByteWindow
    ) throws(AudioError) {
        // Version, flags and a count come first; each name looks like a box, whose type is the namespace.
        var offset = box.content.lowerBound + 8, number = 1
        while let key = try walker.box(at: offset, in: box.content, depth: depth + 1, &window) {
            try checkLimit(keys.count, box)
            keys[number] = MetadataNames.key(try text(key.content, in: &window))
            offset = key.range.upperBound
            number += 1
        }
    }

    private mutating func readItems(
        _ box: Box, _ depth: Int, _ walker: inout BoxWalker, in window: inout ByteWindow
    ) throws(AudioError) {
        var offset = box.content.lowerBound
        while let item = try walker.box(at: offset, in: box.content, depth: depth + 1, &window) {
            offset = item.range.upperBound
            let kind: Metadata.Kind?
            if item.type == "----" {
                kind = try readFreeForm(item, depth + 1, &walker, in: &window)
            } else if item.type.code < 1 << 16 {
                // A number without a name is only known to who wrote it.
                kind = keys[Int(item.type.code)] ?? .application
            } else {
                kind = MetadataNames.item(item.type)
            }
            if let kind { try add(kind, item) }
        }
    }

    /// Reads an item whose name is spelt out in it; returns what it is about.
    private mutating func readFreeForm(
        _ item: Box, _ depth: Int, _ walker: inout BoxWalker, in window: inout ByteWindow
    ) throws(AudioError) -> Metadata.Kind? {
        var offset = item.content.lowerBound, name = ""
        while let part = try walker.box(at: offset, in: item.content, depth: depth + 1, &window) {
            offset = part.range.upperBound
            // `name` has a version and flags in front of it, `data` a type and a language.
            if part.type == "name" {
                name = try text(part.content.dropFirst(4), in: &window)
            } else if part.type == "data", name == "iTunSMPB", gapless == nil {
                gapless = GaplessTag(try text(part.content.dropFirst(8), in: &window))
            }
        }
        return name.hasPrefix("iTun") ? nil : MetadataNames.key(name)
    }

    /// The beginning of a text; names and what is read here are shorter than 256 bytes.
    private func text(_ range: Range<Int>, in window: inout ByteWindow) throws(AudioError) -> String {
        let bytes = try window.bytes(at: range.lowerBound, count: min(range.count, 256))
        return String(decoding: bytes ?? [], as: UTF8.self)
    }

    private mutating func readUUID(_ box: Box, in window: inout ByteWindow) throws(AudioError) {
        guard box.content.count >= 16, let uuid = try window.bytes(at: box.content.lowerBound, count: 16) else {
            return
        }
        if uuid == MetadataNames.xmp {
            try add(.xmp, box)
        } else if !MetadataNames.technicalUUIDs.contains(where: { uuid.starts(with: $0) }) {
            try add(.application, box)
        }
    }

    private mutating func add(_ kind: Metadata.Kind, _ box: Box) throws(AudioError) {
        try checkLimit(items.count, box)
        items.append(Metadata(kind, box.range, isErasable: (kind == .position || kind == .xmp) && !box.isCut))
    }

    private func checkLimit(_ count: Int, _ box: Box) throws(AudioError) {
        guard count < limits.tracks else {
            throw AudioError(
                .limit, offset: box.range.lowerBound, "there are more than \(limits.tracks) items of metadata")
        }
    }

    /// Looks at what the samples of a track are that is neither sound nor video: some record where the camera was, and
    /// one may be an attached picture.
    mutating func readSamples(of track: ISOTrack, in window: inout ByteWindow) throws(AudioError) {
        guard let entry = track.sampleEntry else { return }
        let kind: Metadata.Kind? =
            switch entry.type {
            case "camm", "gpmd": .position
            case "mebx": try namesLocation(entry, in: &window) ? .position : nil
            case "mett", "metx", "urim", "rtmd": .application
            case "jpeg", "png ": .picture
            default: nil
            }
        if let kind { items.append(Metadata(kind, track.range)) }
    }

    /// Whether the names of what a track of QuickTime's metadata holds have one of a location among them.
    private func namesLocation(_ entry: Box, in window: inout ByteWindow) throws(AudioError) -> Bool {
        let length = min(entry.content.count, ByteWindow.largest)
        return try window.bytes(at: entry.content.lowerBound, count: length)?.holds(Array("location".utf8)) ?? false
    }
}

/// The delay that iTunes notes, "iTunSMPB": hexadecimal numbers, of which the second is the delay, the third the padding and
/// the fourth the samples between.
struct GaplessTag: Hashable {
    let delay: Int
    let padding: Int
    let samples: Int

    /// Nil if `text` has no such numbers, or they are beyond reason.
    init?(_ text: String) {
        let numbers = text.split(separator: " ").prefix(4).map { Int($0, radix: 16) }
        guard numbers.count == 4, let delay = numbers[1], let padding = numbers[2], let samples = numbers[3],
            [delay, padding].allSatisfy({ (0..<1 << 24).contains($0) }), (0..<1 << 48).contains(samples)
        else { return nil }
        (self.delay, self.padding, self.samples) = (delay, padding, samples)
    }
}
