/// A logical stream of sound: its pages' packets, put together.
struct OggStream {
    let serial: Int
    private(set) var mapping: any OggMapping
    private(set) var timeline: OggTimeline
    private(set) var metadata: [Metadata] = []
    /// Bytes of the packets of sound.
    private(set) var mediaBytes = 0
    /// Packets that are there to their ends, headers included.
    private(set) var packets = 0
    /// Headers so far, those of the links before included.
    private(set) var headers: Int
    /// Whether a packet of sound was there.
    private(set) var hasSound = false
    /// Whether the last page was there.
    private(set) var isFinished = false
    /// Where pages are missing, or a packet contradicts itself, or pages follow the last.
    private(set) var damage: Int?
    /// Whether the last page that was taken contradicted its packets.
    private(set) var isContradicted = false

    /// The packet that goes on in the next page.
    private var open: Packet?
    /// The bytes at the end of the page of a header that goes on, as long as they aren't among that packet's.
    private var unread: Range<Int>?
    private var nextSequence: Int?

    /// Items of metadata: FLAC may have any number of headers, and all of them are copied with the stream.
    private static let longestMetadata = 1000

    private struct Packet {
        let start: Int
        let isHeader: Bool
        /// What its beginning says of its length in samples.
        let measure: Int?
        /// Its bytes so far; and they themselves, as much as the limits allow, of a header.
        var length = 0
        var bytes: [UInt8] = []
    }

    init(_ serial: Int, _ mapping: any OggMapping, headersBefore: Int) {
        self.serial = serial
        self.mapping = mapping
        headers = headersBefore
        timeline = OggTimeline(timescale: mapping.timescale)
    }

    /// Samples that are played.
    var samples: Int { max(0, timeline.played - mapping.preSkip) }
    /// Samples by which that may be off.
    var doubt: Int { isFinished && timeline.start == 0 ? timeline.shortfall : max(timeline.shortfall, mapping.doubt) }

    /// Ends the stream, although the page that is to be its last is missing or isn't marked: a page that leaves out
    /// some of its samples, or the last of all that the header promises, can't but be the last.
    mutating func close() {
        if isFinished { return }
        timeline.trimShortfall()
        isFinished = timeline.shortfall > 0 || mapping.totalSamples.map { $0 == samples } ?? false
    }

    /// Takes a page of the stream.
    mutating func take(_ page: OggPage, in window: inout ByteWindow, _ limits: AudioLimits) throws(AudioError) {
        isContradicted = false
        joinUp(page)
        var samples = 0, offset = page.body, length = 0, isRest = page.isContinued, hadSound = false
        for index in 0..<page.segments {
            let lacing = try window.uint8(at: page.lacing + index) ?? 0
            length += lacing
            let isWhole = lacing < 255
            guard isWhole || index == page.segments - 1 else { continue }
            if !isRest { try begin(at: offset, length, in: &window) }
            open?.length += length
            unread = offset..<offset + length
            if isWhole { try readHeader(in: &window, limits) }
            offset += length
            length = 0
            isRest = false
            if isWhole, let packet = open {
                open = nil
                hadSound = hadSound || !packet.isHeader
                samples += try finish(packet, at: offset, limits)
            }
        }
        hasSound = hasSound || hadSound
        place(page, samples, hasSound: hadSound)
    }

    /// Puts what `page` holds where its position says.
    private mutating func place(_ page: OggPage, _ samples: Int, hasSound isHeard: Bool) {
        if isHeard || hasSound && page.isLast {
            let agrees = timeline.take(samples, to: page.granule, isLast: page.isLast, by: mapping)
            isContradicted = isContradicted || !agrees
        }
        if isFinished { damage = damage ?? page.offset }
        isFinished = page.isLast
    }

    /// Drops the packet that went on if its rest is not in `page`.
    private mutating func joinUp(_ page: OggPage) {
        if let nextSequence, page.sequence != nextSequence {
            damage = damage ?? page.offset
            open = nil
        }
        nextSequence = (page.sequence + 1) & 0xFFFF_FFFF
        if page.isContinued != (open != nil) { damage = damage ?? page.offset }
        if !page.isContinued { open = nil }
    }

    private mutating func begin(at offset: Int, _ length: Int, in window: inout ByteWindow) throws(AudioError) {
        let first = length > 0 ? try window.uint8(at: offset) : nil
        let isHeader = mapping.isHeader(packets, first: first)
        let measure = isHeader ? nil : try mapping.measure(at: offset, length, in: &window)
        if !isHeader, measure == nil, length > 0 {
            isContradicted = true
            damage = damage ?? offset
        }
        open = Packet(start: offset, isHeader: isHeader, measure: measure)
    }

    /// Adds what is not read yet to the bytes of the header that is open.
    ///
    /// What goes on in the next page is added only when its page is accepted: the stream is copied before each page is
    /// taken, and to add to the copy of a header's bytes would copy all of them for every page.
    mutating func readHeader(in window: inout ByteWindow, _ limits: AudioLimits) throws(AudioError) {
        defer { unread = nil }
        if let unread, open?.isHeader == true, (open?.bytes.count ?? 0) < limits.headerBytes,
            let bytes = try window.bytes(at: unread.lowerBound, count: unread.count)
        {
            open?.bytes += bytes
        }
    }

    /// What the packet that ends at `end` adds to the samples.
    private mutating func finish(_ packet: Packet, at end: Int, _ limits: AudioLimits) throws(AudioError) -> Int {
        if packet.isHeader {
            headers += 1
            if headers > limits.elements {
                throw AudioError(.limit, offset: packet.start, "there are more than \(limits.elements) headers")
            }
            let items = try mapping.read(header: packet.bytes, packets, at: packet.start..<end, limits)
            if metadata.count < Self.longestMetadata { metadata += items }
            packets += 1
            return 0
        }
        packets += 1
        mediaBytes += packet.length
        return packet.measure.map { mapping.samples($0) } ?? 0
    }
}
