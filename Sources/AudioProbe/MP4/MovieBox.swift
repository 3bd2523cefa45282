internal import MediaContainers

/// The content of a `moov` box: ISO/IEC 14496-12, 8.2 to 8.8.
struct MovieBox {
    /// Time units per second, in which edits are measured.
    var timescale = 0
    /// The duration in those units, or `nil` if it is unknown.
    var duration: Int?
    /// The tracks in the file's order.
    var tracks: [ISOTrack] = []
    /// Whether more samples may follow in fragments.
    var isFragmented = false
    /// The duration including all fragments, or `nil` if it is not stated.
    var durationWithFragments: Int?
    /// The default sample properties of fragments by track ID.
    var fragmentDefaultsByTrackID: [Int: FragmentSampleDefaults] = [:]
    /// The IDs of the tracks with chapters of other tracks: QuickTime's track references of the type `chap`.
    var chapterTrackIDs: Set<Int> = []

    /// The tracks of images, including attached images, but without tracks that show an image for each chapter.
    var imageTracks: [ISOTrack] { tracks.filter(isImageTrack) }

    private func isImageTrack(_ track: ISOTrack) -> Bool { track.isOfImages && !chapterTrackIDs.contains(track.id) }

    /// Marks several tracks with one still image each as video. They may be its frames.
    mutating func combineStillImageTracks() {
        let stills = tracks.indices.filter { isImageTrack(tracks[$0]) && tracks[$0].isAttachedPicture }
        if stills.count > 1 {
            for index in stills { tracks[index].isVideoFrame = true }
        }
    }
}

/// The content of a `trak` box. The sample tables are not read here.
struct ISOTrack {
    /// The range of the `trak` box.
    var boxRange: Range<Int>
    var id = 0
    var isEnabled = false
    /// Time units of the samples per second; 0 if it is not stated.
    var timescale = 0
    /// The duration in those units, from `mdhd`, or `nil` if it is unknown.
    var duration: Int?
    /// The handler type, such as `soun` or `vide`: ISO/IEC 14496-12, 8.4.3.
    var handlerType: FourCC = "????"
    /// Whether the track has a `vmhd` box: ISO/IEC 14496-12, 12.1.2.
    var hasVideoMediaHeader = false
    /// Whether the single still image may be a frame of a video.
    var isVideoFrame = false
    /// The first entry in `stsd`.
    var sampleEntry: ISOBox?
    /// The version of `stsd`.
    var sampleDescriptionVersion = 0
    /// The boxes of the sample table by type, such as `stsz`.
    var sampleTableBoxes: [FourCC: ISOBox] = [:]
    /// The number of samples in the largest of the size tables. Players differ in which of several they use.
    var sampleCount = 0
    var editListBox: ISOBox?

    /// The kind of content, by the handler type.
    var kind: Recording.Track.Kind {
        handlerType == "soun" ? .audio : isOfImages && !isAttachedPicture ? .video : .other
    }

    /// Whether the samples are images: of a video, of an image sequence, or auxiliary to one of them.
    ///
    /// Players use the codec if they do not know the handler.
    var isOfImages: Bool {
        if ["vide", "pict", "auxv"].contains(handlerType) { return true }
        return handlerType != "soun"
            && (hasVideoMediaHeader || sampleEntry.map { Self.visualCodecs.contains($0.type) } ?? false)
    }

    /// Sample entries of video and image codecs: the registry of mp4ra.org, and the QuickTime File Format.
    private static let visualCodecs: Set<FourCC> = [
        "avc1", "avc2", "avc3", "avc4", "dva1", "dvav", "hvc1", "hvc2", "hev1", "dvh1", "dvhe", "vvc1", "vvi1",
        "evc1", "av01", "dav1", "vp08", "vp09", "vp10", "mp4v", "s263", "h263", "m2v1", "SVQ1", "SVQ3", "cvid",
        "apch", "apcn", "apcs", "apco", "ap4h", "ap4x", "aprn", "aprh", "AVdn", "AVdh", "CFHD", "jpeg", "mjpa",
        "mjpb", "mjp2", "mjpg", "png ", "encv", "resv",
    ]

