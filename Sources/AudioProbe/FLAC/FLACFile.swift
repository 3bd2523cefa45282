internal import Diagnostics
internal import MediaContainers

/// Probes native FLAC files, RFC 9639.
///
/// The header's duration is used if the last frame agrees with it. If the header states no duration, the number of the
/// last frame determines it. If they contradict each other, every frame is counted, each with its own sample rate. A
/// stream can also begin at a frame, without a header.
enum FLACFile {
    /// Probes a FLAC file with a header.
    ///
    /// - Throws: ``AudioError/Code/damaged``, ``AudioError/Code/unrecognizedFormat``,
    ///   ``AudioError/Code/limitExceeded``, and the errors of the reader.
    static func probe(
        in reader: inout BufferedFileReader, from start: Int, options: ProbeOptions
    ) throws(AudioError) -> Recording {
        let metadata = try FLACMetadataBlocks(in: &reader, from: start, limits: options.limits)
        let info = metadata.streamInfo, end = try TrailingTags(in: &reader, notBefore: metadata.endOffset).startOffset
        var recording = Recording(container: .flac, track: info.track, mediaBytes: 0)
        recording.metadata = metadata.metadataItems
        try recording.appendTagMetadata(before: start, after: end, in: &reader)

        guard metadata.isComplete else {
            recording.tracks[0].duration = AudioDuration(ticks: 0, timescale: info.sampleRate, method: .header)
            recording.completeness = .truncated(offset: metadata.endOffset)
            return recording
        }
        if options.isQuick, let total = info.totalSamples {
            recording.tracks[0].duration = .unverified(ticks: total, timescale: info.sampleRate)
            recording.mediaBytes = end - metadata.endOffset
            return recording
        }
        try measureDuration(
            of: FLACFrameFinder(streamInfo: info, searchRange: metadata.endOffset..<end, limits: options.limits),
            recording: &recording, in: &reader)
        return recording
    }

    /// Probes a stream that begins at a frame, without a header.
    ///
    /// - Throws: ``AudioError/Code/damaged``, ``AudioError/Code/unrecognizedFormat``,
    ///   ``AudioError/Code/limitExceeded``, and the errors of the reader.
    static func probeFrames(
        in reader: inout BufferedFileReader, range: Range<Int>, options: ProbeOptions
    ) throws(AudioError) -> Recording {
        guard
            let info = try FLACFrameFinder.streamInfo(
                fromFrameAt: range.lowerBound, before: range.upperBound, in: &reader)
        else { throw AudioError(.unrecognizedFormat, message: "the file has no FLAC frames") }
        var recording = Recording(container: .flac, track: info.track, mediaBytes: 0)
        try recording.appendTagMetadata(before: range.lowerBound, after: range.upperBound, in: &reader)
        try measureDuration(
            of: FLACFrameFinder(streamInfo: info, searchRange: range, limits: options.limits), recording: &recording,
            in: &reader)
        return recording
    }

    private static func measureDuration(
        of frames: FLACFrameFinder, recording: inout Recording, in reader: inout BufferedFileReader
    ) throws(AudioError) {
        var indexed = frames
        if let measurement = try FLACStreamMeasurement(fromLastFrameOf: &indexed, in: &reader) {
            try updateRecording(&recording, measurement: measurement, frames: indexed, in: &reader)
        } else {
            // Scans with the original finder: the search for the last frame may have used up the budget of its copy.
            var frames = frames
            try updateRecording(
                &recording, measurement: FLACStreamMeasurement(scanningAllFramesOf: &frames, in: &reader),
                frames: frames, in: &reader)
        }
    }

    private static func updateRecording(
        _ recording: inout Recording, measurement: FLACStreamMeasurement, frames: FLACFrameFinder,
        in reader: inout BufferedFileReader
    ) throws(AudioError) {
        let info = frames.streamInfo, bounds = frames.searchRange
        recording.tracks[0].duration = AudioDuration(
            ticks: measurement.duration.ticks, timescale: measurement.duration.timescale,
            method: measurement.durationMethod,
            errorBound: measurement.duration.errorBound)
        recording.mediaBytes = measurement.lastFrameEndOffset - bounds.lowerBound
        recording.completeness = try completeness(measurement: measurement, frames: frames, in: &reader)
        if let damage = measurement.damageOffset {
            recording.addWarning(
                .damagedFrames, offset: damage,
                message: "unrecognized bytes between frames, or a frame with a wrong checksum")
        }
        if let change = measurement.firstFormatChangeOffset {
            recording.addWarning(
                .headerContradicts, offset: change,
                message:
                    "the sample rate, the channels or the sample size of a frame differ from the header")
        }
        if measurement.timelineSampleCount > measurement.sampleCount, let seconds = recording.duration?.seconds {
            recording.timelineSeconds =
                seconds + Double(measurement.timelineSampleCount - measurement.sampleCount) / Double(info.sampleRate)
            recording.addWarning(.timelineGap, message: "the frame numbers leave gaps between the frames")
        }
        if let total = info.totalSamples, total != measurement.sampleCount, !recording.isTruncated {
            recording.addWarning(
                .headerContradicts,
                message: "the header states \(total) samples, but the file has \(measurement.sampleCount)")
        }
        let trailingByteCount = bounds.upperBound - measurement.lastFrameEndOffset
        if trailingByteCount > 0, recording.completeness == .complete || recording.completeness == .noAudioFrames {
            let isStream = try reader.fourCC(at: measurement.lastFrameEndOffset) == "fLaC"
            let bytesDescription = isStream ? "bytes of another FLAC stream, which are not counted," : "bytes"
            recording.addWarning(
                .trailingBytes, offset: measurement.lastFrameEndOffset,
                message: "\(trailingByteCount) \(bytesDescription) follow the last frame")
        }
    }

    private static func completeness(
        measurement: FLACStreamMeasurement, frames: FLACFrameFinder, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Recording.Completeness {
        let lacksSamples =
            frames.streamInfo.totalSamples.map { $0 > measurement.sampleCount && !measurement.endsWithShortFrame }
            ?? false
        if measurement.sampleCount == 0, !lacksSamples, measurement.lastFrameEndOffset == frames.searchRange.upperBound
        {
            return .noAudioFrames
        }
        let header = try frames.frameHeader(at: measurement.lastFrameEndOffset, in: &reader)
        let endsInsideFrame =
            try frames.isTruncatedHeader(at: measurement.lastFrameEndOffset, in: &reader) || header != nil
        if measurement.sampleCount == 0, !lacksSamples, !endsInsideFrame {
            throw AudioError(.damaged, offset: measurement.lastFrameEndOffset, message: "no frame follows the header")
        }
        // More of the stream may follow the part that was searched, unless everything that the header promises was
        // found.
        let mayGoOn =
            frames.hasUnsearchedRest && !measurement.endsWithShortFrame
            && frames.streamInfo.totalSamples != measurement.sampleCount
        return lacksSamples || endsInsideFrame || mayGoOn
            ? .truncated(offset: measurement.lastFrameEndOffset) : .complete
    }
}

extension Recording {
    /// Whether the file is truncated, so that a larger total in the header is no contradiction.
    fileprivate var isTruncated: Bool {
        if case .truncated = completeness { true } else { false }
    }
}
