/// A Segment: all of a recording, unless several were joined. RFC 9559, section 5.1.
///
/// Its elements are walked through in one loop, as if Clusters did not enclose their blocks: so it doesn't matter
/// whether their sizes are known, or right.
struct MatroskaSegment {
    private(set) var header: MatroskaHeader
    /// Nil until there are Tracks with sound.
    private(set) var sound: MatroskaSound?

    /// Where the size that it states ends; nil for a live recording, which has none.
    let statedEnd: Int?
    /// Where the Segment ends: before another, or with the file.
    private(set) var end: Int
    /// Where the first Cluster begins.
    private(set) var firstCluster: Int?
    /// Where what is whole ends, if the file ends before the Segment or inside an element.
    private(set) var cut: Int?
    /// The first bytes that are no element and have Clusters behind them.
    private var gap: Int?
    /// Bytes at the end that are no element.
    private(set) var remains: Int?
    /// Whether Clusters go on behind the size that the Segment states.
    private(set) var isUnderstated = false
    /// Bytes of the Clusters that were passed over because the header is believed.
    private(set) var passedOver = 0

    /// The first bytes that are no element, or a block that contradicts itself.
    var damage: Int? { gap ?? sound?.damage }

    /// Whether it holds moving pictures. Where no blocks are read, a track that is described is taken to have some.
    var hasVideo: Bool {
        guard let sound, passedOver == 0 else { return firstCluster != nil && !header.videos.isEmpty }
        return sound.hasVideo
    }
    /// The tracks that hold one still image each, as some tools write cover art.
    var pictures: [MatroskaTrack] {
        guard let sound, !hasVideo else { return [] }
        return header.tracks.filter { $0.type == 1 && sound.pictures.contains($0.number) }
    }

    private let content: Int
    private let searchBytes: Int
    private var isQuick: Bool
    /// Where the Cluster ends whose blocks are read; nil if that is unknown, and outside of all.
    private var clusterEnd: Int?
    private var clusterTimestamp = 0
    /// How far elements other than Clusters are read, for when Clusters are walked through a second time.
    private var isReadUpTo = 0

    /// Walks through `segment`.
    ///
    /// - Throws: `limit-exceeded`, and what reading throws.
    init(
        _ segment: EBMLElement, in window: inout ByteWindow, _ reader: inout EBMLReader, _ options: ProbeOptions
    ) throws(AudioError) {
        content = segment.content
        statedEnd = segment.size.map { segment.content + $0 }
        end = min(statedEnd ?? .max, window.count)
        searchBytes = options.limits.searchBytes
        isQuick = options.isQuick
        header = MatroskaHeader(options.limits)
        try walk(in: &window, &reader)
    }
}

// MARK: - Walking

extension MatroskaSegment {
    private mutating func walk(in window: inout ByteWindow, _ reader: inout EBMLReader) throws(AudioError) {
        var position = content
        while try goesOn(at: position, in: &window) {
            let element = try EBMLElement(at: position, in: &window)
            if let element, element.id == MatroskaID.ebml || element.id == MatroskaID.segment {
                // Another recording begins; this one lacks what it states beyond.
                if statedEnd.map({ position < $0 }) == true { gap = gap ?? position }
                end = position
                return
            }
            if let element, let next = try visit(element, in: &window, &reader) {
                position = next
            } else if passedOver > 0, let firstCluster {
                // A header isn't believed that belongs to something incomplete.
                position = startOver(at: firstCluster)
            } else if let cluster = try nextCluster(behind: position, in: &window) {
                gap = gap ?? position
                clusterEnd = nil
                position = cluster
            } else {
                // The longest head has 12 bytes: what is none in so many is none, however much is missing behind it.
                if element == nil && window.count - position >= 12 { remains = position }
                // Behind what was searched there may be more of the recording.
                let isSearched = min(statedEnd ?? .max, window.count) - position <= searchBytes
                if remains == nil || statedEnd ?? 0 > window.count || !isSearched { cut = position }
                return
            }
        }
        if max(statedEnd ?? 0, clusterEnd ?? 0) > window.count { cut = window.count }
    }

