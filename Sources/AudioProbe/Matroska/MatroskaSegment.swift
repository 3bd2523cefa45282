/// A Segment: all of a recording, unless several were joined. RFC 9559, section 5.1.
///
/// Its elements are walked through in one loop, as if Clusters did not enclose their blocks: so it doesn't matter
/// whether their sizes are known, or right.
struct MatroskaSegment {
    private(set) var header: MatroskaSegmentHeader
    /// Nil until there are Tracks with sound.
    private(set) var audioTrack: MatroskaAudioTrack?

    /// Where the size that it states ends; nil for a live recording, which has none.
    let declaredEndOffset: Int?
    /// Where the Segment ends: before another, or with the file.
    private(set) var endOffset: Int
    /// Where the first Cluster begins.
    private(set) var firstClusterOffset: Int?
    /// Where what is whole ends, if the file ends before the Segment or inside an element.
    private(set) var truncationOffset: Int?
    /// The first bytes that are no element and have Clusters behind them.
    private var firstGapOffset: Int?
    /// Bytes at the end that are no element.
    private(set) var trailingBytesOffset: Int?
    /// Whether Clusters go on behind the size that the Segment states.
    private(set) var exceedsDeclaredSize = false
    /// Bytes of the Clusters that were passed over because the header is believed.
    private(set) var skippedClusterBytes = 0

    /// The first bytes that are no element, or a block that contradicts itself.
    var firstDamageOffset: Int? { firstGapOffset ?? audioTrack?.firstDamageOffset }

    /// Whether it holds moving pictures. Where no blocks are read, a track that is described is taken to have some.
    var hasVideo: Bool {
        guard let audioTrack, skippedClusterBytes == 0 else {
            return firstClusterOffset != nil && !header.videoTrackNumbers.isEmpty
        }
        return audioTrack.hasVideoBlocks
    }
    /// The tracks that hold one still image each, as some tools write cover art.
    var pictures: [MatroskaTrack] {
        guard let audioTrack, !hasVideo else { return [] }
        return header.tracks.filter { $0.trackType == 1 && audioTrack.pictures.contains($0.trackNumber) }
    }

    private let contentOffset: Int
    private let clusterSearchLimit: Int
    private var skipsClusters: Bool
    /// Where the Cluster ends whose blocks are read; nil if that is unknown, and outside of all.
    private var clusterEndOffset: Int?
    private var clusterTimestamp = 0
    /// How far elements other than Clusters are read, for when Clusters are walked through a second time.
    private var lastReadHeaderEnd = 0

    /// Walks through `segment`.
    ///
    /// - Throws: `limit-exceeded`, and what reading throws.
    init(
        segmentElement segment: EBMLElement, in window: inout BufferedFileReader, walker: inout EBMLElementWalker,
        options: ProbeOptions
    ) throws(AudioError) {
        contentOffset = segment.contentOffset
        declaredEndOffset = segment.contentSize.map { segment.contentOffset + $0 }
        endOffset = min(declaredEndOffset ?? .max, window.byteCount)
        clusterSearchLimit = options.limits.searchBytes
        skipsClusters = options.isQuick
        header = MatroskaSegmentHeader(limits: options.limits)
        try readElements(in: &window, walker: &walker)
    }
}

// MARK: - Walking

extension MatroskaSegment {
    private mutating func readElements(in window: inout BufferedFileReader, walker: inout EBMLElementWalker)
        throws(AudioError)
    {
        var position = contentOffset
        while try continuesSegment(at: position, in: &window) {
            let element = try EBMLElement(at: position, in: &window)
            if let element, element.id == MatroskaElementID.ebmlHeader || element.id == MatroskaElementID.segment {
                // Another recording begins; this one lacks what it states beyond.
                if declaredEndOffset.map({ position < $0 }) == true { firstGapOffset = firstGapOffset ?? position }
                endOffset = position
                return
            }
            if let element, let next = try readElement(element, in: &window, walker: &walker) {
                position = next
            } else if skippedClusterBytes > 0, let firstClusterOffset {
                // A header isn't believed that belongs to something incomplete.
                position = restartWithFullScan(at: firstClusterOffset)
            } else if let cluster = try findNextCluster(after: position, in: &window) {
                firstGapOffset = firstGapOffset ?? position
                clusterEndOffset = nil
                position = cluster
            } else {
                // The longest head has 12 bytes: what is none in so many is none, however much is missing behind it.
                if element == nil && window.byteCount - position >= 12 { trailingBytesOffset = position }
                // Behind what was searched there may be more of the recording.
                let isSearched = min(declaredEndOffset ?? .max, window.byteCount) - position <= clusterSearchLimit
                if trailingBytesOffset == nil || declaredEndOffset ?? 0 > window.byteCount || !isSearched {
                    truncationOffset = position
                }
                return
            }
        }
        if max(declaredEndOffset ?? 0, clusterEndOffset ?? 0) > window.byteCount { truncationOffset = window.byteCount }
    }

