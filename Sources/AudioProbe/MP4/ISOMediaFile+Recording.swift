internal import Diagnostics
internal import MediaContainers

extension ISOMediaFile {
    /// Returns the result for the boxes that were read.
    ///
    /// - Throws: ``AudioError/Code/unrecognizedFormat``, ``AudioError/Code/videoOnly``,
    ///   ``AudioError/Code/noAudioTrack``, and the errors of the reader.
    func makeRecording(in reader: inout BufferedFileReader) throws(AudioError) -> Recording {
        guard isRecognized else {
            throw AudioError(.unrecognizedFormat, offset: 0, message: "the content is not a known audio format")
        }
        guard let movie else {
            let unknown = Recording.Track(codec: AudioCodec(rawValue: "unknown"))
            var recording = Recording(
                container: container, track: unknown, mediaBytes: mediaBytes, completeness: .unfinalized)
            addWarningsAndMetadata(to: &recording)
            return recording
        }
        guard let primaryTrack else {
            if movie.tracks.contains(where: { $0.kind == .video }) {
                throw AudioError(.videoOnly, message: "the file contains video and no audio")
            }
            throw AudioError(.noAudioTrack, message: "no track of the file is audio")
        }
        var tracks: [Recording.Track] = []
        for track in movie.tracks { tracks.append(try Recording.Track(isoTrack: track, in: &reader)) }
        var recording = Recording(
            container: container, tracks: tracks, mainTrackIndex: primaryTrack.trackIndex, mediaBytes: mediaBytes,
            completeness: .unfinalized)
        recording.hasVideo = hasVideo(movie: movie, primaryTrack: primaryTrack)
        if let estimate = primaryTrack.headerDuration {
            recording.tracks[primaryTrack.trackIndex].duration = estimate
            recording.completeness = truncationOffset.map { .truncated(offset: $0) } ?? .complete
        } else if !primaryTrack.isUnfinalized(mediaBytes: mediaBytes, trackCount: tracks.count) {
            setDurationAndCompleteness(
                primaryTrack: primaryTrack, movie: movie, in: &recording, fileSize: reader.byteCount)
        }
        addWarningsAndMetadata(to: &recording)
        return recording
    }

    private func hasVideo(movie: MovieBox, primaryTrack: PrimaryAudioTrack) -> Bool {
        if primaryTrack.fragmentReader.hasVideoSamples { return true }
        let tracks = movie.imageTracks
        // A quick probe does not read the fragments.
        if movie.isFragmented, primaryTrack.headerDuration != nil, !tracks.isEmpty { return true }
        return tracks.contains { $0.kind == .video && $0.sampleCount > 0 }
    }

    private func setDurationAndCompleteness(
        primaryTrack: PrimaryAudioTrack, movie: MovieBox, in recording: inout Recording, fileSize: Int
    ) {
        let (duration, timeline) = primaryTrack.playedDuration(gaplessTag: metadataReader.gaplessTag)
        recording.tracks[primaryTrack.trackIndex].duration = duration
        recording.mediaBytes = min(primaryTrack.sampleTimeline.byteCount, fileSize)
        if let offset = primaryTrack.sampleTimeline.truncationOffset ?? truncationOffset {
            recording.completeness = .truncated(offset: offset)
        } else {
            recording.completeness = primaryTrack.sampleTimeline.audioTicks == 0 ? .noAudioFrames : .complete
            if let (name, seconds) = primaryTrack.findContradictingHeader(
                movie: movie, playedSeconds: duration.seconds, timelineSeconds: timeline)
            {
                recording.addWarning(
                    .headerContradicts,
                    message:
                        "\(name) states \(seconds.formattedAsSeconds), but the track has "
                        + "\(duration.seconds.formattedAsSeconds) of audio"
                )
            }
        }
        if primaryTrack.hasPauses {
            recording.timelineSeconds = timeline
            recording.addWarning(
                .timelineGap,
                message: "the timestamps leave gaps between the frames: "
                    + "with them, the duration is \(timeline.formattedAsSeconds)")
        }
        if primaryTrack.isSampleTableTruncated {
            recording.addWarning(.damagedFrames, message: "the sample tables state more samples than they describe")
        } else if primaryTrack.sampleTimeline.byteCount > fileSize {
            recording.addWarning(.damagedFrames, message: "the samples overlap: together they are larger than the file")
        }
    }

    private func addWarningsAndMetadata(to recording: inout Recording) {
        if let placeholderSizeOffset {
            recording.addWarning(
                .placeholderSize, offset: placeholderSizeOffset, message: "the size of the 'mdat' box was never written"
            )
        }
        if let trailingGarbage {
            recording.addWarning(
                .trailingBytes, offset: trailingGarbage.lowerBound,
                message: "\(trailingGarbage.count) bytes follow the last box")
        }
        recording.metadata = metadataReader.metadataItems + tagMetadata
    }
}

extension Recording.Track {
    fileprivate init(isoTrack track: ISOTrack, in reader: inout BufferedFileReader) throws(AudioError) {
        if track.kind == .audio {
            let sampleEntry = try AudioSampleEntry(track: track, in: &reader)
            self.init(
                id: track.id, codec: sampleEntry.codec, sampleRate: sampleEntry.sampleRate,
                channels: sampleEntry.channels,
                bitsPerSample: sampleEntry.bitsPerSample)
        } else {
            let name = track.sampleEntry?.type.description ?? "unknown"
            self.init(id: track.id, kind: track.kind, codec: AudioCodec(rawValue: name))
        }
        isEnabled = track.isEnabled
    }
}
