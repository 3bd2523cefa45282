internal import Diagnostics

/// Probes Matroska and WebM files: RFC 9559, with the syntax of RFC 8794.
///
/// The header of every block is read, and as much of the main track's frames as determines their samples. Other tracks'
/// frames are skipped. A quick probe uses Info's Duration and skips the Clusters, if the Duration exists and the file
/// is complete. Otherwise the Clusters are counted, as there is no other source.
struct MatroskaFile {
    private var isWebM = false
    /// The first Segment. Several may be joined, of which only the first, the last and the totals are kept.
    private var firstSegment: MatroskaSegment?
    /// The last Segment, which may be the first.
    private var lastSegment: MatroskaSegment?
    /// The totals of all Segments.
    private var segmentTotals = MatroskaSegmentTotals()
    /// The offset of unknown bytes after the last element, or `nil`.
    private var trailingBytesOffset: Int?

    /// Probes a Matroska file.
    ///
    /// - Throws: ``AudioError/Code/damaged``, `unsupported-ebml`, ``AudioError/Code/videoOnly``,
    ///   ``AudioError/Code/noAudioTrack``, ``AudioError/Code/limitExceeded``, and the errors of the reader.
    static func probe(
        in reader: inout BufferedFileReader, from start: Int, options: ProbeOptions
    ) throws(AudioError) -> Recording {
        let file = try MatroskaFile(in: &reader, startOffset: start, options: options)
        var recording = try file.makeRecording(fileSize: reader.byteCount)
        recording.metadata.insert(contentsOf: try LeadingTags.metadata(before: start, in: &reader), at: 0)
        return recording
    }

    private init(in reader: inout BufferedFileReader, startOffset start: Int, options: ProbeOptions) throws(AudioError)
    {
        var walker = EBMLElementWalker(limits: options.limits)
        var position = start
        while position < reader.byteCount {
            guard let element = try EBMLElement(at: position, in: &reader) else { break }
            if element.id == MatroskaElementID.segment {
                if segmentTotals.segmentCount == options.limits.tracks {
                    throw AudioError(
                        .limitExceeded, offset: position,
                        message: "too many joined Segments (at most \(segmentTotals.segmentCount))")
                }
                let segment = try MatroskaSegment(
                    segmentElement: element, in: &reader, walker: &walker, options: options)
                if firstSegment == nil { firstSegment = segment }
                segmentTotals.addSegment(segment)
                lastSegment = segment
                position = segment.endOffset
            } else if element.id == MatroskaElementID.ebmlHeader || element.id == MatroskaElementID.voidElement,
                element.contentSize != nil
            {
                try walker.countElement(at: position)
                if element.id == MatroskaElementID.ebmlHeader {
                    try readEBMLHeader(element, in: &reader, walker: &walker)
                }
                position = element.endOffset
            } else {
                break
            }
        }
        if position < reader.byteCount { trailingBytesOffset = position }
    }

    /// Reads the EBML header: RFC 8794, section 11.2.
    private mutating func readEBMLHeader(
        _ header: EBMLElement, in reader: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        var position = header.contentOffset
        while let child = try walker.nextElement(
            position: &position, before: min(header.endOffset, reader.byteCount), in: &reader)
        {
            switch child.id {
            case MatroskaElementID.docType:
                if firstSegment == nil { isWebM = try child.readText(in: &reader) == "webm" }
            case MatroskaElementID.ebmlReadVersion:
                try checkHeaderValue(child, atMost: 1, name: "EBML version", in: &reader)
            case MatroskaElementID.ebmlMaxIDLength:
                try checkHeaderValue(child, atMost: 4, name: "EBML ID length", in: &reader)
            case MatroskaElementID.ebmlMaxSizeLength:
                try checkHeaderValue(child, atMost: 8, name: "EBML size length", in: &reader)
            default: break
            }
        }
    }

    private func checkHeaderValue(
        _ element: EBMLElement, atMost highest: Int, name: String, in reader: inout BufferedFileReader
    ) throws(AudioError) {
        guard let value = try element.readClampedInteger(in: &reader), value > highest else { return }
        throw AudioError(
            .unsupported("ebml"), offset: element.startOffset,
            message: "the \(name) is unsupported: \(value) (at most \(highest))")
    }
}

