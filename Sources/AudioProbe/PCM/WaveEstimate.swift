// Durations of WAVE files with a codec of which the frames differ in size.

internal import Diagnostics

extension WaveFile {
    /// Counts MPEG audio frames. Returns `nil` if the audio is not MPEG audio.
    func scannedRecording(
        container: AudioContainer, track: Recording.Track, dataExtent: DataChunkExtent,
        in reader: inout BufferedFileReader
    ) throws(AudioError) -> Recording? {
        guard track.codec == .mp3 || track.codec == .mp2,
            let frames = try EmbeddedMPEGFrames(dataExtent: dataExtent, in: &reader)
        else { return nil }
        let trailingByteCount = dataExtent.endOffset - frames.lastFrameEndOffset
        var recording = Recording(
            container: container, track: track, mediaBytes: frames.lastFrameEndOffset - dataExtent.startOffset)
        var duration = AudioDuration(ticks: frames.sampleCount, timescale: frames.sampleRate, method: .scan)
        if track.sampleRate != frames.sampleRate {
            recording.tracks[0].sampleRate = frames.sampleRate
            recording.addWarning(
                .headerContradicts,
                message: "the frames have a sample rate of \(frames.sampleRate) Hz, unlike the header")
        }
        if dataExtent.sizeStatus == .truncated || frames.truncatedFrameLength != nil {
            recording.completeness = .truncated(offset: frames.lastFrameEndOffset)
        } else if trailingByteCount > 0 {
            recording.addWarning(
                .trailingBytes, offset: frames.lastFrameEndOffset,
                message: "\(trailingByteCount) bytes follow the last frame in the 'data' chunk")
            // The error bound is the duration of these bytes if they were audio.
            let share = Double(trailingByteCount) / Double(max(frames.lastFrameEndOffset - dataExtent.startOffset, 1))
            duration.errorBound = duration.seconds * share
        }
        recording.tracks[0].duration = duration
        recording.addWarningIfSizeUnknown(of: dataExtent)
        return recording
    }

    /// Estimates the duration from the size of the audio and the header's bytes per second, or from the number of
    /// samples in the `fact` chunk.
    ///
    /// - Throws: `unsupported-wav-codec` if the header states no bytes per second; ``AudioError/Code/damaged``.
    func estimatedRecording(
        container: AudioContainer, track: Recording.Track, format: WaveFormat, dataExtent: DataChunkExtent
    ) throws(AudioError) -> Recording {
        var recording = Recording(container: container, track: track, mediaBytes: dataExtent.byteCount)
        recording.addWarningIfSizeUnknown(of: dataExtent)
        switch dataExtent.sizeStatus {
        case .truncated: recording.completeness = .truncated(offset: dataExtent.endOffset)
        case .declared, .unknown: if dataExtent.byteCount == 0 { recording.completeness = .noAudioFrames }
        }
        if dataExtent.byteCount == 0 {
            recording.tracks[0].duration = AudioDuration(ticks: 0, timescale: format.sampleRate, method: .header)
            return recording
        }
        guard format.averageBytesPerSecond > 0 else {
            throw AudioError(
                .unsupported("wav-codec"), message: "the WAVE codec is unsupported: \(format.encoding.codec)")
        }
        guard let product = dataExtent.byteCount.multipliedIfNoOverflow(by: format.sampleRate) else {
            throw AudioError.tooManySamples
        }
        var duration = AudioDuration(
            ticks: product / format.averageBytesPerSecond, timescale: format.sampleRate, method: .estimate)
        // Only the `fact` chunk can confirm the header's bytes per second.
        duration.errorBound = duration.seconds
        if dataExtent.sizeStatus == .declared, let factSampleCount, factSampleCount > 0 {
            let bySize = duration.seconds
            duration.ticks = factSampleCount
            // 0.1 seconds is more than the longest frame and the samples that a codec adds at both ends.
            duration.errorBound = abs(duration.seconds - bySize) + 0.1
        }
        recording.tracks[0].duration = duration
        return recording
    }
}
