/// The content of a Segment's elements other than its Clusters.
struct MatroskaSegmentHeader {
    /// Nanoseconds per tick. The default is a millisecond.
    private(set) var timestampScale = 1_000_000
    /// The Duration in Info in ticks, or `nil` if it is missing or not positive.
    private(set) var declaredDurationTicks: Double?
    /// The tracks, without their CodecPrivate, which can have 256 KiB each.
    private(set) var tracks: [MatroskaTrack] = []
    /// The codec of each track.
    private(set) var trackCodecs: [MatroskaCodec] = []
    /// The index of the main track: the first enabled audio track, or else the first audio track.
    private(set) var mainTrackIndex: Int?
    private(set) var metadata: MatroskaMetadata

    /// The numbers of the video tracks.
    var videoTrackNumbers: Set<Int> { Set(tracks.lazy.filter { $0.trackType == 1 }.map(\.trackNumber)) }
    /// The numbers of the video tracks that may contain still images: all tracks with the number use `V_MJPEG`.
    var stillImageTrackNumbers: Set<Int> {
        videoTrackNumbers.subtracting(
            tracks.lazy.filter { $0.trackType == 1 && $0.codecID != "V_MJPEG" }.map(\.trackNumber))
    }

    /// The tracks that were described so far.
    private var trackIdentities: Set<TrackIdentity> = []
    private let limits: AudioLimits

    /// Distinguishes a further track from the copy of an entry: Tracks may recur (RFC 9559, section 5.1.4).
    private struct TrackIdentity: Hashable { let number: Int, type: Int, codecID: String }

    init(limits: AudioLimits) {
        self.limits = limits
        metadata = MatroskaMetadata(limits: limits)
    }

    /// The main track.
    var mainTrack: MatroskaTrack? { mainTrackIndex.map { tracks[$0] } }

    /// Reads an element that is a direct child of the Segment and is complete.
    mutating func readTopLevelElement(
        _ element: EBMLElement, in reader: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        switch element.id {
        case MatroskaElementID.info: try readInfo(element, in: &reader, walker: &walker)
        case MatroskaElementID.tracks: try readTracks(element, in: &reader, walker: &walker)
        case MatroskaElementID.tags: try metadata.readTags(element, in: &reader, walker: &walker)
        case MatroskaElementID.attachments: try metadata.readAttachments(element, in: &reader, walker: &walker)
        case MatroskaElementID.chapters where element.contentSize != 0:
            metadata.recordMetadata(kind: .text, range: element.range)
        default: break
        }
    }

    /// Reads Info: RFC 9559, section 5.1.2. A TimestampScale of 0 is invalid and ignored.
    private mutating func readInfo(
        _ info: EBMLElement, in reader: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        var position = info.contentOffset
        while let child = try walker.nextElement(position: &position, before: info.endOffset, in: &reader) {
            switch child.id {
            case MatroskaElementID.timestampScale:
                if let scale = try child.readClampedInteger(in: &reader), scale > 0 { timestampScale = scale }
            case MatroskaElementID.duration:
                if let ticks = try child.readFloatingPoint(in: &reader), ticks > 0 { declaredDurationTicks = ticks }
            case MatroskaElementID.title, MatroskaElementID.dateUTC, MatroskaElementID.segmentFilename:
                if child.contentSize != 0 { metadata.recordMetadata(kind: .text, range: child.range) }
            default: break
            }
        }
    }

    private mutating func readTracks(
        _ element: EBMLElement, in reader: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        var position = element.contentOffset
        let previousCount = tracks.count
        while let entry = try walker.nextElement(position: &position, before: element.endOffset, in: &reader) {
            guard entry.id == MatroskaElementID.trackEntry else { continue }
            var track = try MatroskaTrack(trackEntry: entry, in: &reader, walker: &walker)
            let identity = TrackIdentity(number: track.trackNumber, type: track.trackType, codecID: track.codecID)
            if !trackIdentities.insert(identity).inserted, previousCount > 0 { continue }
            if tracks.count == limits.tracks {
                throw AudioError(
                    .limitExceeded, offset: entry.startOffset, message: "too many tracks (at most \(limits.tracks))")
            }
            if let name = track.nameRange { metadata.recordMetadata(kind: .text, range: name) }
            for item in try MatroskaCodecMetadata.metadataItems(of: track, in: &reader, limits: limits) {
                metadata.recordMetadata(kind: item.kind, range: item.range)
            }
            trackCodecs.append(MatroskaCodec(track: track))
            track.codecPrivate = []
            tracks.append(track)
        }
        // Frames of the track may have been counted since an earlier Tracks element.
        guard mainTrackIndex == nil, tracks.count > previousCount else { return }
        mainTrackIndex = tracks.firstIndex { $0.isAudio && $0.isEnabled } ?? tracks.firstIndex { $0.isAudio }
    }
}
