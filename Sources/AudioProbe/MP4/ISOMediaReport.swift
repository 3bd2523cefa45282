extension ISOMediaFile {
    /// What was found, put together.
    ///
    /// - Throws: `unrecognized-format`, `video-only`, `no-audio-track`.
    func report(in window: inout ByteWindow) throws(AudioError) -> Recording {
        guard isRecognised else { throw AudioError(.unrecognized, offset: 0, "the content is that of no recording") }
        guard let movie else {
            let unknown = Recording.Track(codec: AudioCodec(rawValue: "unknown"))
            var recording = Recording(container, track: unknown, mediaBytes: mediaBytes, completeness: .unfinalised)
            addRemarks(to: &recording)
            return recording
        }
        guard let sound else {
            if movie.tracks.contains(where: { $0.kind == .video }) {
                throw AudioError(.videoOnly, "the file is a film without a sound track")
            }
            throw AudioError(.noTrack, "none of the file's tracks is sound")
        }
        var tracks: [Recording.Track] = []
        for track in movie.tracks { tracks.append(try Recording.Track(track, in: &window)) }
        var recording = Recording(
            container, tracks: tracks, main: sound.index, mediaBytes: mediaBytes, completeness: .unfinalised)
        recording.hasVideo = hasVideo(movie, sound)
        if let estimate = sound.estimate {
            recording.tracks[sound.index].duration = estimate
            recording.completeness = cut.map { .truncated(offset: $0) } ?? .complete
        } else if !sound.isUnfinalised(mediaBytes: mediaBytes, trackCount: tracks.count) {
            describe(sound, movie, in: &recording, fileLength: window.count)
        }
        addRemarks(to: &recording)
        return recording
    }

    private func hasVideo(_ movie: MovieBox, _ sound: MainSound) -> Bool {
        if sound.fragments.hasVideo { return true }
        let tracks = movie.imageTracks
        // The fragments of a quick answer were not read.
        if movie.isFragmented, sound.estimate != nil, !tracks.isEmpty { return true }
        return tracks.contains { $0.kind == .video && $0.sampleCount > 0 }
    }

    private func describe(
        _ sound: MainSound, _ movie: MovieBox, in recording: inout Recording, fileLength: Int
    ) {
        let (duration, timeline) = sound.edited(metadata.gapless)
        recording.tracks[sound.index].duration = duration
        recording.mediaBytes = min(sound.clock.bytes, fileLength)
        if let offset = sound.clock.missing ?? cut {
            recording.completeness = .truncated(offset: offset)
        } else {
            recording.completeness = sound.clock.sound == 0 ? .empty : .complete
            if let (name, seconds) = sound.contradiction(movie, played: duration.seconds, timeline: timeline) {
                recording.warn(
                    .headerContradicts,
                    "\(name) states \(seconds.inSeconds), and there are \(duration.seconds.inSeconds) of sound")
            }
        }
        if sound.hasPauses {
            recording.timelineSeconds = timeline
            recording.warn(
                .timelineGap, "the timestamps leave pauses that no frames fill: with them it is \(timeline.inSeconds)")
        }
        if sound.isTableShort {
            recording.warn(.damagedFrames, "the tables of samples claim more samples than they describe")
        } else if sound.clock.bytes > fileLength {
            recording.warn(.damagedFrames, "samples overlap: they are larger than the file")
        }
    }

    private func addRemarks(to recording: inout Recording) {
        if let placeholder {
            recording.warn(.placeholderSize, offset: placeholder, "the size of the sound was never filled in")
        }
        if let garbage {
            recording.warn(
                .trailingBytes, offset: garbage.lowerBound, "\(garbage.count) bytes follow the last box")
        }
        recording.metadata = metadata.items + tags
    }
}

extension Recording.Track {
    fileprivate init(_ track: ISOTrack, in window: inout ByteWindow) throws(AudioError) {
        if track.kind == .audio {
            let sound = try SoundDescription(track, in: &window)
            self.init(
                id: track.id, codec: sound.codec, sampleRate: sound.sampleRate, channels: sound.channels,
                bitsPerSample: sound.bitsPerSample)
        } else {
            let name = track.sampleEntry?.type.description ?? "unknown"
            self.init(id: track.id, kind: track.kind, codec: AudioCodec(rawValue: name))
        }
        isEnabled = track.isEnabled
    }
}
