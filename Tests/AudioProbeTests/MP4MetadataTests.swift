import AudioProbe
import Testing

@Suite("MP4: what a file carries beside its sound")
struct MP4MetadataTests {
    /// `udta` with iTunes' items.
    static func userData(items: [UInt8]) -> [UInt8] {
        let hdlr = MP4Builder.fullBox("hdlr", big(0, 4) + ascii("mdir") + big(0, 13))
        return MP4Builder.box("udta", MP4Builder.fullBox("meta", hdlr + MP4Builder.box("ilst", items)))
    }

    static func item(_ type: String) -> [UInt8] {
        MP4Builder.box(type, MP4Builder.box("data", big(1, 4) + big(0, 4) + ascii("text")))
    }

    static let xmp = MP4Builder.box(
        "uuid",
        [0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC] + ascii("<x/>")
    )

    /// QuickTime's items, whose names are in a list.
    static func named(_ names: [String], itemsFirst: Bool = false, before: [UInt8] = []) -> [UInt8] {
        let hdlr = MP4Builder.fullBox("hdlr", big(0, 4) + ascii("mdta") + big(0, 13))
        let keys = MP4Builder.fullBox("keys", big(names.count, 4) + names.flatMap { MP4Builder.box("mdta", ascii($0)) })
        let items = names.indices.flatMap { item(String(decoding: big($0 + 1, 4), as: UTF8.self)) }
        let list = MP4Builder.box("ilst", items)
        return MP4Builder.box("meta", before + hdlr + (itemsFirst ? list + keys : keys + list))
    }

    /// Checks that the file has just this metadata, and that erasing what can be leaves the rest.
    func expect(_ kinds: [MetadataItem.Kind], erasable: Int, in file: [UInt8]) throws {
        let recording = try probe(file)
        #expect(recording.metadata.map(\.kind) == kinds)
        #expect(recording.metadata.count(where: \.isErasable) == erasable)
        #expect(recording.warnings.map(\.code) == (kinds.count > erasable ? [.carriesMetadata] : []))
        var erased = file
        for item in recording.metadata where item.isErasable {
            erased.replaceSubrange(
                item.range.dropFirst(4), with: ascii("free") + [UInt8](repeating: 0, count: item.range.count - 8))
        }
        let rest = try probe(erased)
        #expect(rest.metadata == recording.metadata.filter { !$0.isErasable })
        #expect(rest.tracks == recording.tracks)
        #expect(rest.completeness == .complete)
    }

    @Test(
        "Positions and XMP can be erased, whatever box they are in",
        arguments: [
            (MP4Builder.box("udta", MP4Builder.box("\u{A9}xyz", big(0, 4) + ascii("+48+011/"))), .location),
            (MP4Builder.box("udta", MP4Builder.fullBox("loci", big(0, 20))), .location),
            (MP4Builder.box("udta", MP4Builder.box("XMP_", ascii("<x/>"))), .xmp),
            (MP4Builder.box("udta", xmp), .xmp), (xmp, .xmp), (userData(items: item("\u{A9}xyz")), .location),
            (named(["com.apple.quicktime.location.ISO6709"]), .location),
            (named(["com.apple.quicktime.software", "com.apple.quicktime.location.accuracy.horizontal"]), .location),
            (MP4Builder.box("udta", named(["location"])), .location),
            (named(["location"], itemsFirst: true), .location),
            (named(["location"], before: MP4Builder.box("free", [])), .location),
        ] as [([UInt8], MetadataItem.Kind)])
    func erasable(boxes: [UInt8], kind: MetadataItem.Kind) throws {
        var builder = MP4Builder()
        builder.movieBoxes = boxes
        try expect([kind], erasable: 1, in: builder.bytes())
        builder.movieBoxes = []
        builder.tracks[0].boxes = boxes
        try expect([kind], erasable: 1, in: builder.bytes())
        builder.tracks[0].boxes = []
        (builder.fileBoxes, builder.firstBoxes) = (boxes, boxes)
        try expect([kind, kind], erasable: 2, in: builder.bytes())
        var fragment = MP4Fragment(decodeTime: 0)
        fragment.boxes = boxes
        try expect([kind], erasable: 1, in: MP4Builder.fragmented([fragment]))
    }

    @Test("A second description isn't believed, but its metadata go along with the file, as do those of lone fragments")
    func secondMovie() throws {
        var second = MP4Builder()
        second.movieBoxes = Self.xmp
        var builder = MP4Builder()
        builder.fileBoxes = second.movie(mediaStart: 0)
        try expect([.xmp], erasable: 1, in: builder.bytes())
        var fragment = MP4Fragment()
        fragment.boxes = Self.xmp
        let lone = try probe(MP4Builder.box("styp", ascii("msdh")) + fragment.bytes(at: 12))
        #expect(lone.metadata.map(\.kind) == [.xmp])
    }

    @Test("The range is that of the whole box")
    func range() throws {
        var builder = MP4Builder()
        builder.fileBoxes = Self.xmp
        let file = builder.bytes()
        #expect(
            try probe(file).metadata == [
                MetadataItem(kind: .xmp, range: file.count - Self.xmp.count..<file.count, isErasable: true)
            ])
    }

    @Test(
        "The rest is reported",
        arguments: [
            (userData(items: item("\u{A9}nam") + item("\u{A9}too") + item("trkn") + item("covr")), [.text, .image]),
            (MP4Builder.box("udta", MP4Builder.box("\u{A9}mak", ascii("Maker"))), [.text]),
            (MP4Builder.box("udta", MP4Builder.fullBox("titl", ascii("Title"))), [.text]),
            (MP4Builder.box("udta", MP4Builder.box("abcd", big(0, 8))), [.applicationData]),
            (named(["com.apple.quicktime.make", "com.apple.quicktime.creationdate"]), [.text, .text]),
            (MP4Builder.box("uuid", big(77, 16)), [.applicationData]),
            (MP4Builder.fullBox("meta", MP4Builder.fullBox("ID32", big(0, 20))), [.text]),
            // The encoder's name, what only players need, and padding are of no weight.
            (userData(items: item("\u{A9}too") + item("cpil")), []),
            (MP4Builder.box("udta", MP4Builder.box("\u{A9}swr", big(0, 4)) + big(0, 4)), []),
            (MP4Builder.box("uuid", ascii("USMT") + big(0, 12)), []), (MP4Builder.box("free", big(0, 40)), []),
        ] as [([UInt8], [MetadataItem.Kind])])
    func reported(boxes: [UInt8], kinds: [MetadataItem.Kind]) throws {
        var builder = MP4Builder()
        builder.movieBoxes = boxes
        try expect(kinds, erasable: 0, in: builder.bytes())
    }

    @Test("A track of positions can't be erased")
    func positionTrack() throws {
        let keys = MP4Builder.box(
            "keys", MP4Builder.box("keyd", ascii("mdtacom.apple.quicktime.location.ISO6709")))
        for (entry, kinds) in [
            (MP4Builder.box("mebx", big(0, 8) + keys), [MetadataItem.Kind.location]),
            (MP4Builder.box("camm", big(0, 8)), [.location]), (MP4Builder.box("tmcd", big(0, 8)), []),
        ] {
            var builder = MP4Builder()
            var track = MP4Track(id: 2)
            (track.handler, track.entry) = ("meta", entry)
            builder.tracks.append(track)
            try expect(kinds, erasable: 0, in: builder.bytes())
        }
    }
}
