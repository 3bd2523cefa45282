/// A logical audio stream, assembled from the packets of its pages.
struct OggStream {
    let serialNumber: Int
    private(set) var codecMapping: any OggCodecMapping
    private(set) var timeline: OggTimeline
    private(set) var metadataItems: [MetadataItem] = []
    /// Bytes of the audio packets.
    private(set) var mediaBytes = 0
    /// Complete packets, including headers.
    private(set) var packetCount = 0
    /// Header packets so far, including those of the previous links.
    private(set) var headers: Int
    /// Whether an audio packet was found.
    private(set) var hasAudio = false
    /// Whether the stream's last page was found.
    private(set) var isFinished = false
    /// The first offset at which pages are missing, a packet contradicts itself, or pages follow the last one.
    private(set) var damageOffset: Int?
    /// Whether the last page that was appended contradicts its packets.
    private(set) var isLastPageInconsistent = false

    /// The packet that continues in the next page.
    private var openPacket: Packet?
    /// The bytes of a continued header packet at the end of the page, until they are added to that packet.
    private var unreadHeaderRange: Range<Int>?
    private var expectedSequenceNumber: Int?

    /// The greatest number of metadata items. FLAC can have any number of headers, and all items are copied with the
    /// stream.
    private static let maxMetadataCount = 1000

    private struct Packet {
        let startOffset: Int
        let isHeader: Bool
        /// The block size that the beginning of the packet states.
        let blockSize: Int?
        /// Bytes of the packet so far.
        var byteCount = 0
        /// The bytes of a header packet, as many as the limits allow.
        var headerBytes: [UInt8] = []
    }

    init(serialNumber: Int, codecMapping: any OggCodecMapping, headersBefore: Int) {
        self.serialNumber = serialNumber
        self.codecMapping = codecMapping
        headers = headersBefore
        timeline = OggTimeline(timescale: codecMapping.timescale)
    }

    /// Samples that are played.
    var playedSampleCount: Int { max(0, timeline.playedSampleCount - codecMapping.preSkip) }
    /// Samples by which `playedSampleCount` may be off.
    var uncertainSamples: Int {
        isFinished && timeline.startGranulePosition == 0
            ? timeline.pendingEndTrimSamples : max(timeline.pendingEndTrimSamples, codecMapping.uncertainSamples)
    }

    /// Ends a stream that has no marked last page.
    ///
    /// The stream is complete if its last page discards samples, or if all samples that the header promises were found:
    /// only a last page can do that.
    mutating func finish() {
        if isFinished { return }
        timeline.applyPendingEndTrim()
        isFinished =
            timeline.pendingEndTrimSamples > 0 || codecMapping.totalSamples.map { $0 == playedSampleCount } ?? false
    }

    /// Appends a page of the stream.
    mutating func appendPage(_ page: OggPage, in reader: inout BufferedFileReader, limits: AudioLimits)
        throws(AudioError)
    {
        isLastPageInconsistent = false
        checkContinuity(of: page)
        var samples = 0, offset = page.bodyOffset, length = 0, continuesPacket = page.continuesPacket,
            pageHasAudio = false
        for index in 0..<page.segmentCount {
            let lacing = try reader.uint8(at: page.segmentTableOffset + index) ?? 0
            length += lacing
            let isWhole = lacing < 255
            guard isWhole || index == page.segmentCount - 1 else { continue }
            if !continuesPacket { try beginPacket(at: offset, length: length, in: &reader) }
            openPacket?.byteCount += length
            unreadHeaderRange = offset..<offset + length
            if isWhole { try readPendingHeaderBytes(in: &reader, limits: limits) }
            offset += length
            length = 0
            continuesPacket = false
            if isWhole, let packet = openPacket {
                openPacket = nil
                pageHasAudio = pageHasAudio || !packet.isHeader
                samples += try finishPacket(packet, endOffset: offset, limits: limits)
            }
        }
        hasAudio = hasAudio || pageHasAudio
        updateTimeline(page: page, sampleCount: samples, hasAudio: pageHasAudio)
    }

    /// Adds the samples of `page` to the timeline, at the page's granule position.
    private mutating func updateTimeline(page: OggPage, sampleCount: Int, hasAudio pageHasAudio: Bool) {
        if pageHasAudio || hasAudio && page.endsStream {
            let agrees = timeline.appendPage(
                sampleCount: sampleCount, granulePosition: page.granulePosition, endsStream: page.endsStream,
                codecMapping: codecMapping)
            isLastPageInconsistent = isLastPageInconsistent || !agrees
        }
        if isFinished { damageOffset = damageOffset ?? page.offset }
        isFinished = page.endsStream
    }

    /// Checks the page's sequence number, and drops the open packet if the page does not continue it.
    private mutating func checkContinuity(of page: OggPage) {
        if let expectedSequenceNumber, page.sequenceNumber != expectedSequenceNumber {
            damageOffset = damageOffset ?? page.offset
            openPacket = nil
        }
        expectedSequenceNumber = (page.sequenceNumber + 1) & 0xFFFF_FFFF
        if page.continuesPacket != (openPacket != nil) { damageOffset = damageOffset ?? page.offset }
        if !page.continuesPacket { openPacket = nil }
    }

    private mutating func beginPacket(at offset: Int, length: Int, in reader: inout BufferedFileReader)
        throws(AudioError)
    {
        let firstByte = length > 0 ? try reader.uint8(at: offset) : nil
        let isHeader = codecMapping.isHeaderPacket(index: packetCount, firstByte: firstByte)
        let blockSize = isHeader ? nil : try codecMapping.blockSize(ofPacketAt: offset, length: length, in: &reader)
        if !isHeader, blockSize == nil, length > 0 {
            isLastPageInconsistent = true
            damageOffset = damageOffset ?? offset
        }
        openPacket = Packet(startOffset: offset, isHeader: isHeader, blockSize: blockSize)
    }

    /// Appends the unread bytes to the open header packet.
    ///
    /// Bytes that continue in the next page are appended only after their page is accepted. The stream is copied before
    /// each page, and appending to the copy would copy all bytes of the header for every page.
    mutating func readPendingHeaderBytes(in reader: inout BufferedFileReader, limits: AudioLimits) throws(AudioError) {
        defer { unreadHeaderRange = nil }
        if let unreadHeaderRange, openPacket?.isHeader == true,
            (openPacket?.headerBytes.count ?? 0) < limits.headerBytes,
            let bytes = try reader.bytes(at: unreadHeaderRange.lowerBound, count: unreadHeaderRange.count)
        {
            openPacket?.headerBytes += bytes
        }
    }

    /// Counts the complete packet that ends at `endOffset`.
    ///
    /// - Returns: The samples in the packet.
    private mutating func finishPacket(_ packet: Packet, endOffset: Int, limits: AudioLimits) throws(AudioError) -> Int
    {
        if packet.isHeader {
            headers += 1
            if headers > limits.elements {
                throw AudioError(
                    .limitExceeded, offset: packet.startOffset,
                    message: "too many headers (at most \(limits.elements))")
            }
            let items = try codecMapping.readHeaderPacket(
                packet.headerBytes, index: packetCount, range: packet.startOffset..<endOffset, limits: limits)
            if metadataItems.count < Self.maxMetadataCount { metadataItems += items }
            packetCount += 1
            return 0
        }
        packetCount += 1
        mediaBytes += packet.byteCount
        return packet.blockSize.map { codecMapping.decodedSampleCount(blockSize: $0) } ?? 0
    }
}
