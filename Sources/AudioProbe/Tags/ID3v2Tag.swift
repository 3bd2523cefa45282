/// What an ID3v2 tag says beside the sound: of ID3v2.2, 2.3 and 2.4 the names and sizes of the frames alone.
enum ID3v2Tag {
    /// The kinds of what the tag at `range` holds.
    static func kinds(in range: Range<Int>, _ window: inout ByteWindow) throws(AudioError) -> [Metadata.Kind] {
        guard let version = try window.uint8(at: range.lowerBound + 3),
            let flags = try window.uint8(at: range.lowerBound + 5)
        else { return [] }
        var kinds: [Metadata.Kind] = []
        var position = range.lowerBound + 10
        if flags & 0x40 != 0, version > 2 { position += try extendedHeader(at: position, version, in: &window) }
        while position < range.upperBound, let frame = try frame(at: position, version, in: &window) {
            if let kind = frame.kind, !kinds.contains(kind) { kinds.append(kind) }
            position += frame.length
        }
        return kinds
    }

    /// Bytes of the extended header: its size includes itself only in ID3v2.4.
    private static func extendedHeader(
        at offset: Int, _ version: Int, in window: inout ByteWindow
    ) throws(AudioError) -> Int {
        guard let size = try window.uint32(at: offset) else { return 0 }
        return version == 3 ? size + 4 : LeadingTags.unsynchronised(size) ?? 0
    }

    /// The frame at `offset`, header included; nil where the padding begins, or nothing that could be a frame is.
    private static func frame(
        at offset: Int, _ version: Int, in window: inout ByteWindow
    ) throws(AudioError) -> (length: Int, kind: Metadata.Kind?)? {
        let isShort = version == 2
        guard let name = try window.bytes(at: offset, count: isShort ? 3 : 4),
            name.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }),
            let word = try window.uint32(at: offset + (isShort ? 2 : 4))
        else { return nil }
        let size = isShort ? word & 0xFF_FFFF : version == 3 ? word : LeadingTags.unsynchronised(word) ?? word
        let header = isShort ? 6 : 10
        if name.starts(with: "PRIV".utf8), try window.has("XMP\0", at: offset + header) { return (header + size, .xmp) }
        return (header + size, kind(String(decoding: name, as: UTF8.self)))
    }

    /// Of the frame called so; nil if it is about the encoding alone.
    private static func kind(_ name: String) -> Metadata.Kind? {
        switch name {
        case "APIC", "PIC": .picture
        // The encoder and its settings, lengths, volumes, and where to find what.
        case "TSSE", "TSS", "TLEN", "TLE", "RVA2", "RVAD", "RVA", "RGAD", "XRVA", "EQU2", "EQUA", "EQU", "RVRB", "REV",
            "MLLT", "MLL", "SEEK", "ASPI", "RBUF", "BUF", "SYTC", "STC", "ETCO", "ETC", "PCNT", "CNT":
            nil
        case _ where name.hasPrefix("T") || name.hasPrefix("W"): .text
        case "COMM", "COM", "USLT", "ULT", "SYLT", "SLT", "IPLS", "IPL", "USER", "OWNE", "COMR", "POPM", "POP", "CHAP",
            "CTOC", "UFID", "UFI":
            .text
        default: .application
        }
    }
}
