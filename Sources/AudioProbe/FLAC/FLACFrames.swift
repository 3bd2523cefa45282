/// The frames of a native FLAC stream, found from either end. A frame is believed if its header has the right checksum,
/// and the checksum of the whole frame is right too: RFC 9639, 9. Its sample rate, channels and sample size may differ
/// from those that the stream's header states.
struct FLACFrames {
    /// A frame that is there from its first byte to its last; if it `isDamaged`, its checksum is wrong.
    struct Frame {
        let header: FLACFrameHeader
        let range: Range<Int>
        var isDamaged = false
    }

    let info: FLACStreamInfo
    /// Where frames begin, and where they end at the latest.
    let bounds: Range<Int>
    /// Whether frames may follow that were not searched for: too many bytes belong to none.
    private(set) var hasUnsearchedRest = false
    /// Bytes that may still be walked through, or summed up, in search of the ends of frames. A scan earns back twice
    /// as many as a frame has. So a whole frame pays for the search for its own end, and as much again for broken ones
    /// beside it; and at most `searchBytes` and twice the file are walked through.
    private(set) var patience: Int
    private let limits: AudioLimits

    /// - Parameter patience: what others left of it; nil for all of it.
    init(_ info: FLACStreamInfo, in bounds: Range<Int>, _ limits: AudioLimits, patience: Int? = nil) {
        self.info = info
        self.bounds = bounds
        self.limits = limits
        self.patience = patience ?? limits.searchBytes
    }

    private static let crc16 = CyclicChecksum<UInt16>(0x8005)
    /// Bytes that are looked at together when searching backwards: most last frames begin in them.
    private static let step = 16 << 10

    /// What the stream is that begins with a frame at `offset`; nil if no header is there, or it doesn't say.
    static func info(
        at offset: Int, before end: Int, in window: inout ByteWindow
    ) throws(AudioError) -> FLACStreamInfo? {
        try header(at: offset, before: end, in: &window).flatMap { FLACStreamInfo($0) }
    }

    /// Whether `count` frames that are whole follow one another from the beginning on.
    mutating func begin(with count: Int, in window: inout ByteWindow) throws(AudioError) -> Bool {
        var position = bounds.lowerBound
        for _ in 0..<count {
            guard let header = try header(at: position, in: &window),
                let frame = try frame(header, at: position, in: &window), !frame.isDamaged
            else { return false }
            position = frame.range.upperBound
        }
        return true
    }

    /// The header at `offset`, if there is one.
    func header(at offset: Int, in window: inout ByteWindow) throws(AudioError) -> FLACFrameHeader? {
        try Self.header(at: offset, before: bounds.upperBound, in: &window)
    }

    private static func header(
        at offset: Int, before end: Int, in window: inout ByteWindow
    ) throws(AudioError) -> FLACFrameHeader? {
        // In hostile files half of all bytes may look like a beginning: they are tested before any is copied.
        guard let word = try window.uint32(at: offset), FLACFrameHeader.canBegin(with: word),
            let bytes = try window.bytes(at: offset, count: min(FLACFrameHeader.longest, max(0, end - offset)))
        else { return nil }
        return FLACFrameHeader(bytes)
    }

    /// Whether the file ends within what may be the header of a frame at `offset`.
    func isCutHeader(at offset: Int, in window: inout ByteWindow) throws(AudioError) -> Bool {
        let rest = bounds.upperBound - offset
        guard rest < FLACFrameHeader.longest, try window.uint8(at: offset) == 0xFF else { return false }
        guard let second = try window.uint8(at: offset + 1), rest > 1 else { return true }
        return second & 0xFE == 0xF8
    }

    /// The last whole frame, if one is to be found near the end.
    mutating func last(in window: inout ByteWindow) throws(AudioError) -> Frame? {
        var ends = [bounds.upperBound], upper = bounds.upperBound
        while upper > bounds.lowerBound, bounds.upperBound - upper < limits.searchBytes {
            let lower = max(bounds.lowerBound, upper - Self.step)
            let bytes = try window.bytes(at: lower, count: upper - lower) ?? []
            for index in bytes.indices.reversed() where bytes[index] == 0xFF {
                if let header = try header(at: lower + index, in: &window) {
                    if let range = try range(of: header, at: lower + index, ends: ends, in: &window) {
                        return Frame(header: header, range: range)
                    }
                    ends.append(lower + index)
                } else if try isCutHeader(at: lower + index, in: &window) {
                    ends.append(lower + index)
                }
            }
            upper = lower
        }
        return nil
    }

