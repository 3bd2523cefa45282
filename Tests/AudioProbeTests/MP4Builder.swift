/// Builds MP4, M4A, 3GP and QuickTime files a box at a time.
struct MP4Builder {
    /// Nil leaves `ftyp` out.
    var brand: String? = "M4A "
    var compatibleBrands: [String] = []
    var movieTimescale = 1000
    /// Stated in `mvhd`; nil states what the first track lasts.
    var movieDuration: Int?
    var tracks = [MP4Track()]
    /// Boxes behind the tracks in `moov`, at the end of the file, and between `ftyp` and what follows.
    var movieBoxes: [UInt8] = []
    var fileBoxes: [UInt8] = []
    var firstBoxes: [UInt8] = []
    var isMovieFirst = true
    /// The size in the header of `mdat`; nil is the right one.
    var mediaSize: Int?
    var hasLongMediaSize = false

    /// The file. Chunks of all tracks lie one behind the other in one `mdat`.
    func bytes() -> [UInt8] {
        let start = fileType + firstBoxes
        let media = tracks.flatMap(\.media)
        let header = mediaHeader(media.count)
        let movieLength = isMovieFirst ? movie(mediaStart: 0).count : 0
        let mediaStart = start.count + movieLength + header.count
        let movie = movie(mediaStart: mediaStart)
        return start + (isMovieFirst ? movie + header + media : header + media + movie) + fileBoxes
    }

    var fileType: [UInt8] {
        guard let brand else { return [] }
        return Self.box("ftyp", ascii(brand) + [0, 0, 0, 0] + compatibleBrands.flatMap { ascii($0) })
    }

    func mediaHeader(_ count: Int) -> [UInt8] {
        var header = ByteBuilder()
        if hasLongMediaSize {
            header.big(1, 4)
            header.add("mdat")
            header.big(mediaSize ?? count + 16, 8)
        } else {
            header.big(mediaSize ?? count + 8, 4)
            header.add("mdat")
        }
        return header.bytes
    }

    /// `moov`, with the first chunk at `mediaStart`.
    func movie(mediaStart: Int) -> [UInt8] {
        let first = tracks.first.map { $0.totalTime * movieTimescale / max(1, $0.timescale) } ?? 0
        let header = big(0, 4) + big(0, 4) + big(0, 4) + big(movieTimescale, 4) + big(movieDuration ?? first, 4)
        var content = Self.box("mvhd", header + [UInt8](repeating: 0, count: 80))
        var offset = mediaStart
        for track in tracks {
            content += track.bytes(mediaStart: offset)
            offset += track.media.count
        }
        return Self.box("moov", content + movieBoxes)
    }

    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] { big(content.count + 8, 4) + ascii(type) + content }

    static func fullBox(_ type: String, version: Int = 0, flags: Int = 0, _ content: [UInt8]) -> [UInt8] {
        box(type, big(version, 1) + big(flags, 3) + content)
    }
}

/// A track of a built file.
struct MP4Track {
    var id = 1
    var isEnabled = true
    var handler = "soun"
    var timescale = 44_100
    /// Stated in `mdhd`; nil states the sum of `times`.
    var duration: Int?
    /// The sample description, one box.
    var entry = MP4Entry.aac()
    var descriptionVersion = 0
    /// Bytes of each sample.
    var sizes = [Int](repeating: 10, count: 100)
    /// Written into `stsz` in place of the list, for as many samples as `sizes` has or `count` says.
    var uniformSize: Int?
    var count: Int?
    /// Write `stz2` with fields of so many bits.
    var compactBits: Int?
    /// Written in place of the one table of sizes.
    var sizeTables: [[UInt8]] = []
    /// Runs of `stts`: samples, duration.
    var times = [(count: 100, delta: 1024)]
    var samplesPerChunk = 20
    var hasLongOffsets = false
    /// In units of the movie's time and of the track's; -1 plays nothing.
    var edits: [(length: Int, start: Int)] = []
    var editVersion = 0
    /// What the samples hold; nil is zeros.
    var content: [UInt8]?
    /// More boxes in `trak`.
    var boxes: [UInt8] = []
    /// Whether the tables are there.
    var hasTable = true

