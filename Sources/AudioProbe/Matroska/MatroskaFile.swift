/// Matroska and WebM: RFC 9559, in the syntax of RFC 8794.
///
/// Every block's head is read, and as much of the main track's frames as tells their length; the frames themselves and
/// other tracks' are passed over. A quick look believes Info's Duration and passes over Clusters, too, as far as both
/// are there and the file is whole; a file without a Duration is counted all the same, as there is nothing else to go
/// by.
struct MatroskaFile {
    private var isWebM = false
    /// The only one, or the first and the last of several that were joined. Of those between, only sums are kept.
    private var first: MatroskaSegment?
    private var last: MatroskaSegment?
    /// What all of them hold.
    private var sum = MatroskaSum()
    /// Bytes behind them all that are nothing known.
    private var remains: Int?

    /// The recording that the file is.
    ///
    /// - Throws: `damaged`, `unsupported-ebml`, `video-only`, `no-audio-track`, `limit-exceeded`, and what reading throws.
    static func recording(in window: inout ByteWindow, _ options: ProbeOptions) throws(AudioError) -> Recording {
        let start = try LeadingTags.end(in: &window)
        let file = try MatroskaFile(&window, from: start, options)
        var recording = try file.recording(fileSize: window.count)
        recording.metadata.insert(contentsOf: try LeadingTags.metadata(before: start, in: &window), at: 0)
        return recording
    }

    private init(_ window: inout ByteWindow, from start: Int, _ options: ProbeOptions) throws(AudioError) {
        var reader = EBMLReader(options.limits)
        var position = start
        while position < window.count {
            guard let element = try EBMLElement(at: position, in: &window) else { break }
            if element.id == MatroskaID.segment {
                if sum.segments == options.limits.tracks {
                    throw AudioError(.limit, offset: position, "more than \(sum.segments) recordings are joined")
                }
                let segment = try MatroskaSegment(element, in: &window, &reader, options)
                if first == nil { first = segment }
                sum.add(segment)
                last = segment
                position = segment.end
            } else if element.id == MatroskaID.ebml || element.id == MatroskaID.void, element.size != nil {
                try reader.count(at: position)
                if element.id == MatroskaID.ebml { try readHead(element, in: &window, &reader) }
                position = element.end
            } else {
                break
            }
        }
        if position < window.count { remains = position }
    }

    /// The EBML header: RFC 8794, section 11.2.
    private mutating func readHead(
        _ head: EBMLElement, in window: inout ByteWindow, _ reader: inout EBMLReader
    ) throws(AudioError) {
        var position = head.content
        while let child = try reader.next(&position, before: min(head.end, window.count), in: &window) {
            switch child.id {
            case MatroskaID.docType:
                if first == nil { isWebM = try child.text(&window) == "webm" }
            case MatroskaID.readVersion: try refuse(child, above: 1, "version of EBML", &window)
            case MatroskaID.maxIDLength: try refuse(child, above: 4, "length of ids", &window)
            case MatroskaID.maxSizeLength: try refuse(child, above: 8, "length of sizes", &window)
            default: break
            }
        }
    }

    private func refuse(
        _ element: EBMLElement, above highest: Int, _ what: String, _ window: inout ByteWindow
    ) throws(AudioError) {
        guard let value = try element.integer(&window), value > highest else { return }
        throw AudioError(.unsupported("ebml"), offset: element.start, "the \(what) is \(value), above \(highest)")
    }
}

// MARK: - The recording

extension MatroskaFile {
    private func recording(fileSize: Int) throws(AudioError) -> Recording {
        guard let first, let last else {
            throw AudioError(.damaged, offset: 0, "the file holds no Segment")
        }
        guard let main = first.header.main else { throw Self.refusal(of: first) }
        var recording = Recording(
            isWebM ? .webm : .matroska, tracks: Self.tracks(first), main: main, mediaBytes: sum.mediaBytes,
            completeness: .complete)
        recording.hasVideo = sum.hasVideo
        recording.tracks[main].duration = sum.duration
        if sum.gap > 0, let seconds = recording.duration?.seconds {
            recording.timelineSeconds = seconds + sum.gap
            recording.warn(.timelineGap, "the timestamps leave pauses of \(sum.gap.inSeconds) that no frames fill")
        }
        complete(&recording, last)
        if sum.segments > 1 {
            recording.warn(.chained, "several recordings follow one another; the duration is that of all")
        }
        for warning in sum.warnings { recording.warnings.note(warning) }
        if let remains = remains ?? last.remains {
            recording.warn(.trailingBytes, offset: remains, "\(fileSize - remains) bytes follow the last element")
        }
        recording.metadata = sum.metadata
        return recording
    }

    /// Why there is nothing to count.
    private static func refusal(of segment: MatroskaSegment) -> AudioError {
        if segment.header.tracks.contains(where: { $0.type == 1 }) {
            return AudioError(.videoOnly, "the file is a film without a sound track")
        }
        if segment.header.tracks.isEmpty, let cut = segment.cut {
            return AudioError(.damaged, offset: cut, "the file ends before its tracks are described")
        }
        return AudioError(.noTrack, "none of the file's \(segment.header.tracks.count) tracks is sound")
    }

    private static func tracks(_ segment: MatroskaSegment) -> [Recording.Track] {
        let pictures = Set(segment.pictures.map(\.number))
        return segment.header.tracks.enumerated().map { index, track in
            let codec = segment.header.codecs[index]
            let isVideo = track.type == 1 && !pictures.contains(track.number)
            var result = Recording.Track(
                id: track.number, kind: track.isAudio ? .audio : isVideo ? .video : .other, codec: codec.codec,
                sampleRate: codec.sampleRate, channels: codec.channels, bitsPerSample: codec.bitsPerSample)
            result.isEnabled = track.isEnabled
            if track.isAudio, result.sampleRate == nil {
                result.sampleRate = index == segment.header.main ? segment.sound?.counter.sampleRate : nil
            }
            return result
        }
    }

    private func complete(_ recording: inout Recording, _ last: MatroskaSegment) {
        if !sum.hasCluster, last.cut != nil || last.statedEnd == nil {
            recording.completeness = .unfinalised
            recording.tracks[recording.mainTrackIndex].duration = nil
        } else if let cut = last.cut {
            recording.completeness = .truncated(offset: cut)
        } else if !sum.hasSound {
            recording.completeness = .empty
        }
    }
}
