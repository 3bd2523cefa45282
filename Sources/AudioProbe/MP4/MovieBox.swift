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
    var durationWithFragments: Int?
    /// What fragments take as said where they say nothing, by the tracks' numbers.
    var fragmentDefaultsByTrackID: [Int: FragmentSampleDefaults] = [:]
    /// The numbers of the tracks that hold the chapters of others: QuickTime's track references of the type `chap`.
    var chapterTrackIDs: Set<Int> = []

    /// The tracks of images, attached pictures included; those that show an image for each chapter are not among them.
    var imageTracks: [ISOTrack] { tracks.filter { $0.isOfImages && !chapterTrackIDs.contains($0.id) } }
}

/// A track as `trak` describes it. Its tables are left where they are.
struct ISOTrack {
    /// All of `trak`.
    var boxRange: Range<Int>
    var id = 0
    var isEnabled = false
    /// Samples' times are in units of a second divided by this; 0 if it isn't stated.
    var timescale = 0
    /// Length in those units, by `mdhd`; nil if it isn't known.
    var duration: Int?
    /// `soun`, `vide` or something else: 8.4.3.
    var handlerType: FourCC = "????"
    /// The first description in `stsd`, and that box's version.
    var sampleEntry: ISOBox?
    var sampleDescriptionVersion = 0
    /// `stsz` and its like, by their types.
    var sampleTableBoxes: [FourCC: ISOBox] = [:]
    /// Samples by the table of sizes that lists the most: players differ in which of several they use.
    var sampleCount = 0
    var editListBox: ISOBox?

    /// What it holds, by its handler.
    var kind: Recording.Track.Kind {
        handlerType == "soun" ? .audio : isOfImages && !isAttachedPicture ? .video : .other
    }

    /// Whether its samples are images: of a video, of a sequence of images, or of what belongs to either.
    var isOfImages: Bool { ["vide", "pict", "auxv"].contains(handlerType) }

    /// Whether the tables of `moov` list one still image and nothing else, as some tools write cover art.
    var isAttachedPicture: Bool {
        isOfImages && sampleCount == 1 && ["jpeg", "png "].contains(sampleEntry?.type)
    }
}

/// Reads `moov`, and collects the metadata met on the way.
struct MovieBoxReader {
    private(set) var movie = MovieBox()
    private var currentTrack = ISOTrack(boxRange: 0..<0)
    private let limits: AudioLimits

    init(limits: AudioLimits) { self.limits = limits }

    /// Reads what is inside `box`.
    ///
    /// - Throws: `limit-exceeded`, `unsupported-compressed-movie`.
    mutating func readContainerBox(
        _ box: ISOBox, depth: Int, walker: inout ISOBoxWalker, metadata: inout ISOMetadataReader,
        in reader: inout BufferedFileReader
    ) throws(AudioError) {
        var offset = box.contentRange.lowerBound
        while let child = try walker.readBox(at: offset, within: box.contentRange, depth: depth + 1, in: &reader) {
            offset = child.range.upperBound
            if child.type == "trak" {
                try readTrackBox(child, depth: depth + 1, walker: &walker, metadata: &metadata, in: &reader)
            } else if child.isContainerBox {
                if child.type == "mvex" { movie.isFragmented = true }
                try readContainerBox(child, depth: depth + 1, walker: &walker, metadata: &metadata, in: &reader)
            } else if try !readDescriptionBox(child, parentType: box.type, in: &reader) {
                try metadata.readMetadataBox(child, depth: depth + 1, walker: &walker, in: &reader)
            }
        }
    }

    private mutating func readTrackBox(
        _ box: ISOBox, depth: Int, walker: inout ISOBoxWalker, metadata: inout ISOMetadataReader,
        in reader: inout BufferedFileReader
    ) throws(AudioError) {
        guard movie.tracks.count < limits.tracks else {
            throw AudioError(
                .limitExceeded, offset: box.range.lowerBound, message: "there are more than \(limits.tracks) tracks")
        }
        currentTrack = ISOTrack(boxRange: box.range)
        try readContainerBox(box, depth: depth, walker: &walker, metadata: &metadata, in: &reader)
        if currentTrack.kind == .other { try metadata.recordMetadataTrack(currentTrack, in: &reader) }
        movie.tracks.append(currentTrack)
    }