    /// What the frame at `offset` takes if it ends at one of `ends`, the last of which is the nearest, or is followed
    /// by what is no frame.
    private mutating func range(
        of header: FLACFrameHeader, at offset: Int, ends: [Int], in window: inout ByteWindow
    ) throws(AudioError) -> Range<Int>? {
        var sum: UInt16 = 0, summed = offset
        for end in ends.reversed() where end >= offset + header.length {
            if patience < 0 || end - offset > longest(header) { break }
            sum = try Self.crc16.checksum(sum, of: summed..<end, in: &window)
            if sum == 0 { return try withoutZeros(offset..<end, header, in: &window) }
            patience -= end - summed
            summed = end
        }
        return try ownRange(of: header, at: offset, in: &window)
    }

    /// The first frame at `offset` or behind it, at most `searchBytes` behind, that is whole; or else one that is
    /// followed by the one after it, which is `isDamaged` and played nevertheless.
    mutating func next(from offset: Int, in window: inout ByteWindow) throws(AudioError) -> Frame? {
        var position = offset
        while position < bounds.upperBound, position - offset <= limits.searchBytes {
            let byte = try window.uint8(at: position)
            if byte == 0xFF, let header = try header(at: position, in: &window),
                let frame = try frame(header, at: position, in: &window)
            {
                patience = min(limits.searchBytes, patience + 2 * frame.range.count)
                return frame
            }
            // Frames behind the marker of another stream are that one's.
            if byte == 0x66, try window.fourCC(at: position) == "fLaC" { return nil }
            position += 1
        }
        hasUnsearchedRest = position < bounds.upperBound || patience <= 0
        return nil
    }

    private mutating func frame(
        _ header: FLACFrameHeader, at offset: Int, in window: inout ByteWindow
    ) throws(AudioError) -> Frame? {
        var sum: UInt16 = 0, summed = offset, position = offset + header.length
        let latest = min(bounds.upperBound, offset + min(longest(header), patience))
        defer { patience -= position - offset }
        while position <= latest {
            if let following = try following(header, at: position, in: &window) {
                sum = try Self.crc16.checksum(sum, of: summed..<position, in: &window)
                if sum == 0 {
                    let range = try withoutZeros(offset..<position, header, in: &window)
                    return Frame(header: header, range: range)
                }
                patience -= position - summed
                summed = position
                if following == .next {
                    return Frame(header: header, range: offset..<position, isDamaged: true)
                }
            }
            position += 1
        }
        return try ownRange(of: header, at: offset, in: &window).map { Frame(header: header, range: $0) }
    }

    /// What shows that a frame may end.
    private enum Following {
        /// The frame that has the next number.
        case next
        /// A frame of the same format, a cut frame, another stream, or the end of the sound.
        case other
    }

    /// What follows at `offset`, if the frame of `header` may end there.
    @inline(__always)
    private func following(
        _ header: FLACFrameHeader, at offset: Int, in window: inout ByteWindow
    ) throws(AudioError) -> Following? {
        if offset == bounds.upperBound { return .other }
        switch try window.uint8(at: offset) {
        case 0xFF:
            guard let next = try self.header(at: offset, in: &window) else {
                return try isCutHeader(at: offset, in: &window) ? .other : nil
            }
            return next.number == header.successor ? .next : info.areAlike(header, next) ? .other : nil
        case 0x66: return try window.fourCC(at: offset) == "fLaC" ? .other : nil
        default: return nil
        }
    }

    /// The frame in `range`, whose checksum is right. It would be with zeros behind too: where it seems to end in them,
    /// what is in it decides.
    private mutating func withoutZeros(
        _ range: Range<Int>, _ header: FLACFrameHeader, in window: inout ByteWindow
    ) throws(AudioError) -> Range<Int> {
        guard try window.uint16(at: range.upperBound - 2) == 0 else { return range }
        return try ownRange(of: header, at: range.lowerBound, in: &window) ?? range
    }

    /// What the frame takes by what is in it, whatever follows.
    private mutating func ownRange(
        of header: FLACFrameHeader, at offset: Int, in window: inout ByteWindow
    ) throws(AudioError) -> Range<Int>? {
        let available = min(ByteWindow.largest, longest(header), bounds.upperBound - offset)
        patience -= available
        guard patience > 0, let bytes = try window.bytes(at: offset, count: available),
            let length = FLACFrameBody.length(of: bytes, header, bitsPerSample: info.bits(of: header)),
            Self.crc16.checksum(of: Array(bytes[..<length])) == 0
        else { return nil }
        return offset..<offset + length
    }

    /// Bytes that a frame takes at most: every sample as it is, a bit more for differences of channels, a head and a
    /// checksum of 18 bytes, and up to 5 in front of each channel.
    func longest(_ header: FLACFrameHeader) -> Int {
        header.blockSize * header.channels * (info.bits(of: header) + 1) / 8 + 18 + 5 * header.channels
    }
}

extension FLACFrameHeader {
    /// What the next frame's number has to be.
    fileprivate var successor: Int { number + (isVariable ? blockSize : 1) }
}