// MARK: - Result

extension MatroskaFile {
    private func makeRecording(fileSize: Int) throws(AudioError) -> Recording {
        guard let firstSegment, let lastSegment else {
            throw AudioError(.damaged, offset: 0, message: "the Segment is missing")
        }
        guard let main = firstSegment.header.mainTrackIndex else {
            throw Self.noReadableAudioError(segment: firstSegment)
        }
        var recording = Recording(
            container: isWebM ? .webm : .matroska, tracks: Self.recordingTracks(of: firstSegment), mainTrackIndex: main,
            mediaBytes: segmentTotals.mediaBytes,
            completeness: .complete)
        recording.hasVideo = segmentTotals.hasVideo
        recording.tracks[main].duration = segmentTotals.duration
        if segmentTotals.gapSeconds > 0, let seconds = recording.duration?.seconds {
            recording.timelineSeconds = seconds + segmentTotals.gapSeconds
            recording.addWarning(
                .timelineGap,
                message:
                    "the timestamps leave gaps of \(segmentTotals.gapSeconds.formattedAsSeconds) between the frames")
        }
        setCompleteness(of: &recording, lastSegment: lastSegment)
        if segmentTotals.segmentCount > 1 {
            recording.addWarning(
                .chainedRecordings, message: "the file consists of several joined Segments; the duration is their sum")
        }
        for warning in segmentTotals.warnings { recording.warnings.appendUniqueWarning(warning) }
        if let trailingBytesOffset = trailingBytesOffset ?? lastSegment.trailingBytesOffset {
            recording.addWarning(
                .trailingBytes, offset: trailingBytesOffset,
                message: "\(fileSize - trailingBytesOffset) bytes follow the last element")
        }
        recording.metadata = segmentTotals.metadata
        return recording
    }

    /// Returns the error for a Segment without an audio track.
    private static func noReadableAudioError(segment: MatroskaSegment) -> AudioError {
        if segment.header.tracks.contains(where: { $0.trackType == 1 }) {
            return AudioError(.videoOnly, message: "the file contains video and no audio")
        }
        if segment.header.tracks.isEmpty, let truncationOffset = segment.truncationOffset {
            return AudioError(
                .damaged, offset: truncationOffset, message: "the file ends before its tracks are described")
        }
        return AudioError(.noAudioTrack, message: "none of the \(segment.header.tracks.count) tracks is audio")
    }

    private static func recordingTracks(of segment: MatroskaSegment) -> [Recording.Track] {
        let imageTrackNumbers = Set(segment.attachedImageTracks.map(\.trackNumber))
        return segment.header.tracks.enumerated().map { index, track in
            let codec = segment.header.trackCodecs[index]
            let isVideo = track.trackType == 1 && !imageTrackNumbers.contains(track.trackNumber)
            var result = Recording.Track(
                id: track.trackNumber, kind: track.isAudio ? .audio : isVideo ? .video : .other, codec: codec.codec,
                sampleRate: codec.sampleRate, channels: codec.channels, bitsPerSample: codec.bitsPerSample)
            result.isEnabled = track.isEnabled
            if track.isAudio, result.sampleRate == nil {
                result.sampleRate =
                    index == segment.header.mainTrackIndex ? segment.mainTrackBlocks?.frameCounter.sampleRate : nil
            }
            return result
        }
    }

    private func setCompleteness(of recording: inout Recording, lastSegment: MatroskaSegment) {
        if !segmentTotals.hasCluster, lastSegment.truncationOffset != nil || lastSegment.declaredEndOffset == nil {
            recording.completeness = .unfinalized
            recording.tracks[recording.mainTrackIndex].duration = nil
        } else if let offset = segmentTotals.undescribedClusterOffset ?? lastSegment.truncationOffset {
            recording.completeness = .truncated(offset: offset)
        } else if !segmentTotals.hasAudio {
            recording.completeness = .noAudioFrames
        }
    }
}
