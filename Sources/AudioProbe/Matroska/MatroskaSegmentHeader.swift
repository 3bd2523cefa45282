/// What a Segment's elements but its Clusters say.
struct MatroskaSegmentHeader {
    /// Nanoseconds of a tick: a millisecond where nothing is said.
    private(set) var timestampScale = 1_000_000
    /// The duration that Info states, in ticks; nil if it states none, or one that isn't above 0.
    private(set) var declaredDurationTicks: Double?
    /// Without their CodecPrivate, of which there may be 256 KiB for each.
    private(set) var tracks: [MatroskaTrack] = []
    /// What CodecPrivate says of each.
    private(set) var trackCodecs: [MatroskaCodec] = []
    /// Which of the tracks is counted: the first that is sound and enabled, or else the first that is sound.
    private(set) var mainTrackIndex: Int?
    private(set) var metadata: MatroskaMetadata

    /// The numbers of the tracks of moving pictures.
    var videoTrackNumbers: Set<Int> { Set(tracks.lazy.filter { $0.trackType == 1 }.map(\.trackNumber)) }
    /// Those of them whose frames are still images, by all tracks of the number.
    var stills: Set<Int> {
        videoTrackNumbers.subtracting(
            tracks.lazy.filter { $0.trackType == 1 && $0.codecID != "V_MJPEG" }.map(\.trackNumber))
    }

    private let limits: AudioLimits

    init(limits: AudioLimits) {
        self.limits = limits
        metadata = MatroskaMetadata(limits: limits)
    }

    /// The track that is counted.
    var mainTrack: MatroskaTrack? { mainTrackIndex.map { tracks[$0] } }

    /// Reads an element that stands in the Segment, and is all there.
    mutating func readTopLevelElement(
        _ element: EBMLElement, in window: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        switch element.id {
        case MatroskaElementID.info: try readInfo(element, in: &window, walker: &walker)
        case MatroskaElementID.tracks where tracks.isEmpty: try readTracks(element, in: &window, walker: &walker)
        case MatroskaElementID.tags: try metadata.readTags(element, in: &window, walker: &walker)
        case MatroskaElementID.attachments: try metadata.readAttachments(element, in: &window, walker: &walker)
        case MatroskaElementID.chapters where element.contentSize != 0:
            metadata.recordMetadata(kind: .text, range: element.range)
        default: break
        }
    }

    /// RFC 9559, section 5.1.2. A scale of 0 would stop all clocks.
    private mutating func readInfo(
        _ info: EBMLElement, in window: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        var position = info.contentOffset
        while let child = try walker.nextElement(position: &position, before: info.endOffset, in: &window) {
            switch child.id {
            case MatroskaElementID.timestampScale:
                if let scale = try child.readClampedInteger(in: &window), scale > 0 { timestampScale = scale }
            case MatroskaElementID.duration:
                if let ticks = try child.readFloatingPoint(in: &window), ticks > 0 { declaredDurationTicks = ticks }
            case MatroskaElementID.title, MatroskaElementID.dateUTC, MatroskaElementID.segmentFilename:
                if child.contentSize != 0 { metadata.recordMetadata(kind: .text, range: child.range) }
            default: break
            }
        }
    }

    private mutating func readTracks(
        _ element: EBMLElement, in window: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) {
        var position = element.contentOffset
        while let entry = try walker.nextElement(position: &position, before: element.endOffset, in: &window) {
            guard entry.id == MatroskaElementID.trackEntry else { continue }
            if tracks.count == limits.tracks {
                throw AudioError(
                    .limitExceeded, offset: entry.startOffset, message: "there are more than \(limits.tracks) tracks")
            }
            var track = try MatroskaTrack(trackEntry: entry, in: &window, walker: &walker)
            if let name = track.nameRange { metadata.recordMetadata(kind: .text, range: name) }
            for item in try MatroskaCodecMetadata.metadataItems(of: track, in: &window, limits: limits) {
                metadata.recordMetadata(kind: item.kind, range: item.range)
            }
            trackCodecs.append(MatroskaCodec(track: track))
            track.codecPrivate = []
            tracks.append(track)
        }
        mainTrackIndex = tracks.firstIndex { $0.isAudio && $0.isEnabled } ?? tracks.firstIndex { $0.isAudio }
    }
}