    /// Returns whether `box` is one of those that describe the movie, a track or its samples.
    private mutating func readDescriptionBox(
        _ box: ISOBox, parentType: FourCC, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Bool {
        switch box.type {
        case "mvhd":
            movie.timescale = try readTimescale(of: box, in: &reader)
            movie.duration = try box.versionedField(version0Offset: 16, version1Offset: 24, in: &reader)
        case "tkhd":
            currentTrack.isEnabled = try box.uint32(at: 0, in: &reader).map { $0 & 1 == 1 } ?? false
            let isLong = try reader.uint8(at: box.contentRange.lowerBound) == 1
            currentTrack.id = try box.uint32(at: isLong ? 20 : 12, in: &reader) ?? 0
        case "mdhd":
            currentTrack.timescale = try readTimescale(of: box, in: &reader)
            currentTrack.duration = try box.versionedField(version0Offset: 16, version1Offset: 24, in: &reader)
        case "hdlr":
            // QuickTime has another in `minf`, for the data and not for the media.
            guard parentType == "mdia" else { return true }
            currentTrack.handlerType = try box.uint32(at: 8, in: &reader).map { FourCC(code: UInt32($0)) } ?? "????"
        case "stsd": try readSampleDescription(box, in: &reader)
        case "stts", "stsc", "stsz", "stz2", "stco", "co64":
            if currentTrack.sampleTableBoxes[box.type] == nil { currentTrack.sampleTableBoxes[box.type] = box }
            if box.type == "stsz" || box.type == "stz2" {
                currentTrack.sampleCount = max(currentTrack.sampleCount, try box.uint32(at: 8, in: &reader) ?? 0)
            }
        case "elst": currentTrack.editListBox = currentTrack.editListBox ?? box
        case "tref": try readTrackReferences(box, in: &reader)
        case "mehd":
            movie.durationWithFragments = try box.versionedField(version0Offset: 4, version1Offset: 4, in: &reader)
        case "trex":
            if let id = try box.uint32(at: 4, in: &reader), movie.fragmentDefaultsByTrackID.count < limits.tracks {
                movie.fragmentDefaultsByTrackID[id] = FragmentSampleDefaults(
                    sampleDuration: try box.uint32(at: 12, in: &reader) ?? 0,
                    sampleSize: try box.uint32(at: 16, in: &reader) ?? 0)
            }
        case "cmov":
            throw AudioError(
                .unsupported("compressed-movie"), offset: box.range.lowerBound, message: "the description is compressed"
            )
        default: return false
        }
        return true
    }

    /// Notes which tracks hold chapters: QuickTime File Format, "Track reference atoms".
    private mutating func readTrackReferences(_ box: ISOBox, in reader: inout BufferedFileReader) throws(AudioError) {
        // A walker of its own: there is one such box in a track.
        var walker = ISOBoxWalker(limits: limits), offset = box.contentRange.lowerBound
        while let reference = try walker.readBox(at: offset, within: box.contentRange, depth: 1, in: &reader) {
            offset = reference.range.upperBound
            guard reference.type == "chap" else { continue }
            for index in 0..<min(limits.tracks - movie.chapterTrackIDs.count, reference.contentRange.count / 4) {
                if let id = try reference.uint32(at: 4 * index, in: &reader) { movie.chapterTrackIDs.insert(id) }
            }
        }
    }

    /// `mvhd` and `mdhd` begin alike.
    private func readTimescale(of box: ISOBox, in reader: inout BufferedFileReader) throws(AudioError) -> Int {
        let isLong = try reader.uint8(at: box.contentRange.lowerBound) == 1
        return try box.uint32(at: isLong ? 20 : 12, in: &reader) ?? 0
    }

    /// Several descriptions in one track are rare, and are then of one codec: the first stands for all.
    private mutating func readSampleDescription(_ box: ISOBox, in reader: inout BufferedFileReader) throws(AudioError) {
        guard currentTrack.sampleEntry == nil, box.contentRange.count >= 16 else { return }
        currentTrack.sampleDescriptionVersion = try reader.uint8(at: box.contentRange.lowerBound) ?? 0
        // A walker of its own: it is one box.
        var walker = ISOBoxWalker(limits: limits)
        currentTrack.sampleEntry = try walker.readBox(
            at: box.contentRange.lowerBound + 8, within: box.contentRange, depth: 1, in: &reader)
    }
}
