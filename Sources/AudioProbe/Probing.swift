extension Recording {
    /// Recognises the container by its content and walks through it.
    ///
    /// A recording that is incomplete is no error: its `completeness` says what is missing.
    ///
    /// - Throws: `empty`, `not-audio`, `unsupported-...`, `unrecognized-format`, `video-only`, `no-audio-track`,
    ///   `damaged`, `limit-exceeded`, `cancelled`, and what reading throws.
    /// - Complexity: for what has a header or an index, linear in that; for MPEG audio, ADTS, AMR, Ogg, Matroska and
    ///   fragments linear in the file, unless the options ask for a quick answer. Memory: the window's 256 KiB, and a
    ///   few bytes for each run of equal samples.
    public init(probing reader: inout BufferedFileReader, options: ProbeOptions = ProbeOptions()) throws(AudioError) {
        if reader.byteCount == 0 { throw AudioError(.empty, message: "the file is empty") }
        self = try reader.withReadLimit(options.limits.scannedBytes) { (reader) throws(AudioError) in
            try Self.probeWithinReadLimit(family: Self.family(of: &reader), in: &reader, options: options)
        }
        try checkDurationPlausibility()
        addMetadataWarning()
    }

    /// The family of containers that the file is of.
    private static func family(of window: inout BufferedFileReader) throws(AudioError) -> FormatDetector.ContainerFamily
    {
        switch try FormatDetector(detectingIn: &window) {
        case .audioContainer(let family): return family
        case .unsupportedFormat(code: let name, title: let title):
            throw AudioError(.unsupported(name), offset: 0, message: "\(title) is not read")
        case .image(title: let title), .nonAudio(title: let title):
            throw AudioError(.notAudio, offset: 0, message: "the content is \(title)")
        case .unrecognized:
            throw AudioError(.unrecognizedFormat, offset: 0, message: "the content is that of no recording known here")
        }
    }

    /// Scans the file, or believes its header if the scan reaches its limit.
    private static func probeWithinReadLimit(
        family: FormatDetector.ContainerFamily, in reader: inout BufferedFileReader, options: ProbeOptions
    ) throws(AudioError) -> Recording {
        var scanned: Recording?
        let isComplete = try reader.runWithinReadLimit { (reader) throws(AudioError) in
            scanned = try Self.probeContainer(family: family, in: &reader, options: options)
        }
        if isComplete, let scanned { return scanned }
        var quickOptions = options
        quickOptions.isQuick = true
        var recording = try Self.probeContainer(family: family, in: &reader, options: quickOptions)
        recording.addWarning(
            .scanLimit, message: "the file was not scanned beyond the limit; the duration is what its header states")
        return recording
    }

    /// Keeps what is stated of times within reason: no sum or printed number has to expect more.
    ///
    /// - Throws: `damaged` for a duration that no recording has.
    private mutating func checkDurationPlausibility() throws(AudioError) {
        let longest = AudioDuration.maxSeconds
        if let seconds = duration?.seconds, !(seconds <= longest) {
            throw AudioError(
                .damaged,
                message:
                    "the duration is invalid: \(seconds.formattedAsSeconds) (at most \(longest.formattedAsSeconds))")
        }
        if let bound = duration?.errorBound, !(bound <= longest) {
            tracks[mainTrackIndex].duration?.errorBound = longest
        }
        timelineSeconds = timelineSeconds.map { min($0, longest) }
    }

    /// Warns of what the file carries beside the sound and can't be erased in place.
    private mutating func addMetadataWarning() {
        var kinds: [String] = [], first: Int?
        for item in metadata where !item.isErasable {
            first = first ?? item.range.lowerBound
            if !kinds.contains(item.kind.rawValue) { kinds.append(item.kind.rawValue) }
        }
        guard let first else { return }
        let list = kinds.sorted().joined(separator: ", ")
        addWarning(.carriesMetadata, offset: first, message: "beside the sound the file carries \(list)")
    }

    private static func probeContainer(
        family: FormatDetector.ContainerFamily, in reader: inout BufferedFileReader, options: ProbeOptions
    ) throws(AudioError) -> Recording {
        switch family {
        case .wave: try WaveFile.probe(in: &reader, options: options)
        case .wave64: try Wave64File.probe(in: &reader, options: options)
        case .aiff: try AIFFFile.probe(in: &reader, options: options)
        case .au: try AUFile.probe(in: &reader, options: options)
        case .caf: try CAFFile.probe(in: &reader, options: options)
        case .flac: try FLACFile.probe(in: &reader, options: options)
        case .ogg: try OggFile.probe(in: &reader, options: options)
        case .mpegAudio: try MPEGAudioFile.probe(in: &reader, options: options)
        case .adts: try ADTSFile.probe(in: &reader, options: options)
        case .isoMedia: try ISOMediaFile.probe(&reader, options: options)
        case .matroska: try MatroskaFile.probe(&reader, options: options)
        case .amr: try AMRFile.probe(in: &reader, options: options)
        }
    }
}
