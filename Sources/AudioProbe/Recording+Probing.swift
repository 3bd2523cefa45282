extension Recording {
    /// Probes the file at a path: detects its format from the content and reads its structure.
    ///
    /// An incomplete file is not an error: ``completeness`` states what is missing.
    ///
    /// - Parameters:
    ///   - path: The path of a regular file.
    ///   - options: The limits, and whether to estimate the duration.
    /// - Throws: ``AudioError/Code/unreadable``, ``AudioError/Code/notARegularFile``,
    ///   ``AudioError/Code/inputTooLarge``, ``AudioError/Code/changedWhileRead``, and the errors of
    ///   ``init(bytes:options:)``.
    /// - Complexity: Linear in the header or index where the format has one. Linear in the file's size for MPEG audio,
    ///   ADTS, AMR, Ogg, Matroska and MP4 fragments, unless ``ProbeOptions/isQuick`` is set. Memory: a buffer of at
    ///   most 256 KiB, and a few bytes for each run of equal samples.
    public init(contentsOf path: String, options: ProbeOptions = ProbeOptions()) throws(AudioError) {
        var reader = try BufferedFileReader(path: path)
        try self.init(probing: &reader, options: options)
        // A file that is still being written could seem truncated.
        try reader.checkFileUnchanged()
    }

    /// Probes a file in memory: detects its format and reads its structure.
    ///
    /// An incomplete file is not an error: ``completeness`` states what is missing.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - options: The limits, and whether to estimate the duration.
    /// - Throws: ``AudioError/Code/empty``, ``AudioError/Code/notAudio``, `unsupported-…`,
    ///   ``AudioError/Code/unrecognizedFormat``, ``AudioError/Code/videoOnly``, ``AudioError/Code/noAudioTrack``,
    ///   ``AudioError/Code/damaged``, ``AudioError/Code/limitExceeded``, ``AudioError/Code/cancelled``.
    /// - Complexity: As ``init(contentsOf:options:)``.
    public init(bytes: [UInt8], options: ProbeOptions = ProbeOptions()) throws(AudioError) {
        var reader = BufferedFileReader(bytes: bytes)
        try self.init(probing: &reader, options: options)
    }

    /// Detects the format of a file and reads its structure.
    ///
    /// - Parameters:
    ///   - reader: The file.
    ///   - options: The limits, and whether to estimate the duration.
    /// - Throws: The errors of ``init(contentsOf:options:)``.
    package init(probing reader: inout BufferedFileReader, options: ProbeOptions = ProbeOptions()) throws(AudioError) {
        let format = try DetectedFormat(in: &reader, limits: options.limits)
        try self.init(probing: &reader, as: format, options: options)
    }

    /// Reads the structure of a file with a known format.
    ///
    /// - Parameters:
    ///   - reader: The file.
    ///   - format: The format that was detected in the same file.
    ///   - options: The limits, and whether to estimate the duration.
    /// - Throws: The errors of ``init(contentsOf:options:)``.
    package init(
        probing reader: inout BufferedFileReader, as format: DetectedFormat, options: ProbeOptions
    ) throws(AudioError) {
        if reader.byteCount == 0 { throw AudioError(.empty, message: "the file is empty") }
        self = try reader.withReadLimit(options.limits.scannedBytes) { (reader) throws(AudioError) in
            try Self.probeWithinReadLimit(format: format, in: &reader, options: options)
        }
        try limitDurations()
        addMetadataWarning()
    }

    /// Scans the file, or uses its header if the scan reaches the read limit.
    private static func probeWithinReadLimit(
        format: DetectedFormat, in reader: inout BufferedFileReader, options: ProbeOptions
    ) throws(AudioError) -> Recording {
        var scanned: Recording?
        let isComplete = try reader.runWithinReadLimit { (reader) throws(AudioError) in
            scanned = try Self.probeAudio(format: format, in: &reader, options: options)
        }
        if isComplete, let scanned { return scanned }
        var quickOptions = options
        quickOptions.isQuick = true
        var recording = try Self.probeAudio(format: format, in: &reader, options: quickOptions)
        recording.addWarning(
            .scanLimit, message: "the scan reached its limit; the duration is that of the header")
        return recording
    }

    /// Limits the durations to ``AudioDuration/maxSeconds``, so that sums and printed numbers stay bounded.
    ///
    /// - Throws: ``AudioError/Code/damaged`` if the duration is longer.
    private mutating func limitDurations() throws(AudioError) {
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

    /// Adds a warning if the file contains metadata that cannot be erased in place.
    private mutating func addMetadataWarning() {
        var kinds: [String] = [], first: Int?
        for item in metadata where !item.isErasable {
            first = first ?? item.range.lowerBound
            if !kinds.contains(item.kind.rawValue) { kinds.append(item.kind.rawValue) }
        }
        guard let first else { return }
        let list = kinds.sorted().joined(separator: ", ")
        addWarning(.carriesMetadata, offset: first, message: "the file contains metadata beside the audio: \(list)")
    }

    private static func probeAudio(
        format: DetectedFormat, in reader: inout BufferedFileReader, options: ProbeOptions
    ) throws(AudioError) -> Recording {
        switch format {
        case .container(let family, offset: let start):
            return try probeContainer(family: family, in: &reader, from: start, options: options)
        case .frames(.mpegAudio, range: let range):
            return try MPEGAudioFile.probe(in: &reader, range: range, options: options)
        case .frames(.adts, range: let range):
            return try ADTSFile.probe(in: &reader, range: range, options: options)
        case .frames(.flac, range: let range):
            return try FLACFile.probeFrames(in: &reader, range: range, options: options)
        case .unsupported(code: let name, title: let title):
            throw AudioError(.unsupported(name), offset: 0, message: "the format is unsupported: \(title)")
        case .image(title: let title), .nonAudio(title: let title):
            throw AudioError(.notAudio, offset: 0, message: "the content is not audio: \(title)")
        case .unrecognized:
            throw AudioError(.unrecognizedFormat, offset: 0, message: "the content is not a known audio format")
        }
    }

    private static func probeContainer(
        family: DetectedFormat.ContainerFamily, in reader: inout BufferedFileReader, from start: Int,
        options: ProbeOptions
    ) throws(AudioError) -> Recording {
        switch family {
        case .wave: try WaveFile.probe(in: &reader, from: start, options: options)
        case .wave64: try Wave64File.probe(in: &reader, from: start, options: options)
        case .aiff: try AIFFFile.probe(in: &reader, from: start, options: options)
        case .au: try AUFile.probe(in: &reader, from: start, options: options)
        case .caf: try CAFFile.probe(in: &reader, from: start, options: options)
        case .flac: try FLACFile.probe(in: &reader, from: start, options: options)
        case .ogg: try OggFile.probe(in: &reader, from: start, options: options)
        case .isoMedia: try ISOMediaFile.probe(in: &reader, from: start, options: options)
        case .matroska: try MatroskaFile.probe(in: &reader, from: start, options: options)
        case .amr: try AMRFile.probe(in: &reader, from: start, options: options)
        }
    }
}
