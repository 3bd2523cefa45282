/// What a Segment's elements but its Clusters say.
struct MatroskaHeader {
    /// Nanoseconds of a tick: a millisecond where nothing is said.
    private(set) var timestampScale = 1_000_000
    /// The duration that Info states, in ticks; nil if it states none, or one that isn't above 0.
    private(set) var statedDuration: Double?
    /// Without their CodecPrivate, of which there may be 256 KiB for each.
    private(set) var tracks: [MatroskaTrack] = []
    /// What CodecPrivate says of each.
    private(set) var codecs: [MatroskaCodec] = []
    /// Which of the tracks is counted: the first that is sound and enabled, or else the first that is sound.
    private(set) var main: Int?
    private(set) var metadata: MatroskaMetadata

    /// The numbers of the tracks of moving pictures.
    var videos: Set<Int> { Set(tracks.lazy.filter { $0.type == 1 }.map(\.number)) }
    /// Those of them whose frames are still images, by all tracks of the number.
    var stills: Set<Int> {
        videos.subtracting(tracks.lazy.filter { $0.type == 1 && $0.codecID != "V_MJPEG" }.map(\.number))
    }

    private let limits: AudioLimits

    init(_ limits: AudioLimits) {
        self.limits = limits
        metadata = MatroskaMetadata(limits)
    }

    /// The track that is counted.
    var mainTrack: MatroskaTrack? { main.map { tracks[$0] } }

    /// Reads an element that stands in the Segment, and is all there.
    mutating func read(
        _ element: EBMLElement, in window: inout ByteWindow, _ reader: inout EBMLReader
    ) throws(AudioError) {
        switch element.id {
        case MatroskaID.info: try readInfo(element, in: &window, &reader)
        case MatroskaID.tracks where tracks.isEmpty: try readTracks(element, in: &window, &reader)
        case MatroskaID.tags: try metadata.readTags(element, in: &window, &reader)
        case MatroskaID.attachments: try metadata.readAttachments(element, in: &window, &reader)
        case MatroskaID.chapters where element.size != 0: metadata.add(.text, element.range)
        default: break
        }
    }

    /// RFC 9559, section 5.1.2. A scale of 0 would stop all clocks.
    private mutating func readInfo(
        _ info: EBMLElement, in window: inout ByteWindow, _ reader: inout EBMLReader
    ) throws(AudioError) {
        var position = info.content
        while let child = try reader.next(&position, before: info.end, in: &window) {
            switch child.id {
            case MatroskaID.timestampScale:
                if let scale = try child.integer(&window), scale > 0 { timestampScale = scale }
            case MatroskaID.duration:
                if let ticks = try child.float(&window), ticks > 0 { statedDuration = ticks }
            case MatroskaID.title, MatroskaID.dateUTC, MatroskaID.segmentFilename:
                if child.size != 0 { metadata.add(.text, child.range) }
            default: break
            }
        }
    }

    private mutating func readTracks(
        _ element: EBMLElement, in window: inout ByteWindow, _ reader: inout EBMLReader
    ) throws(AudioError) {
        var position = element.content
        while let entry = try reader.next(&position, before: element.end, in: &window) {
            guard entry.id == MatroskaID.trackEntry else { continue }
            if tracks.count == limits.tracks {
                throw AudioError(.limit, offset: entry.start, "there are more than \(limits.tracks) tracks")
            }
            var track = try MatroskaTrack(entry, in: &window, &reader)
            if let name = track.name { metadata.add(.text, name) }
            for item in try MatroskaCodecComments.items(of: track, in: &window, limits) {
                metadata.add(item.kind, item.range)
            }
            codecs.append(MatroskaCodec(track))
            track.codecPrivate = []
            tracks.append(track)
        }
        main = tracks.firstIndex { $0.isAudio && $0.isEnabled } ?? tracks.firstIndex { $0.isAudio }
    }
}
