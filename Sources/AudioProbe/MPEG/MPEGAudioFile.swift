/// Probes MPEG audio files of layer I, II or III, which may have tags: ISO/IEC 11172-3 and 13818-3.
///
/// The header of every frame is read. The totals in a VBR header are often wrong, for example after a stream was cut or
/// joined. Only the delay and padding, which cannot be counted, are taken from it.
struct MPEGAudioFile {
    /// The header of the first frame.
    private let firstHeader: MPEGAudioHeader
    private let format: MPEGFrameFormat
    /// The offset of the first frame.
    private let firstFrameOffset: Int
    /// The offset of the tags after the last frame.
    private let trailingTagsOffset: Int

    /// Probes an MPEG audio file.
    ///
    /// - Throws: ``AudioError/Code/unrecognizedFormat``, ``AudioError/Code/limitExceeded``, and the errors of the
    ///   reader.
    static func probe(
        in reader: inout BufferedFileReader, range: Range<Int>, options: ProbeOptions
    ) throws(AudioError) -> Recording {
        let file = try MPEGAudioFile(in: &reader, range: range)
        var recording =
            options.isQuick
            ? try file.estimatedRecording(in: &reader) : try file.scannedRecording(in: &reader, limits: options.limits)
        if recording.duration?.ticks == 0, recording.completeness == .complete {
            recording.completeness = .noAudioFrames
        }
        return recording
    }

    private init(in reader: inout BufferedFileReader, range: Range<Int>) throws(AudioError) {
        if let format = try MPEGFrameFormat(at: range.lowerBound, in: &reader) {
            self.format = format
        } else if let format = try MPEGFrameFormat(freeFormatAt: range.lowerBound, in: &reader) {
            self.format = format
        } else {
            throw AudioError(.unrecognizedFormat, message: "the file has no MPEG audio frames")
        }
        firstHeader = format.firstHeader
        firstFrameOffset = range.lowerBound
        trailingTagsOffset = range.upperBound
    }
}

// MARK: - Counting

extension MPEGAudioFile {
    private typealias MPEGFrameScan = RawFrameScan<MPEGFrameFormat>

    private func scannedRecording(in reader: inout BufferedFileReader, limits: AudioLimits) throws(AudioError)
        -> Recording
    {
        let scan = try MPEGFrameScan(
            format: format, from: firstFrameOffset, to: trailingTagsOffset, in: &reader, limits: limits)
        let streams = try VBRStream.readAll(from: scan, in: &reader)
        var samples = scan.segments.map(\.sampleCount)
        for stream in streams {
            samples[stream.firstSegmentIndex] -= min(stream.delayAndPaddingSamples, samples[stream.firstSegmentIndex])
        }
        let total = scan.totalDuration(sampleCountPerSegment: samples)
        var errorBound = total.errorBound + scan.durationErrorBound(samplesPerFrame: firstHeader.samplesPerFrame)
        if scan.lastJoinedStreamOffset != nil {
            // Players ignore the VBR header of a later stream. FFmpeg plays its frame as audio, and the delay and
            // padding of all streams.
            let disputedSampleCount = streams.reduce(0) { $0 + $1.delayAndPaddingSamples + firstHeader.samplesPerFrame }
            errorBound += Double(disputedSampleCount) / Double(firstHeader.sampleRate)
        }
        var recording = makeRecording(
            duration: AudioDuration(
                ticks: total.ticks, timescale: total.timescale, method: .scan, errorBound: errorBound),
            mediaBytes: scan.mediaBytes)
        if scan.scanLimitOffset == nil {
            if let last = streams.last, last.isTruncated {
                recording.completeness = .truncated(offset: last.lastFrameEndOffset)
            }
            for stream in streams { stream.addWarningIfFrameCountDiffers(to: &recording) }
        }
        scan.addWarningsAndCompleteness(to: &recording)
        try recording.appendTagMetadata(
            before: firstFrameOffset, between: scan.interleavedTagMetadata, after: trailingTagsOffset, in: &reader)
        return recording
    }

    /// One of the joined streams in the file, or the only one, with its VBR header.
    private struct VBRStream {
        private let vbrHeader: VBRHeader
        /// The index of the stream's first segment in the scan.
        let firstSegmentIndex: Int
        private let vbrHeaderOffset: Int
        private let frameCount: Int
        /// The offset at which its last frame ends.
        let lastFrameEndOffset: Int
        /// Whether frames are missing at its end.
        let isTruncated: Bool
        /// Samples of its frames that are not part of the audio.
        let delayAndPaddingSamples: Int

        /// The delay of a decoder in samples, which follows from the standard's filters.
        ///
        /// An encoder's padding is at least as long. It is lost with the end of a truncated stream.
        private static let decoderDelay = 529