    var media: [UInt8] { content ?? [UInt8](repeating: 0, count: sizes.reduce(0, +)) }
    var totalTime: Int { times.reduce(0) { $0 + $1.count * $1.delta } }

    func bytes(mediaStart: Int) -> [UInt8] {
        let tkhd = MP4Builder.fullBox(
            "tkhd", flags: isEnabled ? 3 : 2, big(0, 8) + big(id, 4) + [UInt8](repeating: 0, count: 68))
        let mdhd = MP4Builder.fullBox("mdhd", big(0, 8) + big(timescale, 4) + big(duration ?? totalTime, 4) + big(0, 4))
        let hdlr = MP4Builder.fullBox("hdlr", big(0, 4) + ascii(handler) + [UInt8](repeating: 0, count: 13))
        let stsd = MP4Builder.fullBox("stsd", version: descriptionVersion, big(1, 4) + entry)
        let stbl = MP4Builder.box("stbl", stsd + (hasTable ? table(mediaStart) : []))
        let mdia = MP4Builder.box("mdia", mdhd + hdlr + MP4Builder.box("minf", stbl))
        return MP4Builder.box("trak", tkhd + (edits.isEmpty ? [] : editList) + mdia + boxes)
    }

    private var editList: [UInt8] {
        let width = editVersion == 1 ? 8 : 4
        let list = edits.flatMap { big($0.length, width) + big($0.start, width) + big(0x1_0000, 4) }
        return MP4Builder.box(
            "edts", MP4Builder.fullBox("elst", version: editVersion, big(edits.count, 4) + list))
    }

    private func table(_ mediaStart: Int) -> [UInt8] {
        let stts = MP4Builder.fullBox(
            "stts", big(times.count, 4) + times.flatMap { big($0.count, 4) + big($0.delta, 4) })
        var offsets: [Int] = [], offset = mediaStart
        for first in stride(from: 0, to: sizes.count, by: samplesPerChunk) {
            offsets.append(offset)
            offset += sizes[first..<min(first + samplesPerChunk, sizes.count)].reduce(0, +)
        }
        let stsc = MP4Builder.fullBox(
            "stsc", big(1, 4) + big(1, 4) + big(count ?? samplesPerChunk, 4) + big(1, 4))
        let stco = MP4Builder.fullBox(
            hasLongOffsets ? "co64" : "stco",
            big(offsets.count, 4) + offsets.flatMap { big($0, hasLongOffsets ? 8 : 4) })
        return stts + stsc + sizeTable + stco
    }

    private var sizeTable: [UInt8] {
        if !sizeTables.isEmpty { return sizeTables.flatMap { $0 } }
        if let uniformSize {
            return MP4Builder.fullBox("stsz", big(uniformSize, 4) + big(count ?? sizes.count, 4))
        }
        guard let bits = compactBits else {
            return MP4Builder.fullBox("stsz", big(0, 4) + big(sizes.count, 4) + sizes.flatMap { big($0, 4) })
        }
        let list =
            bits == 4
            ? stride(from: 0, to: sizes.count, by: 2).map {
                UInt8(sizes[$0] << 4 | ($0 + 1 < sizes.count ? sizes[$0 + 1] : 0))
            } : sizes.flatMap { big($0, bits / 8) }
        return MP4Builder.fullBox("stz2", big(bits, 4) + big(sizes.count, 4) + list)
    }
}

/// Sample entries.
enum MP4Entry {
    /// The fields that all versions share, QuickTime's of versions 1 and 2, and boxes.
    static func sound(
        _ type: String, rate: Int = 44_100, channels: Int = 2, bits: Int = 16,
        packet: (samples: Int, bytes: Int)? = nil, boxes: [UInt8] = []
    ) -> [UInt8] {
        let common = big(0, 6) + big(1, 2) + big(packet == nil ? 0 : 1, 2) + big(0, 6) + big(channels, 2)
        let fields = common + big(bits, 2) + big(0, 4) + big(rate < 65_536 ? rate << 16 : 0, 4)
        let version1 = packet.map { big($0.samples, 4) + big($0.bytes, 4) + big($0.bytes, 4) + big(2, 4) } ?? []
        return MP4Builder.box(type, fields + version1 + boxes)
    }

