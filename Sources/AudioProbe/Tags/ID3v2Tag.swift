/// Reads the metadata of an ID3v2 tag, from the IDs and sizes of its frames. Supports ID3v2.2, 2.3 and 2.4.
enum ID3v2Tag {
    /// Returns the kinds of metadata in the first frames of the tag at `range`, each kind once.
    static func metadataKinds(range: Range<Int>, in reader: inout BufferedFileReader) throws(AudioError)
        -> [MetadataItem.Kind]
    {
        guard let version = try reader.uint8(at: range.lowerBound + 3),
            let flags = try reader.uint8(at: range.lowerBound + 5)
        else { return [] }
        var kinds: [MetadataItem.Kind] = []
        var position = range.lowerBound + 10, frameCount = 0
        if flags & 0x40 != 0, version > 2 {
            position += try extendedHeaderLength(at: position, version: version, in: &reader)
        }
        while position < range.upperBound, frameCount < MetadataTag.maxItemCount,
            let frame = try frame(at: position, version: version, in: &reader)
        {
            if let kind = frame.kind, !kinds.contains(kind) { kinds.append(kind) }
            position += frame.length
            frameCount += 1
        }
        return kinds
    }

    /// Returns the bytes of the extended header. Its size field includes itself only in ID3v2.4.
    private static func extendedHeaderLength(
        at offset: Int, version: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Int {
        guard let size = try reader.uint32(at: offset) else { return 0 }
        return version == 3 ? size + 4 : LeadingTags.decodeSynchsafeInteger(size) ?? 0
    }

    /// Returns the frame at `offset`, with its length including the header, or `nil` at the padding or at invalid
    /// bytes.
    private static func frame(
        at offset: Int, version: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> (length: Int, kind: MetadataItem.Kind?)? {
        let isShort = version == 2
        guard let name = try reader.bytes(at: offset, count: isShort ? 3 : 4),
            name.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }),
            let word = try reader.uint32(at: offset + (isShort ? 2 : 4))
        else { return nil }
        let size = isShort ? word & 0xFF_FFFF : version == 3 ? word : LeadingTags.decodeSynchsafeInteger(word) ?? word
        let header = isShort ? 6 : 10
        if name.starts(with: "PRIV".utf8), try reader.hasASCII("XMP\0", at: offset + header) {
            return (header + size, .xmp)
        }
        return (header + size, metadataKind(ofFrameID: String(decoding: name, as: UTF8.self)))
    }

    /// Returns the kind of a frame, or `nil` if it only describes the encoding.
    private static func metadataKind(ofFrameID frameID: String) -> MetadataItem.Kind? {
        switch frameID {
        case "APIC", "PIC": .image
        // The encoder and its settings, lengths, volumes, and indexes.
        case "TSSE", "TSS", "TLEN", "TLE", "RVA2", "RVAD", "RVA", "RGAD", "XRVA", "EQU2", "EQUA", "EQU", "RVRB", "REV",
            "MLLT", "MLL", "SEEK", "ASPI", "RBUF", "BUF", "SYTC", "STC", "ETCO", "ETC", "PCNT", "CNT":
            nil
        case _ where frameID.hasPrefix("T") || frameID.hasPrefix("W"): .text
        case "COMM", "COM", "USLT", "ULT", "SYLT", "SLT", "IPLS", "IPL", "USER", "OWNE", "COMR", "POPM", "POP", "CHAP",
            "CTOC", "UFID", "UFI":
            .text
        default: .applicationData
        }
    }
}