    /// Whether the tables in `moov` list exactly one still image, which is how some tools write cover art.
    var isAttachedPicture: Bool {
        isOfImages && !isVideoFrame && sampleCount == 1 && ["jpeg", "png "].contains(sampleEntry?.type)
    }
}

/// Reads a `moov` box, and collects the metadata in it.
struct MovieBoxReader {
    private(set) var movie = MovieBox()
    private var currentTrack = ISOTrack(boxRange: 0..<0)
    private let limits: AudioLimits

    init(limits: AudioLimits) { self.limits = limits }

    /// Reads the child boxes of `box`.
    ///
    /// - Throws: ``AudioError/Code/limitExceeded``, `unsupported-compressed-movie`, and the errors of the reader.
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
                .limitExceeded, offset: box.range.lowerBound, message: "too many tracks (at most \(limits.tracks))")
        }
        currentTrack = ISOTrack(boxRange: box.range)
        try readContainerBox(box, depth: depth, walker: &walker, metadata: &metadata, in: &reader)
        if currentTrack.kind == .other { try metadata.recordMetadataTrack(currentTrack, in: &reader) }
        movie.tracks.append(currentTrack)
    }

    /// Reads a box that describes the movie, a track or its samples.
    ///
    /// - Returns: Whether `box` is of such a type.
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
            // QuickTime has another `hdlr` in `minf`, for the data instead of the media.
            guard parentType == "mdia" else { return true }
            currentTrack.handlerType = try box.uint32(at: 8, in: &reader).map { FourCC(code: UInt32($0)) } ?? "????"
        case "vmhd": currentTrack.hasVideoMediaHeader = true
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
                .unsupported("compressed-movie"), offset: box.range.lowerBound,
                message: "compressed 'moov' boxes are unsupported"
            )
        default: return false
        }
        return true
    }

    /// Records which tracks contain chapters: QuickTime File Format, "Track reference atoms".
    private mutating func readTrackReferences(_ box: ISOBox, in reader: inout BufferedFileReader) throws(AudioError) {
        // A separate walker suffices: a track has one such box.
        var walker = ISOBoxWalker(limits: limits), offset = box.contentRange.lowerBound
        while let reference = try walker.readBox(at: offset, within: box.contentRange, depth: 1, in: &reader) {
            offset = reference.range.upperBound
            guard reference.type == "chap" else { continue }
            for index in 0..<min(limits.tracks - movie.chapterTrackIDs.count, reference.contentRange.count / 4) {
                if let id = try reference.uint32(at: 4 * index, in: &reader) { movie.chapterTrackIDs.insert(id) }
            }
        }
    }

    /// Returns the timescale of `mvhd` or `mdhd`, which begin with the same fields.
    private func readTimescale(of box: ISOBox, in reader: inout BufferedFileReader) throws(AudioError) -> Int {
        let isLong = try reader.uint8(at: box.contentRange.lowerBound) == 1
        return try box.uint32(at: isLong ? 20 : 12, in: &reader) ?? 0
    }

    /// Reads the first entry of `stsd`. Several entries in a track are rare, and then have the same codec.
    private mutating func readSampleDescription(_ box: ISOBox, in reader: inout BufferedFileReader) throws(AudioError) {
        guard currentTrack.sampleEntry == nil, box.contentRange.count >= 16 else { return }
        currentTrack.sampleDescriptionVersion = try reader.uint8(at: box.contentRange.lowerBound) ?? 0
        // A separate walker suffices: only one box is read.
        var walker = ISOBoxWalker(limits: limits)
        currentTrack.sampleEntry = try walker.readBox(
            at: box.contentRange.lowerBound + 8, within: box.contentRange, depth: 1, in: &reader)
    }
}
