import AudioProbe
import Diagnostics
import Testing

@Suite("MP4: metadata")
struct MP4MetadataTests {
    /// `udta` with iTunes' items.
    static func makeUserDataBox(items: [UInt8]) -> [UInt8] {
        let hdlr = MP4Builder.fullBox(
            type: "hdlr", content: bigEndianBytes(0, count: 4) + asciiBytes("mdir") + bigEndianBytes(0, count: 13))
        return MP4Builder.box(
            type: "udta",
            content: MP4Builder.fullBox(type: "meta", content: hdlr + MP4Builder.box(type: "ilst", content: items)))
    }

    static func makeItem(_ type: String) -> [UInt8] {
        MP4Builder.box(
            type: type,
            content: MP4Builder.box(
                type: "data", content: bigEndianBytes(1, count: 4) + bigEndianBytes(0, count: 4) + asciiBytes("text")))
    }

    static let xmp = MP4Builder.box(
        type: "uuid",
        content: [0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC]
            + asciiBytes("<x/>")
    )

    /// QuickTime's items, whose names are in a list.
    static func makeNamedItems(_ names: [String], itemsFirst: Bool = false, before: [UInt8] = []) -> [UInt8] {
        let hdlr = MP4Builder.fullBox(
            type: "hdlr", content: bigEndianBytes(0, count: 4) + asciiBytes("mdta") + bigEndianBytes(0, count: 13))
        let keys = MP4Builder.fullBox(
            type: "keys",
            content: bigEndianBytes(names.count, count: 4)
                + names.flatMap { MP4Builder.box(type: "mdta", content: asciiBytes($0)) })
        let items = names.indices.flatMap {
            makeItem(String(decoding: bigEndianBytes($0 + 1, count: 4), as: UTF8.self))
        }
        let list = MP4Builder.box(type: "ilst", content: items)
        return MP4Builder.box(type: "meta", content: before + hdlr + (itemsFirst ? list + keys : keys + list))
    }

    /// Checks the metadata of a file, and that erasing the erasable items leaves the others.
    func expectMetadata(_ kinds: [MetadataItem.Kind], erasable: Int, in file: [UInt8]) throws {
        let recording = try probeBytes(file)
        #expect(recording.metadata.map(\.kind) == kinds)
        #expect(recording.metadata.count(where: \.isErasable) == erasable)
        #expect(recording.warnings.map(\.code) == (kinds.count > erasable ? [.carriesMetadata] : []))
        var erased = file
        for item in recording.metadata where item.isErasable {
            erased.replaceSubrange(
                item.range.dropFirst(4), with: asciiBytes("free") + [UInt8](repeating: 0, count: item.range.count - 8))
        }
        let rest = try probeBytes(erased)
        #expect(rest.metadata == recording.metadata.filter { !$0.isErasable })
        #expect(rest.tracks == recording.tracks)
        #expect(rest.completeness == .complete)
    }

    @Test(
        "Positions and XMP are erasable in every box",
        arguments: [
            (
                MP4Builder.box(
                    type: "udta",
                    content: MP4Builder.box(
                        type: "\u{A9}xyz", content: bigEndianBytes(0, count: 4) + asciiBytes("+48+011/"))), .location
            ),
            (
                MP4Builder.box(
                    type: "udta", content: MP4Builder.fullBox(type: "loci", content: bigEndianBytes(0, count: 20))),
                .location
            ),
            (MP4Builder.box(type: "udta", content: MP4Builder.box(type: "XMP_", content: asciiBytes("<x/>"))), .xmp),
            (MP4Builder.box(type: "udta", content: xmp), .xmp), (xmp, .xmp),
            (makeUserDataBox(items: makeItem("\u{A9}xyz")), .location),
            (makeNamedItems(["com.apple.quicktime.location.ISO6709"]), .location),
            (
                makeNamedItems(["com.apple.quicktime.software", "com.apple.quicktime.location.accuracy.horizontal"]),
                .location
            ),
            (MP4Builder.box(type: "udta", content: makeNamedItems(["location"])), .location),
            (makeNamedItems(["location"], itemsFirst: true), .location),
            (makeNamedItems(["location"], before: MP4Builder.box(type: "free", content: [])), .location),
        ] as [([UInt8], MetadataItem.Kind)])
    func positionsAndXMPAreErasable(boxes: [UInt8], kind: MetadataItem.Kind) throws {
        var builder = MP4Builder()
        builder.movieBoxes = boxes
        try expectMetadata([kind], erasable: 1, in: builder.bytes())
        builder.movieBoxes = []
        builder.tracks[0].boxes = boxes
        try expectMetadata([kind], erasable: 1, in: builder.bytes())
        builder.tracks[0].boxes = []
        (builder.fileBoxes, builder.firstBoxes) = (boxes, boxes)
        try expectMetadata([kind, kind], erasable: 2, in: builder.bytes())
        var fragment = MP4Fragment(decodeTime: 0)
        fragment.boxes = boxes
        try expectMetadata([kind], erasable: 1, in: MP4Builder.makeFragmentedFile([fragment]))
    }

