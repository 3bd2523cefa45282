/// MP4, M4A, 3GP and QuickTime: ISO/IEC 14496-12, 14496-14, 3GPP TS 26.244, the QuickTime File Format. Boxes are walked;
/// samples are counted by the tables of `moov`, or fragment by fragment.
struct ISOMediaFile {
    /// The recording that the file is.
    ///
    /// - Throws: `unrecognized-format`, `unsupported-compressed-movie`, `video-only`, `no-audio-track`, `damaged`,
    ///   `limit-exceeded`, and what reading throws.
    static func recording(in window: inout ByteWindow, _ options: ProbeOptions) throws(AudioError) -> Recording {
        var file = ISOMediaFile(options)
        let start = try LeadingTags.end(in: &window)
        file.tags = try LeadingTags.metadata(before: start, in: &window)
        try file.walk(start..<window.count, in: &window)
        return try file.report(in: &window)
    }

    private let options: ProbeOptions
    private var walker: BoxWalker
    private(set) var metadata: MetadataReader
    /// What tags before and behind the boxes hold: some taggers know no better.
    private(set) var tags: [Metadata] = []
    /// Without a `ftyp` it is QuickTime of old.
    private(set) var container = AudioContainer.mov
    private(set) var movie: MovieBox?
    /// The main track's sound, from when `moov` is read on.
    private(set) var sound: MainSound?
    /// Bytes in the boxes `mdat`.
    private(set) var mediaBytes = 0
    /// Whether a box was met that only such files have.
    private(set) var isRecognised = false
    /// The first `moof` that came before `moov`.
    private var firstFragment: Int?
    /// Where the box begins that the file ends in; for one of sound, where the file ends.
    private(set) var cut: Int?
    /// What is no box, behind the last and before the tags.
    private(set) var garbage: Range<Int>?
    /// Of a box of sound that claims to be empty, or larger than anything, where its size is.
    private(set) var placeholder: Int?

    private init(_ options: ProbeOptions) {
        self.options = options
        walker = BoxWalker(options.limits)
        metadata = MetadataReader(options.limits)
    }

    private mutating func walk(_ file: Range<Int>, in window: inout ByteWindow) throws(AudioError) {
        var offset = file.lowerBound, isAfterEmptyMedia = false
        while let box = try walker.box(at: offset, in: file, depth: 0, &window), box.isPlausible {
            // A tag of MP3 files looks like a box of a thousand million bytes.
            if box.isCut, try TrailingTags(in: &window, notBefore: offset).start == offset { break }
            isAfterEmptyMedia = box.type == "mdat" && box.content.isEmpty && !box.isCut
            offset = box.range.upperBound
            try read(box, in: &window)
            // Fragments may be many, and need not be seen where the header is believed.
            if sound?.estimate != nil, box.type == "moof" { return }
        }
        if offset == file.upperBound { return }
        if isAfterEmptyMedia, movie == nil {
            // The recorder never came to write the size of the sound that it had begun.
            mediaBytes += file.upperBound - offset
            placeholder = offset - 8
        } else if file.upperBound - offset < 8 {
            cut = offset
        } else {
            let behind = try TrailingTags(in: &window, notBefore: offset)
            for tag in behind.tags.reversed() { tags += try tag.metadata(in: &window) }
            if behind.start > offset { garbage = offset..<behind.start }
        }
    }

    private mutating func read(_ box: Box, in window: inout ByteWindow) throws(AudioError) {
        switch box.type {
        case "ftyp":
            isRecognised = true
            container = try FileBrand.container(box, in: &window)
        case "mdat":
            isRecognised = true
            mediaBytes += box.content.count
        case "moov":
            isRecognised = true
            try readMovie(box, in: &window)
        case "moof":
            isRecognised = true
            try readFragment(box, in: &window)
        case "styp", "sidx": isRecognised = true
        default: try metadata.read(box, depth: 0, &walker, in: &window)
        }
        if box.isCut { note(cutBox: box) }
    }

    private mutating func note(cutBox box: Box) {
        // No disk holds 2^48 bytes: such a size, or all ones, is what a recorder writes that doesn't know it yet.
        if box.type == "mdat", let stated = box.stated, stated == 0xFFFF_FFFF || stated >> 48 != 0 {
            placeholder = box.range.lowerBound
        } else {
            cut = box.type == "mdat" ? box.range.upperBound : box.range.lowerBound
        }
    }

    /// Reads `moov`. Of one that is cut, or not the first, only the metadata count.
    private mutating func readMovie(_ box: Box, in window: inout ByteWindow) throws(AudioError) {
        var reader = MovieReader(options.limits)
        try reader.read(box, depth: 0, &walker, &metadata, in: &window)
        if movie != nil || box.isCut { return }
        movie = reader.movie
        sound = try MainSound(reader.movie, options, in: &window)
        if let firstFragment, sound?.isFragmented == true {
            try readFragments(in: firstFragment..<box.range.lowerBound, &window)
        }
    }

    /// Reads the fragments that came before their description once more. Their metadata are known already.
    private mutating func readFragments(in range: Range<Int>, _ window: inout ByteWindow) throws(AudioError) {
        var offset = range.lowerBound, known = metadata
        while let box = try walker.box(at: offset, in: range, depth: 0, &window) {
            offset = box.range.upperBound
            if box.type == "moof" { try sound?.fragments.read(box, &walker, &known, in: &window) }
        }
    }

    private mutating func readFragment(_ box: Box, in window: inout ByteWindow) throws(AudioError) {
        if movie == nil {
            firstFragment = firstFragment ?? box.range.lowerBound
            var unknown = FragmentReader(track: 0, defaults: [:], clock: SoundClock(SoundDescription(), timescale: 1))
            try unknown.read(box, &walker, &metadata, in: &window)
        } else if !box.isCut {
            try sound?.fragments.read(box, &walker, &metadata, in: &window)
        }
    }
}

/// What `ftyp` says: ISO/IEC 14496-12, 4.3.
private enum FileBrand {
    /// By the major brand, or, where that isn't known, by the first known of the compatible ones.
    static func container(_ box: Box, in window: inout ByteWindow) throws(AudioError) -> AudioContainer {
        if let major = try box.uint32(at: 0, in: &window), let known = container(FourCC(UInt32(major))) { return known }
        var offset = 8
        // Files have a dozen brands at most.
        while offset < 8 + 4 * 64, let brand = try box.uint32(at: offset, in: &window) {
            if let known = container(FourCC(UInt32(brand))) { return known }
            offset += 4
        }
        return .mp4
    }

    private static func container(_ brand: FourCC) -> AudioContainer? {
        switch brand {
        case "M4A ", "M4B ", "M4P ": .m4a
        case "qt  ": .mov
        case "isom", "mp41", "mp42", "avc1", "dash", "cmfc", "M4V ", "mmp4", "MSNV": .mp4
        // 3gp4 to 3gp9, 3gpa, 3ge6, 3g2a and their like; iso2 to iso9, isoa.
        case _ where brand.code >> 16 == 0x3367: .threeGP
        case _ where brand.code >> 8 == 0x69736F: .mp4
        default: nil
        }
    }
}
