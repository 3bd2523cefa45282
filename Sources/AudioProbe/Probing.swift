extension Recording {
    /// Recognises the container by its content and walks through it.
    ///
    /// A recording that is incomplete is no error: its `completeness` says what is missing.
    ///
    /// - Throws: `empty`, `not-audio`, `unsupported-...`, `unrecognized-format`, `video-only`, `no-audio-track`, `damaged`,
    ///   `limit-exceeded`, `cancelled`, and what reading throws.
    /// - Complexity: for what has a header or an index, linear in that; for MPEG audio, ADTS, AMR, Ogg, Matroska and
    ///   fragments linear in the file, unless the options ask for a quick answer. Memory: the window's 256 KiB, and a few
    ///   bytes for each run of equal samples.
    public init(probing window: inout ByteWindow, options: ProbeOptions = ProbeOptions()) throws(AudioError) {
        if window.count == 0 { throw AudioError(.empty, "the file is empty") }
        self = try window.limitingReads(to: options.limits.scannedBytes) { (window) throws(AudioError) in
            try Self.limited(Self.family(of: &window), in: &window, options)
        }
        try checkPlausibility()
        warnOfMetadata()
    }

    /// The family of containers that the file is of.
    private static func family(of window: inout ByteWindow) throws(AudioError) -> Recognition.Family {
        switch try Recognition(&window) {
        case .recording(let family): return family
        case .unsupported(let name, let title): throw AudioError(.unsupported(name), offset: 0, "\(title) is not read")
        case .image(let title), .other(let title): throw AudioError(.notAudio, offset: 0, "the content is \(title)")
        case .unknown: throw AudioError(.unrecognized, offset: 0, "the content is that of no recording known here")
        }
    }

    /// Scans the file, or believes its header if the scan reaches its limit.
    private static func limited(
        _ family: Recognition.Family, in window: inout ByteWindow, _ options: ProbeOptions
    ) throws(AudioError) -> Recording {
        var scanned: Recording?
        let isWhole = try window.scan { (window) throws(AudioError) in
            scanned = try Self.recording(family, in: &window, options)
        }
        if isWhole, let scanned { return scanned }
        var quick = options
        quick.isQuick = true
        var recording = try Self.recording(family, in: &window, quick)
        recording.warn(.scanLimit, "the file was not scanned beyond the limit; the duration is what its header states")
        return recording
    }

    /// Keeps what is stated of times within reason: no sum or printed number has to expect more.
    ///
    /// - Throws: `damaged` for a duration that no recording has.
    private mutating func checkPlausibility() throws(AudioError) {
        let longest = AudioDuration.longestSeconds
        if let seconds = duration?.seconds, !(seconds <= longest) {
            throw AudioError(.damaged, "the duration is invalid: \(seconds.inSeconds) (at most \(longest.inSeconds))")
        }
        if let bound = duration?.errorBound, !(bound <= longest) {
            tracks[mainTrackIndex].duration?.errorBound = longest
        }
        timelineSeconds = timelineSeconds.map { min($0, longest) }
    }

    /// Warns of what the file carries beside the sound and can't be erased in place.
    private mutating func warnOfMetadata() {
        var kinds: [String] = [], first: Int?
        for item in metadata where !item.isErasable {
            first = first ?? item.range.lowerBound
            if !kinds.contains(item.kind.rawValue) { kinds.append(item.kind.rawValue) }
        }
        guard let first else { return }
        let list = kinds.sorted().joined(separator: ", ")
        warn(.carriesMetadata, offset: first, "beside the sound the file carries \(list)")
    }

    private static func recording(
        _ family: Recognition.Family, in window: inout ByteWindow, _ options: ProbeOptions
    ) throws(AudioError) -> Recording {
        switch family {
        case .wave: try WaveFile.recording(in: &window, options)
        case .wave64: try Wave64File.recording(in: &window, options)
        case .aiff: try AIFFFile.recording(in: &window, options)
        case .au: try AUFile.recording(in: &window, options)
        case .caf: try CAFFile.recording(in: &window, options)
        case .flac: try FLACFile.recording(in: &window, options)
        case .ogg: try OggFile.recording(in: &window, options)
        case .mpegAudio: try MPEGAudioFile.recording(in: &window, options)
        case .adts: try ADTSFile.recording(in: &window, options)
        case .isoMedia: try ISOMediaFile.recording(in: &window, options)
        case .matroska: try MatroskaFile.recording(in: &window, options)
        case .amr: try AMRFile.recording(in: &window, options)
        }
    }
}
