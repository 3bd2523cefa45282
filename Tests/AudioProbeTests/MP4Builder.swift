/// Builds MP4, M4A, 3GP and QuickTime files from single boxes.
struct MP4Builder {
    /// The brand, or `nil` for a file without `ftyp`.
    var brand: String? = "M4A "
    var compatibleBrands: [String] = []
    var movieTimescale = 1000
    /// The duration in `mvhd`, or `nil` for that of the first track.
    var movieDuration: Int?
    var tracks = [MP4Track()]
    /// Boxes after the tracks in `moov`, at the end of the file, and after `ftyp`.
    var movieBoxes: [UInt8] = []
    var fileBoxes: [UInt8] = []
    var firstBoxes: [UInt8] = []
    var isMovieFirst = true
    /// The size in the header of `mdat`, or `nil` for the correct one.
    var mediaSize: Int?
    var hasLongMediaSize = false

    /// The file. The chunks of all tracks follow one another in one `mdat`.
    func bytes() -> [UInt8] {
        let start = fileType + firstBoxes
        let media = tracks.flatMap(\.media)
        let header = mediaDataHeader(byteCount: media.count)
        let movieLength = isMovieFirst ? movieBox(mediaStart: 0).count : 0
        let mediaStart = start.count + movieLength + header.count
        let movie = movieBox(mediaStart: mediaStart)
        return start + (isMovieFirst ? movie + header + media : header + media + movie) + fileBoxes
    }

    var fileType: [UInt8] {
        guard let brand else { return [] }
        return Self.box(
            type: "ftyp", content: asciiBytes(brand) + [0, 0, 0, 0] + compatibleBrands.flatMap { asciiBytes($0) })
    }

    func mediaDataHeader(byteCount count: Int) -> [UInt8] {
        var header = ByteBuilder()
        if hasLongMediaSize {
            header.appendBigEndian(1, byteCount: 4)
            header.append("mdat")
            header.appendBigEndian(mediaSize ?? count + 16, byteCount: 8)
        } else {
            header.appendBigEndian(mediaSize ?? count + 8, byteCount: 4)
            header.append("mdat")
        }
        return header.bytes
    }

    /// `moov`, with the first chunk at `mediaStart`.
    func movieBox(mediaStart: Int) -> [UInt8] {
        let first = tracks.first.map { $0.totalTime * movieTimescale / max(1, $0.timescale) } ?? 0
        let header =
            bigEndianBytes(0, count: 4) + bigEndianBytes(0, count: 4) + bigEndianBytes(0, count: 4)
            + bigEndianBytes(movieTimescale, count: 4) + bigEndianBytes(movieDuration ?? first, count: 4)
        var content = Self.box(type: "mvhd", content: header + [UInt8](repeating: 0, count: 80))
        var offset = mediaStart
        for track in tracks {
            content += track.trackBox(mediaStart: offset)
            offset += track.media.count
        }
        return Self.box(type: "moov", content: content + movieBoxes)
    }

    static func box(type: String, content: [UInt8]) -> [UInt8] {
        bigEndianBytes(content.count + 8, count: 4) + asciiBytes(type) + content
    }

    static func fullBox(type: String, version: Int = 0, flags: Int = 0, content: [UInt8]) -> [UInt8] {
        box(type: type, content: bigEndianBytes(version, count: 1) + bigEndianBytes(flags, count: 3) + content)
    }
}

/// A track of a built file.
struct MP4Track {
    var id = 1
    var isEnabled = true
    var handler = "soun"
    var timescale = 44_100
    /// The duration in `mdhd`, or `nil` for the sum of `times`.
    var duration: Int?
    /// The sample description, one box.
    var entry = MP4SampleEntry.aacEntry()
    var descriptionVersion = 0
    /// Bytes of each sample.
    var sizes = [Int](repeating: 10, count: 100)
    /// The common size in `stsz`, which replaces the list, for as many samples as `sizes` has or `count` states.
    var uniformSize: Int?
    var count: Int?
    /// The bits of each field in `stz2`, which replaces `stsz`.
    var compactBits: Int?
    /// The boxes that replace the table of sizes.
    var sizeTables: [[UInt8]] = []
    /// Runs of `stts`: samples, duration.
    var times = [(count: 100, delta: 1024)]
    var samplesPerChunk = 20
    var hasLongOffsets = false
    /// In units of the movie's time and of the track's; -1 plays nothing.
    var edits: [(length: Int, start: Int)] = []
    var editVersion = 0
    /// The content of the samples, or `nil` for zeros.
    var content: [UInt8]?
    /// More boxes in `trak`, and in `minf`.
    var boxes: [UInt8] = []
    var mediaBoxes: [UInt8] = []
    /// Whether the track has sample tables.
    var hasTable = true

    var media: [UInt8] { content ?? [UInt8](repeating: 0, count: sizes.reduce(0, +)) }
    var totalTime: Int { times.reduce(0) { $0 + $1.count * $1.delta } }