    @Test("Metadata in a second moov box and in lone fragments is reported")
    func secondMovieBoxContributesOnlyMetadata() throws {
        var second = MP4Builder()
        second.movieBoxes = Self.xmp
        var builder = MP4Builder()
        builder.fileBoxes = second.movieBox(mediaStart: 0)
        try expectMetadata([.xmp], erasable: 1, in: builder.bytes())
        var fragment = MP4Fragment()
        fragment.boxes = Self.xmp
        let lone = try probeBytes(MP4Builder.box(type: "styp", content: asciiBytes("msdh")) + fragment.encoded(at: 12))
        #expect(lone.metadata.map(\.kind) == [.xmp])
    }

    @Test("The range covers the whole box")
    func metadataRangeCoversWholeBox() throws {
        var builder = MP4Builder()
        builder.fileBoxes = Self.xmp
        let file = builder.bytes()
        #expect(
            try probeBytes(file).metadata == [
                MetadataItem(kind: .xmp, range: file.count - Self.xmp.count..<file.count, isErasable: true)
            ])
    }

    @Test(
        "Other metadata is reported",
        arguments: [
            (
                makeUserDataBox(
                    items: makeItem("\u{A9}nam") + makeItem("\u{A9}too") + makeItem("trkn") + makeItem("covr")),
                [.text, .image]
            ),
            (
                MP4Builder.box(type: "udta", content: MP4Builder.box(type: "\u{A9}mak", content: asciiBytes("Maker"))),
                [.text]
            ),
            (
                MP4Builder.box(type: "udta", content: MP4Builder.fullBox(type: "titl", content: asciiBytes("Title"))),
                [.text]
            ),
            (
                MP4Builder.box(
                    type: "udta", content: MP4Builder.box(type: "abcd", content: bigEndianBytes(0, count: 8))),
                [.applicationData]
            ),
            (makeNamedItems(["com.apple.quicktime.make", "com.apple.quicktime.creationdate"]), [.text, .text]),
            (MP4Builder.box(type: "uuid", content: bigEndianBytes(77, count: 16)), [.applicationData]),
            (
                MP4Builder.fullBox(
                    type: "meta", content: MP4Builder.fullBox(type: "ID32", content: bigEndianBytes(0, count: 20))),
                [.text]
            ),
            // The encoder's name, data for players, and padding are not reported.
            (makeUserDataBox(items: makeItem("\u{A9}too") + makeItem("cpil")), []),
            (
                MP4Builder.box(
                    type: "udta",
                    content: MP4Builder.box(type: "\u{A9}swr", content: bigEndianBytes(0, count: 4))
                        + bigEndianBytes(0, count: 4)), []
            ),
            (MP4Builder.box(type: "uuid", content: asciiBytes("USMT") + bigEndianBytes(0, count: 12)), []),
            (MP4Builder.box(type: "free", content: bigEndianBytes(0, count: 40)), []),
        ] as [([UInt8], [MetadataItem.Kind])])
    func otherMetadataIsReported(boxes: [UInt8], kinds: [MetadataItem.Kind]) throws {
        var builder = MP4Builder()
        builder.movieBoxes = boxes
        try expectMetadata(kinds, erasable: 0, in: builder.bytes())
    }

    @Test("A track of positions is not erasable")
    func positionTrackIsNotErasable() throws {
        let keys = MP4Builder.box(
            type: "keys",
            content: MP4Builder.box(type: "keyd", content: asciiBytes("mdtacom.apple.quicktime.location.ISO6709")))
        for (entry, kinds) in [
            (MP4Builder.box(type: "mebx", content: bigEndianBytes(0, count: 8) + keys), [MetadataItem.Kind.location]),
            (MP4Builder.box(type: "camm", content: bigEndianBytes(0, count: 8)), [.location]),
            (MP4Builder.box(type: "tmcd", content: bigEndianBytes(0, count: 8)), []),
        ] {
            var builder = MP4Builder()
            var track = MP4Track(id: 2)
            (track.handler, track.entry) = ("meta", entry)
            builder.tracks.append(track)
            try expectMetadata(kinds, erasable: 0, in: builder.bytes())
        }
    }
}
