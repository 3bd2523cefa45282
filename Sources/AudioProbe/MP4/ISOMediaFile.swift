internal import MediaContainers

/// Probes MP4, M4A, 3GP and QuickTime files: ISO/IEC 14496-12, 14496-14, 3GPP TS 26.244, the QuickTime File Format.
///
/// Samples are counted from the tables in `moov`, or fragment by fragment.
struct ISOMediaFile {
    /// Probes an ISO base media file.
    ///
    /// - Throws: ``AudioError/Code/unrecognizedFormat``, `unsupported-compressed-movie`, ``AudioError/Code/videoOnly``,
    ///   ``AudioError/Code/noAudioTrack``, ``AudioError/Code/damaged``, ``AudioError/Code/limitExceeded``, and the
    ///   errors of the reader.
    static func probe(
        in reader: inout BufferedFileReader, from start: Int, options: ProbeOptions
    ) throws(AudioError) -> Recording {
        var file = ISOMediaFile(options: options)
        file.tagMetadata = try LeadingTags.metadata(before: start, in: &reader)
        try file.readTopLevelBoxes(range: start..<reader.byteCount, in: &reader)
        return try file.makeRecording(in: &reader)
    }

    private let options: ProbeOptions
    private var walker: ISOBoxWalker
    private(set) var metadataReader: ISOMetadataReader
    /// The metadata of tags before and after the boxes, as some taggers write them.
    private(set) var tagMetadata: [MetadataItem] = []
    /// The container. Without an `ftyp` box, the file is an old QuickTime file.
    private(set) var container = AudioContainer.mov
    private(set) var movie: MovieBox?
    /// The main track's audio, available once `moov` was read.
    private(set) var primaryTrack: PrimaryAudioTrack?
    /// Bytes in the `mdat` boxes.
    private(set) var mediaBytes = 0
    /// Whether a box was found that only ISO base media files have.
    private(set) var isRecognized = false
    /// The offset of the first `moof` that precedes `moov`, or `nil`.
    private var firstFragmentOffset: Int?
    /// The offset of the box in which the file ends, or for `mdat` the end of the file; `nil` if the file is complete.
    private(set) var truncationOffset: Int?
    /// The bytes between the last box and the tags at the end, or `nil`.
    private(set) var trailingGarbage: Range<Int>?
    /// The offset of the placeholder size of an `mdat` box, or `nil`.
    private(set) var placeholderSizeOffset: Int?

    private init(options: ProbeOptions) {
        self.options = options
        walker = ISOBoxWalker(limits: options.limits)
        metadataReader = ISOMetadataReader(limits: options.limits)
    }

    private mutating func readTopLevelBoxes(range file: Range<Int>, in reader: inout BufferedFileReader)
        throws(AudioError)
    {
        var offset = file.lowerBound, isAfterEmptyMedia = false
        while let box = try walker.readBox(at: offset, within: file, depth: 0, in: &reader), box.hasPlausibleType {
            // A tag such as ID3v1 or APE looks like a box of more than 10^9 bytes.
            if box.isTruncated, try TrailingTags(in: &reader, notBefore: offset).startOffset == offset { break }
            // After the movie, text that an application appended looks like a box that the file cuts off.
            if box.isTruncated, movie != nil, !Self.topLevelTypes.contains(box.type) { break }
            isAfterEmptyMedia = box.type == "mdat" && box.contentRange.isEmpty && !box.isTruncated
            offset = box.range.upperBound
            try readTopLevelBox(box, in: &reader)
            // There may be many fragments. They are not needed if the header's duration is used.
            if primaryTrack?.headerDuration != nil, box.type == "moof" { return }
        }
        if offset == file.upperBound { return }
        if isAfterEmptyMedia, movie == nil {
            // The recorder was interrupted before it wrote the size of the audio.
            mediaBytes += file.upperBound - offset
            placeholderSizeOffset = offset - 8
        } else if file.upperBound - offset < 8 {
            truncationOffset = offset
        } else {
            let trailingTags = try TrailingTags(in: &reader, notBefore: offset)
            for tag in trailingTags.tags.reversed() { tagMetadata += try tag.readMetadata(in: &reader) }
            if trailingTags.startOffset > offset { trailingGarbage = offset..<trailingTags.startOffset }
        }
    }

    /// The types of the boxes outside all others: ISO/IEC 14496-12, table 1, and the QuickTime File Format.
    private static let topLevelTypes: Set<FourCC> = [
        "ftyp", "styp", "pdin", "moov", "moof", "mfra", "mdat", "imda", "free", "skip", "wide", "pnot", "udta", "uuid",
        "meta", "meco", "sidx", "ssix", "prft", "emsg",
    ]