    func trackBox(mediaStart: Int) -> [UInt8] {
        let tkhd = MP4Builder.fullBox(
            type: "tkhd", flags: isEnabled ? 3 : 2,
            content: bigEndianBytes(0, count: 8) + bigEndianBytes(id, count: 4) + [UInt8](repeating: 0, count: 68))
        let mdhd = MP4Builder.fullBox(
            type: "mdhd",
            content: bigEndianBytes(0, count: 8) + bigEndianBytes(timescale, count: 4)
                + bigEndianBytes(duration ?? totalTime, count: 4) + bigEndianBytes(0, count: 4))
        let hdlr = MP4Builder.fullBox(
            type: "hdlr", content: bigEndianBytes(0, count: 4) + asciiBytes(handler) + [UInt8](repeating: 0, count: 13))
        let stsd = MP4Builder.fullBox(
            type: "stsd", version: descriptionVersion, content: bigEndianBytes(1, count: 4) + entry)
        let stbl = MP4Builder.box(
            type: "stbl", content: stsd + (hasTable ? sampleTableBox(mediaStart: mediaStart) : []))
        let minf = MP4Builder.box(type: "minf", content: mediaBoxes + stbl)
        let mdia = MP4Builder.box(type: "mdia", content: mdhd + hdlr + minf)
        return MP4Builder.box(type: "trak", content: tkhd + (edits.isEmpty ? [] : editList) + mdia + boxes)
    }

    private var editList: [UInt8] {
        let width = editVersion == 1 ? 8 : 4
        let list = edits.flatMap {
            bigEndianBytes($0.length, count: width) + bigEndianBytes($0.start, count: width)
                + bigEndianBytes(0x1_0000, count: 4)
        }
        return MP4Builder.box(
            type: "edts",
            content: MP4Builder.fullBox(
                type: "elst", version: editVersion, content: bigEndianBytes(edits.count, count: 4) + list))
    }

    private func sampleTableBox(mediaStart: Int) -> [UInt8] {
        let stts = MP4Builder.fullBox(
            type: "stts",
            content: bigEndianBytes(times.count, count: 4)
                + times.flatMap { bigEndianBytes($0.count, count: 4) + bigEndianBytes($0.delta, count: 4) })
        var offsets: [Int] = [], offset = mediaStart
        for first in stride(from: 0, to: sizes.count, by: samplesPerChunk) {
            offsets.append(offset)
            offset += sizes[first..<min(first + samplesPerChunk, sizes.count)].reduce(0, +)
        }
        let stsc = MP4Builder.fullBox(
            type: "stsc",
            content: bigEndianBytes(1, count: 4) + bigEndianBytes(1, count: 4)
                + bigEndianBytes(count ?? samplesPerChunk, count: 4) + bigEndianBytes(1, count: 4))
        let stco = MP4Builder.fullBox(
            type: hasLongOffsets ? "co64" : "stco",
            content: bigEndianBytes(offsets.count, count: 4)
                + offsets.flatMap { bigEndianBytes($0, count: hasLongOffsets ? 8 : 4) })
        return stts + stsc + sizeTable + stco
    }

    private var sizeTable: [UInt8] {
        if !sizeTables.isEmpty { return sizeTables.flatMap { $0 } }
        if let uniformSize {
            return MP4Builder.fullBox(
                type: "stsz",
                content: bigEndianBytes(uniformSize, count: 4) + bigEndianBytes(count ?? sizes.count, count: 4))
        }
        guard let bits = compactBits else {
            return MP4Builder.fullBox(
                type: "stsz",
                content: bigEndianBytes(0, count: 4) + bigEndianBytes(sizes.count, count: 4)
                    + sizes.flatMap { bigEndianBytes($0, count: 4) })
        }
        let list =
            bits == 4
            ? stride(from: 0, to: sizes.count, by: 2).map {
                UInt8(sizes[$0] << 4 | ($0 + 1 < sizes.count ? sizes[$0 + 1] : 0))
            } : sizes.flatMap { bigEndianBytes($0, count: bits / 8) }
        return MP4Builder.fullBox(
            type: "stz2", content: bigEndianBytes(bits, count: 4) + bigEndianBytes(sizes.count, count: 4) + list)
    }
}

/// Sample entries.
enum MP4SampleEntry {
    /// A sample entry: the common fields, those of QuickTime's versions 1 and 2, and boxes.
    static func audioEntry(
        _ type: String, rate: Int = 44_100, channels: Int = 2, bits: Int = 16,
        packet: (samples: Int, bytes: Int)? = nil, boxes: [UInt8] = []
    ) -> [UInt8] {
        let common =
            bigEndianBytes(0, count: 6) + bigEndianBytes(1, count: 2) + bigEndianBytes(packet == nil ? 0 : 1, count: 2)
            + bigEndianBytes(0, count: 6) + bigEndianBytes(channels, count: 2)
        let fields =
            common + bigEndianBytes(bits, count: 2) + bigEndianBytes(0, count: 4)
            + bigEndianBytes(rate < 65_536 ? rate << 16 : 0, count: 4)
        let version1 =
            packet.map {
                bigEndianBytes($0.samples, count: 4) + bigEndianBytes($0.bytes, count: 4)
                    + bigEndianBytes($0.bytes, count: 4) + bigEndianBytes(2, count: 4)
            } ?? []
        return MP4Builder.box(type: type, content: fields + version1 + boxes)
    }

