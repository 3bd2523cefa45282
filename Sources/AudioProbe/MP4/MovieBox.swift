/// What the box `moov` says of the recording and its tracks: ISO/IEC 14496-12, 8.2 to 8.8.
struct MovieBox {
    /// Units to the second of the edits' lengths.
    var timescale = 0
    /// Length in those units; nil if it isn't known.
    var duration: Int?
    /// The tracks in order.
    var tracks: [ISOTrack] = []
    /// Whether more samples may follow in fragments.
    var isFragmented = false
    /// Length with all fragments, where it is stated.
    var fragmentedDuration: Int?
    /// What fragments take as said where they say nothing, by the tracks' numbers.
    var fragmentDefaults: [Int: FragmentDefaults] = [:]
    /// The numbers of the tracks that hold the chapters of others: QuickTime's track references of the type `chap`.
    var chapters: Set<Int> = []

    /// The tracks of images, attached pictures included; those that show an image for each chapter are not among them.
    var imageTracks: [ISOTrack] { tracks.filter { $0.isOfImages && !chapters.contains($0.id) } }
}

/// A track as `trak` describes it. Its tables are left where they are.
struct ISOTrack {
    /// All of `trak`.
    var range: Range<Int>
    var id = 0
    var isEnabled = false
    /// Samples' times are in units of a second divided by this; 0 if it isn't stated.
    var timescale = 0
    /// Length in those units, by `mdhd`; nil if it isn't known.
    var duration: Int?
    /// `soun`, `vide` or something else: 8.4.3.
    var handler: FourCC = "????"
    /// The first description in `stsd`, and that box's version.
    var sampleEntry: Box?
    var descriptionVersion = 0
    /// `stsz` and its like, by their types.
    var tables: [FourCC: Box] = [:]
    /// Samples by the table of sizes that lists the most: players differ in which of several they use.
    var sampleCount = 0
    var editList: Box?

    /// What it holds, by its handler.
    var kind: Recording.Track.Kind {
        handler == "soun" ? .audio : isOfImages && !isAttachedPicture ? .video : .other
    }

    /// Whether its samples are images: of a video, of a sequence of images, or of what belongs to either.
    var isOfImages: Bool { ["vide", "pict", "auxv"].contains(handler) }

    /// Whether the tables of `moov` list one still image and nothing else, as some tools write cover art.
    var isAttachedPicture: Bool {
        isOfImages && sampleCount == 1 && ["jpeg", "png "].contains(sampleEntry?.type)
    }
}

/// Reads `moov`, and collects the metadata met on the way.
struct MovieReader {
    private(set) var movie = MovieBox()
    private var track = ISOTrack(range: 0..<0)
    private let limits: AudioLimits

    init(_ limits: AudioLimits) { self.limits = limits }

    /// Reads what is inside `box`.
    ///
    /// - Throws: `limit-exceeded`, `unsupported-compressed-movie`.
    mutating func read(
        _ box: Box, depth: Int, _ walker: inout BoxWalker, _ metadata: inout MetadataReader,
        in window: inout ByteWindow
    ) throws(AudioError) {
        var offset = box.content.lowerBound
        while let child = try walker.box(at: offset, in: box.content, depth: depth + 1, &window) {
            offset = child.range.upperBound
            if child.type == "trak" {
                try readTrack(child, depth: depth + 1, &walker, &metadata, in: &window)
            } else if child.isHolder {
                if child.type == "mvex" { movie.isFragmented = true }
                try read(child, depth: depth + 1, &walker, &metadata, in: &window)
            } else if try !readHeader(child, parent: box.type, in: &window) {
                try metadata.read(child, depth: depth + 1, &walker, in: &window)
            }
        }
    }

    private mutating func readTrack(
        _ box: Box, depth: Int, _ walker: inout BoxWalker, _ metadata: inout MetadataReader,
        in window: inout ByteWindow
    ) throws(AudioError) {
        guard movie.tracks.count < limits.tracks else {
            throw AudioError(
                .limit, offset: box.range.lowerBound, "there are more than \(limits.tracks) tracks")
        }
        track = ISOTrack(range: box.range)
        try read(box, depth: depth, &walker, &metadata, in: &window)
        if track.kind == .other { try metadata.readSamples(of: track, in: &window) }
        movie.tracks.append(track)
    }