    private mutating func readTopLevelBox(_ box: ISOBox, in reader: inout BufferedFileReader) throws(AudioError) {
        switch box.type {
        case "ftyp":
            isRecognized = true
            container = try FileBrand.container(ofFileTypeBox: box, in: &reader)
        case "mdat":
            isRecognized = true
            mediaBytes += box.contentRange.count
        case "moov":
            isRecognized = true
            try readMovieBox(box, in: &reader)
        case "moof":
            isRecognized = true
            try readMovieFragment(box, in: &reader)
        case "styp", "sidx": isRecognized = true
        default: try metadataReader.readMetadataBox(box, depth: 0, walker: &walker, in: &reader)
        }
        if box.isTruncated { recordTruncatedBox(box) }
    }

    private mutating func recordTruncatedBox(_ box: ISOBox) {
        // No disk holds 2^48 bytes. A recorder writes such a size, or all ones, while the size is unknown.
        if box.type == "mdat", let declaredSize = box.declaredSize,
            declaredSize == 0xFFFF_FFFF || declaredSize >> 48 != 0
        {
            placeholderSizeOffset = box.range.lowerBound
        } else {
            truncationOffset = box.type == "mdat" ? box.range.upperBound : box.range.lowerBound
        }
    }

    /// Reads `moov`. Only the metadata is used if the box is truncated or not the first `moov`.
    private mutating func readMovieBox(_ box: ISOBox, in reader: inout BufferedFileReader) throws(AudioError) {
        var movieReader = MovieBoxReader(limits: options.limits)
        try movieReader.readContainerBox(box, depth: 0, walker: &walker, metadata: &metadataReader, in: &reader)
        if movie != nil || box.isTruncated { return }
        var movie = movieReader.movie
        movie.combineStillImageTracks()
        self.movie = movie
        primaryTrack = try PrimaryAudioTrack(movie: movie, options: options, in: &reader)
        if let firstFragmentOffset, primaryTrack?.isFragmented == true {
            try readEarlierFragments(range: firstFragmentOffset..<box.range.lowerBound, in: &reader)
        }
    }

    /// Reads the fragments before `moov` a second time, now that their tracks are known. Their metadata was recorded
    /// the first time.
    private mutating func readEarlierFragments(range: Range<Int>, in reader: inout BufferedFileReader)
        throws(AudioError)
    {
        var offset = range.lowerBound, knownMetadata = metadataReader
        while let box = try walker.readBox(at: offset, within: range, depth: 0, in: &reader) {
            offset = box.range.upperBound
            if box.type == "moof" {
                try primaryTrack?.fragmentReader.readMovieFragment(
                    box, walker: &walker, metadata: &knownMetadata, in: &reader)
            }
        }
    }

    private mutating func readMovieFragment(_ box: ISOBox, in reader: inout BufferedFileReader) throws(AudioError) {
        if movie == nil {
            firstFragmentOffset = firstFragmentOffset ?? box.range.lowerBound
            var unknown = MovieFragmentReader(
                trackID: 0, defaultsByTrackID: [:],
                sampleTimeline: TrackSampleTimeline(sampleEntry: AudioSampleEntry(), timescale: 1))
            try unknown.readMovieFragment(box, walker: &walker, metadata: &metadataReader, in: &reader)
        } else if !box.isTruncated {
            try primaryTrack?.fragmentReader.readMovieFragment(
                box, walker: &walker, metadata: &metadataReader, in: &reader)
        }
    }
}

/// The brands in `ftyp`: ISO/IEC 14496-12, 4.3.
private enum FileBrand {
    /// Returns the container of the major brand, or, if that is unknown, of the first known compatible brand.
    static func container(ofFileTypeBox box: ISOBox, in reader: inout BufferedFileReader) throws(AudioError)
        -> AudioContainer
    {
        if let major = try box.uint32(at: 0, in: &reader), let known = container(ofBrand: FourCC(code: UInt32(major))) {
            return known
        }
        var offset = 8
        // Files have at most a dozen brands.
        while offset < 8 + 4 * 64, let brand = try box.uint32(at: offset, in: &reader) {
            if let known = container(ofBrand: FourCC(code: UInt32(brand))) { return known }
            offset += 4
        }
        return .mp4
    }

    private static func container(ofBrand brand: FourCC) -> AudioContainer? {
        switch brand {
        case "M4A ", "M4B ", "M4P ": .m4a
        case "qt  ": .mov
        case "isom", "mp41", "mp42", "avc1", "dash", "cmfc", "M4V ", "mmp4", "MSNV": .mp4
        // The brands 3gp4 to 3gp9, 3gpa, 3ge6, 3g2a and similar, and iso2 to iso9 and isoa.
        case _ where brand.code >> 16 == 0x3367: .threeGP
        case _ where brand.code >> 8 == 0x69736F: .mp4
        default: nil
        }
    }
}