    static func quickTimeVersion2Entry(_ type: String, rate: Double, channels: Int, bits: Int, flags: Int) -> [UInt8] {
        let bytes = bits / 8 * channels
        return MP4Builder.box(
            type: type,
            content: bigEndianBytes(0, count: 6) + bigEndianBytes(1, count: 2) + bigEndianBytes(2, count: 2)
                + bigEndianBytes(0, count: 6) + bigEndianBytes(3, count: 2) + bigEndianBytes(16, count: 2)
                + bigEndianBytes(0xFFFE, count: 2) + bigEndianBytes(0, count: 2)
                + bigEndianBytes(1 << 16, count: 4) + bigEndianBytes(72, count: 4)
                + bigEndianBytes(Int(rate.bitPattern), count: 8) + bigEndianBytes(channels, count: 4)
                + bigEndianBytes(0x7F00_0000, count: 4) + bigEndianBytes(bits, count: 4)
                + bigEndianBytes(flags, count: 4) + bigEndianBytes(bytes, count: 4) + bigEndianBytes(1, count: 4))
    }

    /// `mp4a` with a decoder configuration in `esds`. The default is AAC-LC at 44.1 kHz in stereo.
    static func aacEntry(
        rate: Int = 44_100, config: [UInt8] = [0x12, 0x10], objectType: Int = 0x40, isQuickTime: Bool = false
    ) -> [UInt8] {
        let specific: [UInt8] = config.isEmpty ? [] : [5, UInt8(config.count)] + config
        let decoder =
            [4, UInt8(13 + specific.count), UInt8(objectType), 0x15] + bigEndianBytes(0, count: 11) + specific
        // The length of the outer descriptor has four bytes, as many programs write it.
        let stream = [3, 0x80, 0x80, 0x80, UInt8(3 + decoder.count)] + [0, 1, 0] + decoder
        let esds = MP4Builder.fullBox(type: "esds", content: stream)
        let boxes =
            isQuickTime
            ? MP4Builder.box(type: "wave", content: MP4Builder.box(type: "frma", content: asciiBytes("mp4a")) + esds)
            : esds
        return audioEntry("mp4a", rate: rate, packet: isQuickTime ? (1024, 2) : nil, boxes: boxes)
    }

    static func alacEntry(rate: Int = 44_100, channels: Int = 2, bits: Int = 24, frame: Int = 4096) -> [UInt8] {
        let cookie =
            bigEndianBytes(frame, count: 4) + [0, UInt8(bits), 40, 10, 14, UInt8(channels)]
            + bigEndianBytes(255, count: 2) + bigEndianBytes(0, count: 8) + bigEndianBytes(rate, count: 4)
        return audioEntry("alac", rate: rate, boxes: MP4Builder.fullBox(type: "alac", content: cookie))
    }

    static func flacEntry(smallest: Int = 4096, largest: Int = 4096) -> [UInt8] {
        // The 64 bits of rate, channels, bits and samples.
        let packed = 48_000 << 44 | 1 << 41 | 23 << 36
        let info =
            bigEndianBytes(smallest, count: 2) + bigEndianBytes(largest, count: 2) + bigEndianBytes(0, count: 6)
            + bigEndianBytes(packed, count: 8) + bigEndianBytes(0, count: 16)
        return audioEntry(
            "fLaC", rate: 48_000, boxes: MP4Builder.fullBox(type: "dfLa", content: [0x80, 0, 0, 34] + info))
    }

    static func opusEntry(preSkip: Int = 0) -> [UInt8] {
        let dOps =
            [0, 2] + bigEndianBytes(preSkip, count: 2) + bigEndianBytes(48_000, count: 4) + bigEndianBytes(0, count: 3)
        return audioEntry("Opus", rate: 48_000, boxes: MP4Builder.box(type: "dOps", content: dOps))
    }

    static func amrEntry(isWide: Bool, framesPerSample: Int) -> [UInt8] {
        let damr = asciiBytes("test") + bigEndianBytes(0, count: 4) + [UInt8(framesPerSample)]
        return audioEntry(
            isWide ? "sawb" : "samr", rate: 8000, channels: 1, boxes: MP4Builder.box(type: "damr", content: damr))
    }
}

/// Returns `value` in `count` bytes, in big-endian order.
func bigEndianBytes(_ value: Int, count: Int) -> [UInt8] {
    var builder = ByteBuilder()
    builder.appendBigEndian(value, byteCount: count)
    return builder.bytes
}

/// Returns one byte for each character, all of which are below U+0100.
func asciiBytes(_ text: String) -> [UInt8] {
    var builder = ByteBuilder()
    builder.append(text)
    return builder.bytes
}
