/// A logical stream of sound: its pages' packets, put together.
struct OggStream {
    let serialNumber: Int
    private(set) var codecMapping: any OggCodecMapping
    private(set) var timeline: OggTimeline
    private(set) var metadataItems: [MetadataItem] = []
    /// Bytes of the packets of sound.
    private(set) var mediaBytes = 0
    /// Packets that are there to their ends, headers included.
    private(set) var packetCount = 0
    /// Headers so far, those of the links before included.
    private(set) var headers: Int
    /// Whether a packet of sound was there.
    private(set) var hasAudio = false
    /// Whether the last page was there.
    private(set) var isFinished = false
    /// Where pages are missing, or a packet contradicts itself, or pages follow the last.
    private(set) var damageOffset: Int?
    /// Whether the last page that was taken contradicted its packets.
    private(set) var isLastPageInconsistent = false

    /// The packet that goes on in the next page.
    private var openPacket: Packet?
    /// The bytes at the end of the page of a header that goes on, as long as they aren't among that packet's.
    private var unreadHeaderRange: Range<Int>?
    private var expectedSequenceNumber: Int?

    /// Items of metadata: FLAC may have any number of headers, and all of them are copied with the stream.
    private static let maximumMetadataCount = 1000

    private struct Packet {
        let startOffset: Int
        let isHeader: Bool
        /// What its beginning says of its length in samples.
        let blockSize: Int?
        /// Its bytes so far; and they themselves, as much as the limits allow, of a header.
        var byteCount = 0
        var headerBytes: [UInt8] = []
    }

    init(_ serial: Int, _ mapping: any OggCodecMapping, headersBefore: Int) {
        self.serialNumber = serial
        self.codecMapping = mapping
        headers = headersBefore
        timeline = OggTimeline(timescale: mapping.timescale)
    }

    /// Samples that are played.
    var playedSampleCount: Int { max(0, timeline.playedSampleCount - codecMapping.preSkip) }
    /// Samples by which that may be off.
    var uncertainSamples: Int {
        isFinished && timeline.startGranulePosition == 0
            ? timeline.pendingEndTrimSamples : max(timeline.pendingEndTrimSamples, codecMapping.uncertainSamples)
    }

    /// Ends the stream, although the page that is to be its last is missing or isn't marked: a page that leaves out
    /// some of its samples, or the last of all that the header promises, can't but be the last.
    mutating func finish() {
        if isFinished { return }
        timeline.applyPendingEndTrim()
        isFinished =
            timeline.pendingEndTrimSamples > 0 || codecMapping.totalSamples.map { $0 == playedSampleCount } ?? false
    }

    /// Takes a page of the stream.
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

    /// Puts what `page` holds where its position says.
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

    /// Drops the packet that went on if its rest is not in `page`.
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

    /// Adds what is not read yet to the bytes of the header that is open.
    ///
    /// What goes on in the next page is added only when its page is accepted: the stream is copied before each page is
    /// taken, and to add to the copy of a header's bytes would copy all of them for every page.
    mutating func readPendingHeaderBytes(in reader: inout BufferedFileReader, limits: AudioLimits) throws(AudioError) {
        defer { unreadHeaderRange = nil }
        if let unreadHeaderRange, openPacket?.isHeader == true,
            (openPacket?.headerBytes.count ?? 0) < limits.headerBytes,
            let bytes = try reader.bytes(at: unreadHeaderRange.lowerBound, count: unreadHeaderRange.count)
        {
            openPacket?.headerBytes += bytes
        }
    }

    /// What the packet that ends at `endOffset` adds to the samples.
    private mutating func finishPacket(_ packet: Packet, endOffset: Int, limits: AudioLimits) throws(AudioError) -> Int
    {
        if packet.isHeader {
            headers += 1
            if headers > limits.elements {
                throw AudioError(
                    .limitExceeded, offset: packet.startOffset,
                    message: "there are more than \(limits.elements) headers")
            }
            let items = try codecMapping.readHeaderPacket(
                packet.headerBytes, index: packetCount, range: packet.startOffset..<endOffset, limits: limits)
            if metadataItems.count < Self.maximumMetadataCount { metadataItems += items }
            packetCount += 1
            return 0
        }
        packetCount += 1
        mediaBytes += packet.byteCount
        return packet.blockSize.map { codecMapping.decodedSampleCount(blockSize: $0) } ?? 0
    }
}