    /// Whether there is more of the Segment at `position`: perhaps Clusters behind the end that it states, which then
    /// can't be believed.
    @inline(__always)
    private mutating func continuesSegment(at position: Int, in reader: inout BufferedFileReader) throws(AudioError)
        -> Bool
    {
        if position < endOffset { return true }
        guard let next = try EBMLElement(at: position, in: &reader), MatroskaElementID.isTopLevelElement(id: next.id)
        else {
            return false
        }
        exceedsDeclaredSize = true
        endOffset = reader.byteCount
        return true
    }

    /// Reads an element, and says where the next is; nil if this one can't be what it says.
    @inline(__always)
    private mutating func readElement(
        _ element: EBMLElement, in window: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) -> Int? {
        if MatroskaElementID.isTopLevelElement(id: element.id) {
            return try readTopLevelElement(element, in: &window, walker: &walker)
        }
        guard let size = element.contentSize,
            size <= min(clusterEndOffset ?? endOffset, endOffset) - element.contentOffset
        else { return nil }
        switch element.id {
        case MatroskaElementID.simpleBlock:
            try audioTrack?.readBlock(
                element.contentOffset..<element.endOffset, clusterTimestamp: clusterTimestamp, in: &window)
        case MatroskaElementID.blockGroup:
            try audioTrack?.readBlockGroup(element, clusterTimestamp: clusterTimestamp, in: &window)
        case MatroskaElementID.encryptedBlock:
            try audioTrack?.readBlock(
                element.contentOffset..<element.endOffset, clusterTimestamp: clusterTimestamp, isEncrypted: true,
                in: &window)
        case MatroskaElementID.timestamp:
            // Far from what overflows when two of them and a few blocks are added up.
            clusterTimestamp = min(try element.readClampedInteger(in: &window) ?? 0, 1 << 60)
        default: break
        }
        if element.endOffset == clusterEndOffset { clusterEndOffset = nil }
        return element.endOffset
    }

    private mutating func readTopLevelElement(
        _ element: EBMLElement, in window: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) -> Int? {
        // A Cluster that another element interrupts lost its own end.
        if clusterEndOffset != nil { firstGapOffset = firstGapOffset ?? element.startOffset }
        clusterEndOffset = nil
        if element.id == MatroskaElementID.cluster { return enterCluster(element) }
        guard let size = element.contentSize, size <= endOffset - element.contentOffset else { return nil }
        guard element.startOffset >= lastReadHeaderEnd else { return element.endOffset }
        lastReadHeaderEnd = element.endOffset
        try walker.countElement(at: element.startOffset)
        try header.readTopLevelElement(element, in: &window, walker: &walker)
        guard audioTrack == nil, let main = header.mainTrackIndex else { return element.endOffset }
        audioTrack = MatroskaAudioTrack(
            header.tracks[main], header.trackCodecs[main], videos: header.videoTrackNumbers, stills: header.stills)
        // Tracks may stand behind Clusters, which then could not be understood.
        return firstClusterOffset.map { restartWithFullScan(at: $0) } ?? element.endOffset
    }

    /// Where to go on inside a Cluster, or behind it if its blocks aren't asked for.
    private mutating func enterCluster(_ cluster: EBMLElement) -> Int? {
        let first = firstClusterOffset ?? cluster.startOffset
        firstClusterOffset = first
        // The header of a Segment that isn't all there tells of more than there is.
        if skipsClusters, audioTrack != nil, header.declaredDurationTicks != nil, endOffset == declaredEndOffset {
            guard let size = cluster.contentSize, size <= endOffset - cluster.contentOffset else {
                return restartWithFullScan(at: first)
            }
            skippedClusterBytes += size
            return cluster.endOffset
        }
        clusterTimestamp = 0
        clusterEndOffset = cluster.contentSize.flatMap { $0 > 0 ? cluster.contentOffset + $0 : nil }
        return cluster.contentOffset
    }

    /// Walks through all Clusters once more, and counts.
    private mutating func restartWithFullScan(at firstCluster: Int) -> Int {
        skipsClusters = false
        skippedClusterBytes = 0
        return firstCluster
    }

    /// The next place that looks like the beginning of a Cluster, within the limit.
    private func findNextCluster(after position: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        let searchEnd = min(endOffset, position.addingIfNoOverflow(clusterSearchLimit) ?? .max)
        var start = position + 1
        // Byte by byte: the next may be near, and then to copy any number of them at once costs more than all else.
        while start < searchEnd, let byte = try reader.uint8(at: start) {
            if byte == MatroskaElementID.cluster >> 24, try reader.uint32(at: start) == MatroskaElementID.cluster {
                return start
            }
            start += 1
        }
        return nil
    }
}
