internal import AudioProbe
internal import MediaPrep

/// The `audio` member of a manifest line. All keys are present, with null for unknown values.
package struct ManifestAudioFields: Encodable {
    /// A track of the file.
    struct Track: Encodable {
        private let track: Recording.Track

        enum CodingKeys: String, CodingKey {
            case id, kind, codec, channels, enabled
            case sampleRate = "sample_rate"
            case durationSeconds = "duration_seconds"
        }

        init(_ track: Recording.Track) { self.track = track }

        func encode(to encoder: any Encoder) throws {
            var facts = encoder.container(keyedBy: CodingKeys.self)
            try facts.encode(track.id, forKey: .id)
            try facts.encode(track.kind.rawValue, forKey: .kind)
            try facts.encode(track.codec.rawValue, forKey: .codec)
            try facts.encode(track.sampleRate, forKey: .sampleRate)
            try facts.encode(track.channels, forKey: .channels)
            try facts.encode(track.isEnabled, forKey: .enabled)
            try facts.encode(track.duration?.seconds, forKey: .durationSeconds)
        }
    }

    let report: AudioReport

    init(_ report: AudioReport) { self.report = report }

    enum CodingKeys: String, CodingKey {
        case codec, container, channels, tracks, metadata, completeness, silent
        case durationSeconds = "duration_seconds"
        case durationTicks = "duration_ticks"
        case durationTimescale = "duration_timescale"
        case durationMethod = "duration_method"
        case durationExact = "duration_exact"
        case durationErrorSeconds = "duration_error_seconds"
        case timelineSeconds = "timeline_seconds"
        case decodedSeconds = "decoded_seconds"
        case sampleRate = "sample_rate"
        case bitsPerSample = "bits_per_sample"
        case mediaBytes = "media_bytes"
        case mimeType = "mime_type"
        case peak = "peak_dbfs"
        case rms = "rms_dbfs"
        case clippedSamples = "clipped_samples"
        case clippedShare = "clipped_share"
        case activeLevel = "active_level_dbfs"
        case activeShare = "active_share"
        case silentShare = "silent_share"
        case noiseFloor = "noise_floor_dbfs"
        case signalToNoise = "snr_db"
        case dcOffset = "dc_offset"
        case deadChannels = "dead_channels"
    }

    /// The codec of the main track.
    package var codec: String { report.recording.mainTrack.codec.rawValue }

    /// The duration, and details such as how it was determined, for the terminal.
    package var tableCells: [String] {
        let recording = report.recording, track = recording.mainTrack
        let length =
            recording.duration.map { DecimalFormat.string(from: $0.seconds, fractionDigits: 3) + " s" } ?? "unknown"
        let certainty = recording.duration.map { duration in
            duration.isExact
                ? "exact" : "within \(DecimalFormat.string(from: duration.errorBound, fractionDigits: 3)) s"
        }
        let details = [
            recording.duration.map { "by \($0.method)" }, certainty, track.sampleRate.map { "\($0) Hz" },
            track.channels.map { $0 == 1 ? "mono" : $0 == 2 ? "stereo" : "\($0) channels" },
            recording.tracks.count > 1 ? "\(recording.tracks.count) tracks" : nil,
            report.levels.map {
                "peak \(DecimalFormat.string(from: $0.peakDBFS, fractionDigits: 1)) dBFS, rms "
                    + "\(DecimalFormat.string(from: $0.rmsDBFS, fractionDigits: 1)) dBFS"
            },
            report.levels.flatMap { $0.clippedSampleCount > 0 ? "\($0.clippedSampleCount) samples clipped" : nil },
            report.isSilent == true ? "silent" : nil,
        ]
        return [length, details.compactMap { $0 }.joined(separator: ", ")]
    }

    package func encode(to encoder: any Encoder) throws {
        var facts = encoder.container(keyedBy: CodingKeys.self)
        let recording = report.recording, track = recording.mainTrack
        try encodeDuration(recording.duration, into: &facts)
        try facts.encode(recording.timelineSeconds, forKey: .timelineSeconds)
        try facts.encode(report.decodedSeconds, forKey: .decodedSeconds)
        try facts.encode(recording.container.rawValue, forKey: .container)
        try facts.encode(report.mediaType.mimeType, forKey: .mimeType)
        try facts.encode(track.codec.rawValue, forKey: .codec)
        try facts.encode(track.sampleRate, forKey: .sampleRate)
        try facts.encode(track.channels, forKey: .channels)
        try facts.encode(track.bitsPerSample, forKey: .bitsPerSample)
        try facts.encode(recording.mediaBytes, forKey: .mediaBytes)
        try facts.encode(recording.completeness.manifestName, forKey: .completeness)
        try facts.encode(recording.tracks.map(Track.init), forKey: .tracks)
        try facts.encode(Set(recording.metadata.map(\.kind.rawValue)).sorted(), forKey: .metadata)
        try encodeLevels(report.levels, into: &facts)
        try facts.encode(report.isSilent, forKey: .silent)
    }

    private func encodeDuration(
        _ duration: AudioDuration?, into facts: inout KeyedEncodingContainer<CodingKeys>
    ) throws {
        try facts.encode(duration?.seconds, forKey: .durationSeconds)
        try facts.encode(duration?.ticks, forKey: .durationTicks)
        try facts.encode(duration?.timescale, forKey: .durationTimescale)
        try facts.encode(duration?.method.rawValue, forKey: .durationMethod)
        try facts.encode(duration?.isExact ?? false, forKey: .durationExact)
        try facts.encode(duration?.errorBound, forKey: .durationErrorSeconds)
    }
}

extension Recording.Completeness {
    /// The name in manifests.
    var manifestName: String {
        switch self {
        case .complete: "complete"
        case .truncated: "truncated"
        case .unfinalized: "unfinalised"
        case .noAudioFrames: "empty"
        }
    }
}
