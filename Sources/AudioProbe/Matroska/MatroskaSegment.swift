/// A Segment, which contains a whole stream: RFC 9559, section 5.1. A file may join several.
///
/// All elements are read in one loop, as if Clusters did not enclose their blocks. The sizes of Clusters thus need not
/// be known or right.
struct MatroskaSegment {
    private(set) var header: MatroskaSegmentHeader
    /// The main track's audio, or `nil` until Tracks with an audio track were read.
    private(set) var mainTrackBlocks: MatroskaMainTrackBlocks?

    /// The offset at which the Segment ends by its size, or `nil` for a live stream without a size.
    let declaredEndOffset: Int?
    /// The offset at which the Segment actually ends: before another Segment, or at the end of the file.
    private(set) var endOffset: Int
    /// The offset of the first Cluster, or `nil`.
    private(set) var firstClusterOffset: Int?
    /// The offset at which the intact part ends if the file ends inside the Segment or inside an element, or `nil`.
    private(set) var truncationOffset: Int?
    /// The offset of the first bytes that are not an element although Clusters follow, or `nil`.
    private var firstGapOffset: Int?
    /// The offset of bytes at the end that are not an element, or `nil`.
    private(set) var trailingBytesOffset: Int?
    /// Whether elements follow after the end by the Segment's size.
    private(set) var exceedsDeclaredSize = false
    /// Bytes of the Clusters that were skipped because the header's duration is used.
    private(set) var skippedClusterBytes = 0

    /// The offset of the first bytes that are not an element, or of a block that contradicts itself, or `nil`.
    var firstDamageOffset: Int? { firstGapOffset ?? mainTrackBlocks?.firstDamageOffset }

    /// Whether the Segment contains video. If no blocks are read, a video track is assumed to have some.
    var hasVideo: Bool {
        guard let mainTrackBlocks, skippedClusterBytes == 0 else {
            return firstClusterOffset != nil && !header.videoTrackNumbers.isEmpty
        }
        let present = header.videoTrackNumbers.filter { mainTrackBlocks.frameCountsByOtherTrack[$0] != nil }
        // Several tracks with an image each may be the frames of a video.
        return present.count > 1
            || present.contains {
                !header.stillImageTrackNumbers.contains($0) || mainTrackBlocks.frameCountsByOtherTrack[$0] != 1
            }
    }
    /// The track that contains one still image, which is how some tools write cover art, and every other track of its
    /// number.
    var attachedImageTracks: [MatroskaTrack] {
        guard let mainTrackBlocks, !hasVideo else { return [] }
        return header.tracks.filter {
            $0.trackType == 1 && mainTrackBlocks.frameCountsByOtherTrack[$0.trackNumber] != nil
        }
    }

    private let contentOffset: Int
    private let limits: AudioLimits
    private var skipsClusters: Bool
    /// The offset at which the current Cluster ends, or `nil` if that is unknown or there is no current Cluster.
    private var clusterEndOffset: Int?
    private var clusterTimestamp = 0
    /// The offset up to which elements other than Clusters were read. They are not read again in a second pass.
    private var lastReadHeaderEnd = 0

    /// Reads a Segment.
    ///
    /// - Throws: ``AudioError/Code/limitExceeded``, and the errors of the reader.
    init(
        segmentElement segment: EBMLElement, in reader: inout BufferedFileReader, walker: inout EBMLElementWalker,
        options: ProbeOptions
    ) throws(AudioError) {
        contentOffset = segment.contentOffset
        declaredEndOffset = segment.contentSize.map { segment.contentOffset + $0 }
        endOffset = min(declaredEndOffset ?? .max, reader.byteCount)
        limits = options.limits
        skipsClusters = options.isQuick
        header = MatroskaSegmentHeader(limits: options.limits)
        try readElements(in: &reader, walker: &walker)
    }
}

// MARK: - Reading elements

extension MatroskaSegment {
    private mutating func readElements(in reader: inout BufferedFileReader, walker: inout EBMLElementWalker)
        throws(AudioError)
    {
        var position = contentOffset
        while try continuesSegment(at: position, in: &reader) {
            let element = try EBMLElement(at: position, in: &reader)
            if let element, element.id == MatroskaElementID.ebmlHeader || element.id == MatroskaElementID.segment {
                // Another stream begins before the end that this Segment states, so part of this one is missing.
                if declaredEndOffset.map({ position < $0 }) == true { firstGapOffset = firstGapOffset ?? position }
                endOffset = position
                return
            }
            if let element, let next = try readContents(of: element, in: &reader, walker: &walker) {
                position = next
            } else if skippedClusterBytes > 0, let firstClusterOffset {
                // The header's duration is not used for an incomplete Segment.
                position = restartWithFullScan(at: firstClusterOffset)
            } else if let cluster = try findNextCluster(after: position, in: &reader) {
                firstGapOffset = firstGapOffset ?? position
                clusterEndOffset = nil
                position = cluster
            } else {
                // The longest header has 12 bytes. If as many bytes exist and are not a header, the file does not end
                // inside one.
                if element == nil && reader.byteCount - position >= 12 { trailingBytesOffset = position }
                // More of the stream may follow the part that was searched.
                let isSearched = min(declaredEndOffset ?? .max, reader.byteCount) - position <= limits.searchBytes
                if trailingBytesOffset == nil || declaredEndOffset ?? 0 > reader.byteCount || !isSearched {
                    truncationOffset = position
                }
                return
            }
        }
        if max(declaredEndOffset ?? 0, clusterEndOffset ?? 0) > reader.byteCount { truncationOffset = reader.byteCount }
    }

