// How long WAVE lasts whose codec has frames that differ in size.

extension WaveFile {
    /// Counts frames, if they are those of MPEG audio; nil if they aren't.
    func scan(
        _ container: AudioContainer, _ track: Recording.Track, _ sound: SoundExtent, in window: inout ByteWindow
    ) throws(AudioError) -> Recording? {
        guard track.codec == .mp3 || track.codec == .mp2, let frames = try EnclosedFrames(sound, in: &window)
        else { return nil }
        let rest = sound.end - frames.end
        var recording = Recording(container, track: track, mediaBytes: frames.end - sound.start)
        var duration = AudioDuration(ticks: frames.samples, timescale: frames.sampleRate, method: .scan)
        if track.sampleRate != frames.sampleRate {
            recording.tracks[0].sampleRate = frames.sampleRate
            recording.warn(
                .headerContradicts, "the frames have \(frames.sampleRate) samples a second, unlike the header")
        }
        if sound.ending == .cut || frames.next != nil {
            recording.completeness = .truncated(offset: frames.end)
        } else if rest > 0 {
            recording.warn(.trailingBytes, offset: frames.end, "in the sound \(rest) bytes follow the last frame")
            // As much as they would be if they were sound after all.
            let share = Double(rest) / Double(max(frames.end - sound.start, 1))
            duration.errorBound = duration.seconds * share
        }
        recording.tracks[0].duration = duration
        recording.warnIfOpen(sound)
        return recording
    }

    /// Divides the size of the sound by the header's bytes a second, or takes the header's count of samples.
    ///
    /// - Throws: `unsupported-wav-codec` if the header has neither, and `damaged`.
    func estimate(
        _ container: AudioContainer, _ track: Recording.Track, _ format: WaveFormat, _ sound: SoundExtent
    ) throws(AudioError) -> Recording {
        var recording = Recording(container, track: track, mediaBytes: sound.count)
        recording.warnIfOpen(sound)
        switch sound.ending {
        case .cut: recording.completeness = .truncated(offset: sound.end)
        case .stated, .open: if sound.count == 0 { recording.completeness = .empty }
        }
        if sound.count == 0 {
            recording.tracks[0].duration = AudioDuration(ticks: 0, timescale: format.rate, method: .header)
            return recording
        }
        guard format.byteRate > 0 else {
            throw AudioError(.unsupported("wav-codec"), "WAVE with sound of the kind \(format.codec) is not read")
        }
        guard let product = sound.count.multiplied(by: format.rate) else { throw AudioError.tooManySamples }
        var duration = AudioDuration(ticks: product / format.byteRate, timescale: format.rate, method: .estimate)
        // Nothing vouches for the header's bytes a second but its count of samples.
        duration.errorBound = duration.seconds
        if sound.ending == .stated, let fact, fact > 0 {
            let bySize = duration.seconds
            duration.ticks = fact
            // A tenth of a second is more than the longest frame, and what a codec adds at the ends.
            duration.errorBound = abs(duration.seconds - bySize) + 0.1
        }
        recording.tracks[0].duration = duration
        return recording
    }
}
