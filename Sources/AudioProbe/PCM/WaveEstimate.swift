// How long WAVE lasts whose codec has frames that differ in size.

extension WaveFile {
    /// Counts frames, if they are those of MPEG audio; nil if they aren't.
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
                .headerContradicts, message: "the frames have \(frames.sampleRate) samples a second, unlike the header")
        }
        if dataExtent.sizeStatus == .truncated || frames.truncatedFrameLength != nil {
            recording.completeness = .truncated(offset: frames.lastFrameEndOffset)
        } else if trailingByteCount > 0 {
            recording.addWarning(
                .trailingBytes, offset: frames.lastFrameEndOffset,
                message: "in the sound \(trailingByteCount) bytes follow the last frame")
            // As much as they would be if they were sound after all.
            let share = Double(trailingByteCount) / Double(max(frames.lastFrameEndOffset - dataExtent.startOffset, 1))
            duration.errorBound = duration.seconds * share
        }
        recording.tracks[0].duration = duration
        recording.addWarningIfSizeUnknown(of: dataExtent)
        return recording
    }

    /// Divides the size of the sound by the header's bytes a second, or takes the header's count of samples.
    ///
    /// - Throws: `unsupported-wav-codec` if the header has neither, and `damaged`.
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
                .unsupported("wav-codec"), message: "WAVE with sound of the kind \(format.codec) is not read")
        }
        guard let product = dataExtent.byteCount.multipliedIfNoOverflow(by: format.sampleRate) else {
            throw AudioError.tooManySamples
        }
        var duration = AudioDuration(
            ticks: product / format.averageBytesPerSecond, timescale: format.sampleRate, method: .estimate)
        // Nothing vouches for the header's bytes a second but its count of samples.
        duration.errorBound = duration.seconds
        if dataExtent.sizeStatus == .declared, let factSampleCount, factSampleCount > 0 {
            let bySize = duration.seconds
            duration.ticks = factSampleCount
            // A tenth of a second is more than the longest frame, and what a codec adds at the ends.
            duration.errorBound = abs(duration.seconds - bySize) + 0.1
        }
        recording.tracks[0].duration = duration
        return recording
    }
}