    /// Returns whether the Segment continues at `position`.
    ///
    /// Clusters may follow after the end by the Segment's size, which is then wrong.
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

    /// Reads the contents of an element at the Segment's level or in a Cluster.
    ///
    /// - Returns: The offset of the next element, or `nil` if this one is invalid.
    @inline(__always)
    private mutating func readContents(
        of element: EBMLElement, in reader: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) -> Int? {
        if MatroskaElementID.isTopLevelElement(id: element.id) {
            return try readTopLevelElement(element, in: &reader, walker: &walker)
        }
        guard let size = element.contentSize,
            size <= min(clusterEndOffset ?? endOffset, endOffset) - element.contentOffset
        else { return nil }
        switch element.id {
        case MatroskaElementID.simpleBlock:
            try mainTrackBlocks?.readBlock(
                element.contentOffset..<element.endOffset, clusterTimestamp: clusterTimestamp, in: &reader)
        case MatroskaElementID.blockGroup:
            try mainTrackBlocks?.readBlockGroup(element, clusterTimestamp: clusterTimestamp, in: &reader)
        case MatroskaElementID.encryptedBlock:
            try mainTrackBlocks?.readBlock(
                element.contentOffset..<element.endOffset, clusterTimestamp: clusterTimestamp, isEncrypted: true,
                in: &reader)
        case MatroskaElementID.timestamp:
            // The limit leaves room for adding two timestamps and several blocks without overflow.
            clusterTimestamp = min(try element.readClampedInteger(in: &reader) ?? 0, 1 << 60)
        default: break
        }
        if element.endOffset == clusterEndOffset { clusterEndOffset = nil }
        return element.endOffset
    }

    private mutating func readTopLevelElement(
        _ element: EBMLElement, in reader: inout BufferedFileReader, walker: inout EBMLElementWalker
    ) throws(AudioError) -> Int? {
        // A Cluster that another element interrupts is truncated.
        if clusterEndOffset != nil { firstGapOffset = firstGapOffset ?? element.startOffset }
        clusterEndOffset = nil
        if element.id == MatroskaElementID.cluster { return enterOrSkipCluster(element) }
        guard let size = element.contentSize, size <= endOffset - element.contentOffset else { return nil }
        guard element.startOffset >= lastReadHeaderEnd else { return element.endOffset }
        lastReadHeaderEnd = element.endOffset
        try walker.countElement(at: element.startOffset)
        try header.readTopLevelElement(element, in: &reader, walker: &walker)
        guard mainTrackBlocks == nil, let main = header.mainTrackIndex else { return element.endOffset }
        mainTrackBlocks = MatroskaMainTrackBlocks(
            track: header.tracks[main], codec: header.trackCodecs[main], limits: limits)
        // Clusters that precede Tracks could not be interpreted yet.
        return firstClusterOffset.map { restartWithFullScan(at: $0) } ?? element.endOffset
    }

    /// Returns the offset at which to continue: inside a Cluster, or after it if Clusters are skipped.
    private mutating func enterOrSkipCluster(_ cluster: EBMLElement) -> Int? {
        let first = firstClusterOffset ?? cluster.startOffset
        firstClusterOffset = first
        // The header of an incomplete Segment describes more than exists.
        if skipsClusters, mainTrackBlocks != nil, header.declaredDurationTicks != nil, endOffset == declaredEndOffset {
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

    /// Restarts at the first Cluster, without skipping Clusters.
    private mutating func restartWithFullScan(at firstCluster: Int) -> Int {
        skipsClusters = false
        skippedClusterBytes = 0
        return firstCluster
    }

    /// Returns the offset of the next Cluster ID within the search limit, or `nil`.
    private func findNextCluster(after position: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Int? {
        let searchEnd = min(endOffset, position.addingIfNoOverflow(limits.searchBytes) ?? .max)
        var start = position + 1
        // The next Cluster may be near. Searching byte by byte is then faster than copying a block of bytes.
        while start < searchEnd, let byte = try reader.uint8(at: start) {
            if byte == MatroskaElementID.cluster >> 24, try reader.uint32(at: start) == MatroskaElementID.cluster {
                return start
            }
            start += 1
        }
        return nil
    }
}