        /// Returns the streams of a scan that have a VBR header.
        static func readAll(from scan: MPEGFrameScan, in reader: inout BufferedFileReader) throws(AudioError)
            -> [VBRStream]
        {
            var streams: [VBRStream] = []
            for segments in scan.streamSegmentRanges {
                if let offset = scan.segments[segments.lowerBound].vbrHeaderOffset,
                    let header = try VBRHeader(frameAt: offset, in: &reader)
                {
                    streams.append(
                        VBRStream(vbrHeader: header, segments: scan.segments[segments], vbrHeaderOffset: offset))
                }
            }
            return streams
        }

        private init(vbrHeader: VBRHeader, segments: ArraySlice<MPEGFrameScan.Segment>, vbrHeaderOffset: Int) {
            self.vbrHeader = vbrHeader
            self.vbrHeaderOffset = vbrHeaderOffset
            firstSegmentIndex = segments.startIndex
            let frameCount = segments.reduce(0) { $0 + $1.frameCount }
            self.frameCount = frameCount
            lastFrameEndOffset = segments.last?.endOffset ?? vbrHeaderOffset
            let availableByteCount = lastFrameEndOffset - vbrHeaderOffset
            let missingFrameCount = max(0, (vbrHeader.frameCount ?? 0) - frameCount)
            // Some encoders count the VBR header's own frame too. If only one frame is missing, the byte count decides.
            isTruncated =
                missingFrameCount > 0 && vbrHeader.byteCount.map { $0 > availableByteCount } ?? (missingFrameCount > 1)
            guard let delay = vbrHeader.encoderDelay else {
                delayAndPaddingSamples = 0
                return
            }
            let samplesPerFrame = segments.first.map { $0.frameCount > 0 ? $0.sampleCount / $0.frameCount : 0 } ?? 0
            delayAndPaddingSamples =
                delay
                + (isTruncated
                    ? max(Self.decoderDelay, vbrHeader.endPadding - missingFrameCount * samplesPerFrame)
                    : vbrHeader.endPadding)
        }

        /// Warns if the VBR header states another number of frames. A difference of one is accepted for the header's
        /// own frame.
        func addWarningIfFrameCountDiffers(to recording: inout Recording) {
            if let declared = vbrHeader.frameCount, abs(declared - frameCount) > 1 {
                recording.addWarning(
                    .headerContradicts, offset: vbrHeaderOffset,
                    message: "the VBR header states \(declared) frames, but the file has \(frameCount)")
            }
        }
    }
}

// MARK: - Estimating

extension MPEGAudioFile {
    /// Estimates the duration from the VBR header, or else from the number of bytes and the bit rate of the audio.
    private func estimatedRecording(in reader: inout BufferedFileReader) throws(AudioError) -> Recording {
        let vbrHeader = try VBRHeader(frameAt: firstFrameOffset, in: &reader)
        // The bit rate of the VBR header's frame is unrelated to that of the audio.
        var audioFormat = format, bytes = trailingTagsOffset - firstFrameOffset
        if vbrHeader != nil, let length = firstHeader.frameLength,
            let next = try MPEGFrameFormat(at: firstFrameOffset + length, in: &reader)
        {
            audioFormat = next
            bytes -= length
        }
        // The frames that were not read may have the lowest bit rate, or may not exist.
        let maxSeconds = Double(bytes) * 8 / Double(firstHeader.minBitRate)
        let samples: Int
        if let vbrHeader, let frames = vbrHeader.frameCount,
            Double(frames * firstHeader.samplesPerFrame) <= maxSeconds * Double(firstHeader.sampleRate)
        {
            samples = max(
                0, frames * firstHeader.samplesPerFrame - (vbrHeader.encoderDelay ?? 0) - vbrHeader.endPadding)
        } else {
            samples =
                Int(
                    exactly: (Double(bytes) / audioFormat.averageFrameLength * Double(firstHeader.samplesPerFrame))
                        .rounded()) ?? Int.max
        }
        let seconds = Double(samples) / Double(firstHeader.sampleRate)
        let duration = AudioDuration(
            ticks: samples, timescale: firstHeader.sampleRate, method: .estimate,
            errorBound: max(seconds, maxSeconds - seconds))
        var recording = makeRecording(duration: duration, mediaBytes: bytes)
        try recording.appendTagMetadata(before: firstFrameOffset, between: [], after: trailingTagsOffset, in: &reader)
        return recording
    }

    private func makeRecording(duration: AudioDuration, mediaBytes: Int) -> Recording {
        var track = Recording.Track(
            codec: firstHeader.codec, sampleRate: firstHeader.sampleRate, channels: firstHeader.channels)
        track.duration = duration
        return Recording(container: .mpegAudio, track: track, mediaBytes: mediaBytes)
    }
}