    static func version2(_ type: String, rate: Double, channels: Int, bits: Int, flags: Int) -> [UInt8] {
        let bytes = bits / 8 * channels
        return MP4Builder.box(
            type,
            big(0, 6) + big(1, 2) + big(2, 2) + big(0, 6) + big(3, 2) + big(16, 2) + big(0xFFFE, 2) + big(0, 2)
                + big(1 << 16, 4) + big(72, 4) + big(Int(rate.bitPattern), 8) + big(channels, 4)
                + big(0x7F00_0000, 4) + big(bits, 4) + big(flags, 4) + big(bytes, 4) + big(1, 4))
    }

    /// `mp4a` with a decoder's configuration in `esds`, two bytes of AAC-LC at 44.1 kHz in stereo if nothing else is said.
    static func aac(
        rate: Int = 44_100, config: [UInt8] = [0x12, 0x10], objectType: Int = 0x40, isQuickTime: Bool = false
    ) -> [UInt8] {
        let specific: [UInt8] = config.isEmpty ? [] : [5, UInt8(config.count)] + config
        let decoder = [4, UInt8(13 + specific.count), UInt8(objectType), 0x15] + big(0, 11) + specific
        // The length of the outer descriptor takes four bytes, as many writers have it.
        let stream = [3, 0x80, 0x80, 0x80, UInt8(3 + decoder.count)] + [0, 1, 0] + decoder
        let esds = MP4Builder.fullBox("esds", stream)
        let boxes = isQuickTime ? MP4Builder.box("wave", MP4Builder.box("frma", ascii("mp4a")) + esds) : esds
        return sound("mp4a", rate: rate, packet: isQuickTime ? (1024, 2) : nil, boxes: boxes)
    }

    static func alac(rate: Int = 44_100, channels: Int = 2, bits: Int = 24, frame: Int = 4096) -> [UInt8] {
        let cookie =
            big(frame, 4) + [0, UInt8(bits), 40, 10, 14, UInt8(channels)] + big(255, 2) + big(0, 8) + big(rate, 4)
        return sound("alac", rate: rate, boxes: MP4Builder.fullBox("alac", cookie))
    }

    static func flac(smallest: Int = 4096, largest: Int = 4096) -> [UInt8] {
        // The 64 bits of rate, channels, bits and samples.
        let packed = 48_000 << 44 | 1 << 41 | 23 << 36
        let info = big(smallest, 2) + big(largest, 2) + big(0, 6) + big(packed, 8) + big(0, 16)
        return sound("fLaC", rate: 48_000, boxes: MP4Builder.fullBox("dfLa", [0x80, 0, 0, 34] + info))
    }

    static func opus(preSkip: Int = 0) -> [UInt8] {
        let dOps = [0, 2] + big(preSkip, 2) + big(48_000, 4) + big(0, 3)
        return sound("Opus", rate: 48_000, boxes: MP4Builder.box("dOps", dOps))
    }

    static func amr(isWide: Bool, framesPerSample: Int) -> [UInt8] {
        let damr = ascii("test") + big(0, 4) + [UInt8(framesPerSample)]
        return sound(isWide ? "sawb" : "samr", rate: 8000, channels: 1, boxes: MP4Builder.box("damr", damr))
    }
}

/// `value` in `count` bytes, the highest first.
func big(_ value: Int, _ count: Int) -> [UInt8] {
    var builder = ByteBuilder()
    builder.big(value, count)
    return builder.bytes
}

/// A byte for each character, which are below U+0100.
func ascii(_ text: String) -> [UInt8] {
    var builder = ByteBuilder()
    builder.add(text)
    return builder.bytes
}