    /// Whether there is more of the Segment at `position`: perhaps Clusters behind the end that it states, which then
    /// can't be believed.
    @inline(__always)
    private mutating func goesOn(at position: Int, in window: inout ByteWindow) throws(AudioError) -> Bool {
        if position < end { return true }
        guard let next = try EBMLElement(at: position, in: &window), MatroskaID.isOfSegment(next.id) else {
            return false
        }
        isUnderstated = true
        end = window.count
        return true
    }

    /// Reads an element, and says where the next is; nil if this one can't be what it says.
    @inline(__always)
    private mutating func visit(
        _ element: EBMLElement, in window: inout ByteWindow, _ reader: inout EBMLReader
    ) throws(AudioError) -> Int? {
        if MatroskaID.isOfSegment(element.id) { return try visitTopLevel(element, in: &window, &reader) }
        guard let size = element.size, size <= min(clusterEnd ?? end, end) - element.content else { return nil }
        switch element.id {
        case MatroskaID.simpleBlock:
            try sound?.read(element.content..<element.end, at: clusterTimestamp, in: &window)
        case MatroskaID.blockGroup:
            try sound?.readGroup(element, at: clusterTimestamp, in: &window)
        case MatroskaID.encryptedBlock:
            try sound?.read(element.content..<element.end, at: clusterTimestamp, isHidden: true, in: &window)
        case MatroskaID.timestamp:
            // Far from what overflows when two of them and a few blocks are added up.
            clusterTimestamp = min(try element.integer(&window) ?? 0, 1 << 60)
        default: break
        }
        if element.end == clusterEnd { clusterEnd = nil }
        return element.end
    }

    private mutating func visitTopLevel(
        _ element: EBMLElement, in window: inout ByteWindow, _ reader: inout EBMLReader
    ) throws(AudioError) -> Int? {
        // A Cluster that another element interrupts lost its own end.
        if clusterEnd != nil { gap = gap ?? element.start }
        clusterEnd = nil
        if element.id == MatroskaID.cluster { return enter(element) }
        guard let size = element.size, size <= end - element.content else { return nil }
        guard element.start >= isReadUpTo else { return element.end }
        isReadUpTo = element.end
        try reader.count(at: element.start)
        try header.read(element, in: &window, &reader)
        guard sound == nil, let main = header.main else { return element.end }
        sound = MatroskaSound(header.tracks[main], header.codecs[main], videos: header.videos, stills: header.stills)
        // Tracks may stand behind Clusters, which then could not be understood.
        return firstCluster.map { startOver(at: $0) } ?? element.end
    }

    /// Where to go on inside a Cluster, or behind it if its blocks aren't asked for.
    private mutating func enter(_ cluster: EBMLElement) -> Int? {
        let first = firstCluster ?? cluster.start
        firstCluster = first
        // The header of a Segment that isn't all there tells of more than there is.
        if isQuick, sound != nil, header.statedDuration != nil, end == statedEnd {
            guard let size = cluster.size, size <= end - cluster.content else { return startOver(at: first) }
            passedOver += size
            return cluster.end
        }
        clusterTimestamp = 0
        clusterEnd = cluster.size.flatMap { $0 > 0 ? cluster.content + $0 : nil }
        return cluster.content
    }

    /// Walks through all Clusters once more, and counts.
    private mutating func startOver(at firstCluster: Int) -> Int {
        isQuick = false
        passedOver = 0
        return firstCluster
    }

    /// The next place that looks like the beginning of a Cluster, within the limit.
    private func nextCluster(behind position: Int, in window: inout ByteWindow) throws(AudioError) -> Int? {
        let last = min(end, position.adding(searchBytes) ?? .max)
        var start = position + 1
        // Byte by byte: the next may be near, and then to copy any number of them at once costs more than all else.
        while start < last, let byte = try window.uint8(at: start) {
            if byte == MatroskaID.cluster >> 24, try window.uint32(at: start) == MatroskaID.cluster { return start }
            start += 1
        }
        return nil
    }
}