    /// Returns whether `box` is one of those that describe the movie, a track or its samples.
    private mutating func readHeader(
        _ box: Box, parent: FourCC, in window: inout ByteWindow
    ) throws(AudioError) -> Bool {
        switch box.type {
        case "mvhd":
            movie.timescale = try timescale(box, in: &window)
            movie.duration = try box.field(at: 16, or: 24, in: &window)
        case "tkhd":
            track.isEnabled = try box.uint32(at: 0, in: &window).map { $0 & 1 == 1 } ?? false
            let isLong = try window.uint8(at: box.content.lowerBound) == 1
            track.id = try box.uint32(at: isLong ? 20 : 12, in: &window) ?? 0
        case "mdhd":
            track.timescale = try timescale(box, in: &window)
            track.duration = try box.field(at: 16, or: 24, in: &window)
        case "hdlr":
            // QuickTime has another in `minf`, for the data and not for the media.
            guard parent == "mdia" else { return true }
            track.handler = try box.uint32(at: 8, in: &window).map { FourCC(UInt32($0)) } ?? "????"
        case "stsd": try readDescription(box, in: &window)
        case "stts", "stsc", "stsz", "stz2", "stco", "co64":
            if track.tables[box.type] == nil { track.tables[box.type] = box }
            if box.type == "stsz" || box.type == "stz2" {
                track.sampleCount = max(track.sampleCount, try box.uint32(at: 8, in: &window) ?? 0)
            }
        case "elst": track.editList = track.editList ?? box
        case "tref": try readReferences(box, in: &window)
        case "mehd": movie.fragmentedDuration = try box.field(at: 4, or: 4, in: &window)
        case "trex":
            if let id = try box.uint32(at: 4, in: &window), movie.fragmentDefaults.count < limits.tracks {
                movie.fragmentDefaults[id] = FragmentDefaults(
                    duration: try box.uint32(at: 12, in: &window) ?? 0, size: try box.uint32(at: 16, in: &window) ?? 0)
            }
        case "cmov":
            throw AudioError(
                .unsupported("compressed-movie"), offset: box.range.lowerBound, "the description is compressed")
        default: return false
        }
        return true
    }

    /// Notes which tracks hold chapters: QuickTime File Format, "Track reference atoms".
    private mutating func readReferences(_ box: Box, in window: inout ByteWindow) throws(AudioError) {
        // A walker of its own: there is one such box in a track.
        var walker = BoxWalker(limits), offset = box.content.lowerBound
        while let reference = try walker.box(at: offset, in: box.content, depth: 1, &window) {
            offset = reference.range.upperBound
            guard reference.type == "chap" else { continue }
            for index in 0..<min(limits.tracks - movie.chapters.count, reference.content.count / 4) {
                if let id = try reference.uint32(at: 4 * index, in: &window) { movie.chapters.insert(id) }
            }
        }
    }

    /// `mvhd` and `mdhd` begin alike.
    private func timescale(_ box: Box, in window: inout ByteWindow) throws(AudioError) -> Int {
        let isLong = try window.uint8(at: box.content.lowerBound) == 1
        return try box.uint32(at: isLong ? 20 : 12, in: &window) ?? 0
    }

    /// Several descriptions in one track are rare, and are then of one codec: the first stands for all.
    private mutating func readDescription(_ box: Box, in window: inout ByteWindow) throws(AudioError) {
        guard track.sampleEntry == nil, box.content.count >= 16 else { return }
        track.descriptionVersion = try window.uint8(at: box.content.lowerBound) ?? 0
        // A walker of its own: it is one box.
        var walker = BoxWalker(limits)
        track.sampleEntry = try walker.box(at: box.content.lowerBound + 8, in: box.content, depth: 1, &window)
    }
}
