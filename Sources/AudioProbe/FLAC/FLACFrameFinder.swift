/// The frames of a native FLAC stream, found from either end. A frame is believed if its header has the right checksum,
/// and the checksum of the whole frame is right too: RFC 9639, 9. Its sample rate, channels and sample size may differ
/// from those that the stream's header states.
struct FLACFrameFinder {
    /// A frame that is there from its first byte to its last; if it `isDamaged`, its checksum is wrong.
    struct Frame {
        let header: FLACFrameHeader
        let range: Range<Int>
        var isDamaged = false
    }

    let streamInfo: FLACStreamInfo
    /// Where frames begin, and where they end at the latest.
    let searchRange: Range<Int>
    /// Whether frames may follow that were not searched for: too many bytes belong to none.
    private(set) var hasUnsearchedRest = false
    /// Bytes that may still be walked through, or summed up, in search of the ends of frames. A scan earns back twice
    /// as many as a frame has. So a whole frame pays for the search for its own end, and as much again for broken ones
    /// beside it; and at most `searchBytes` and twice the file are walked through.
    private(set) var checksumBudget: Int
    private let limits: AudioLimits

    /// - Parameter patience: what others left of it; nil for all of it.
    init(_ info: FLACStreamInfo, in bounds: Range<Int>, _ limits: AudioLimits, patience: Int? = nil) {
        self.streamInfo = info
        self.searchRange = bounds
        self.limits = limits
        self.checksumBudget = patience ?? limits.searchBytes
    }

    private static let crc16 = CyclicRedundancyCheck<UInt16>(polynomial: 0x8005)
    /// Bytes that are looked at together when searching backwards: most last frames begin in them.
    private static let backwardSearchStep = 16 << 10

    /// What the stream is that begins with a frame at `offset`; nil if no header is there, or it doesn't say.
    static func streamInfo(
        fromFrameAt offset: Int, before end: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> FLACStreamInfo? {
        try header(at: offset, before: end, in: &reader).flatMap { FLACStreamInfo(frameHeader: $0) }
    }

    /// Whether `count` frames that are whole follow one another from the beginning on.
    mutating func startsWithCompleteFrames(count: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        var position = searchRange.lowerBound
        for _ in 0..<count {
            guard let header = try frameHeader(at: position, in: &reader),
                let frame = try completeFrame(header: header, at: position, in: &reader), !frame.isDamaged
            else { return false }
            position = frame.range.upperBound
        }
        return true
    }

    /// The header at `offset`, if there is one.
    func frameHeader(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> FLACFrameHeader? {
        try Self.header(at: offset, before: searchRange.upperBound, in: &reader)
    }

    private static func header(
        at offset: Int, before end: Int, in window: inout BufferedFileReader
    ) throws(AudioError) -> FLACFrameHeader? {
        // In hostile files half of all bytes may look like a beginning: they are tested before any is copied.
        guard let word = try window.uint32(at: offset), FLACFrameHeader.canBegin(with: word),
            let bytes = try window.bytes(at: offset, count: min(FLACFrameHeader.maxHeaderLength, max(0, end - offset)))
        else { return nil }
        return FLACFrameHeader(bytes: bytes)
    }

    /// Whether the file ends within what may be the header of a frame at `offset`.
    func isTruncatedHeader(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        let rest = searchRange.upperBound - offset
        guard rest < FLACFrameHeader.maxHeaderLength, try reader.uint8(at: offset) == 0xFF else { return false }
        guard let second = try reader.uint8(at: offset + 1), rest > 1 else { return true }
        return second & 0xFE == 0xF8
    }

    /// The last whole frame, if one is to be found near the end.
    mutating func lastFrame(in reader: inout BufferedFileReader) throws(AudioError) -> Frame? {
        var ends = [searchRange.upperBound], upper = searchRange.upperBound
        while upper > searchRange.lowerBound, searchRange.upperBound - upper < limits.searchBytes {
            let lower = max(searchRange.lowerBound, upper - Self.backwardSearchStep)
            let bytes = try reader.bytes(at: lower, count: upper - lower) ?? []
            for index in bytes.indices.reversed() where bytes[index] == 0xFF {
                if let header = try frameHeader(at: lower + index, in: &reader) {
                    if let range = try frameRange(header: header, at: lower + index, candidateEnds: ends, in: &reader) {
                        return Frame(header: header, range: range)
                    }
                    ends.append(lower + index)
                } else if try isTruncatedHeader(at: lower + index, in: &reader) {
                    ends.append(lower + index)
                }
            }
            upper = lower
        }
        return nil
    }

    /// What the frame at `offset` takes if it ends at one of `candidateEnds`, the last of which is the nearest, or is
    /// followed by what is no frame.
    private mutating func frameRange(
        header: FLACFrameHeader, at offset: Int, candidateEnds: [Int], in reader: inout BufferedFileReader
    ) throws(AudioError) -> Range<Int>? {
        var checksum: UInt16 = 0, checksumEnd = offset
        for end in candidateEnds.reversed() where end >= offset + header.headerLength {
            if checksumBudget < 0 || end - offset > maximumFrameLength(header: header) { break }
            checksum = try Self.crc16.checksum(continuing: checksum, of: checksumEnd..<end, in: &reader)
            if checksum == 0 { return try trimmingTrailingZeros(from: offset..<end, header: header, in: &reader) }
            checksumBudget -= end - checksumEnd
            checksumEnd = end
        }
        return try parsedFrameRange(header: header, at: offset, in: &reader)
    }

    /// The first frame at `offset` or behind it, at most `searchBytes` behind, that is whole; or else one that is
    /// followed by the one after it, which is `isDamaged` and played nevertheless.
    mutating func nextFrame(from offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Frame? {
        var position = offset
        while position < searchRange.upperBound, position - offset <= limits.searchBytes {
            let byte = try reader.uint8(at: position)
            if byte == 0xFF, let header = try frameHeader(at: position, in: &reader),
                let frame = try completeFrame(header: header, at: position, in: &reader)
            {
                checksumBudget = min(limits.searchBytes, checksumBudget + 2 * frame.range.count)
                return frame
            }
            // Frames behind the marker of another stream are that one's.
            if byte == 0x66, try reader.fourCC(at: position) == "fLaC" { return nil }
            position += 1
        }
        hasUnsearchedRest = position < searchRange.upperBound || checksumBudget <= 0
        return nil
    }

    private mutating func completeFrame(
        header: FLACFrameHeader, at offset: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Frame? {
        var checksum: UInt16 = 0, checksumEnd = offset, position = offset + header.headerLength
        let latest = min(searchRange.upperBound, offset + min(maximumFrameLength(header: header), checksumBudget))
        defer { checksumBudget -= position - offset }
        while position <= latest {
            if let following = try following(header, at: position, in: &reader) {
                checksum = try Self.crc16.checksum(continuing: checksum, of: checksumEnd..<position, in: &reader)
                if checksum == 0 {
                    let range = try trimmingTrailingZeros(from: offset..<position, header: header, in: &reader)
                    return Frame(header: header, range: range)
                }
                checksumBudget -= position - checksumEnd
                checksumEnd = position
                if following == .next {
                    return Frame(header: header, range: offset..<position, isDamaged: true)
                }
            }
            position += 1
        }
        return try parsedFrameRange(header: header, at: offset, in: &reader).map { Frame(header: header, range: $0) }
    }

    /// What shows that a frame may end.
    private enum Following {
        /// The frame that has the next number.
        case next
        /// A frame of the same format, a cut frame, another stream, or the end of the sound.
        case other
    }

    /// What follows at `offset`, if the frame of `frameHeader` may end there.
    @inline(__always)
    private func following(
        _ header: FLACFrameHeader, at offset: Int, in window: inout BufferedFileReader
    ) throws(AudioError) -> Following? {
        if offset == searchRange.upperBound { return .other }
        switch try window.uint8(at: offset) {
        case 0xFF:
            guard let next = try self.frameHeader(at: offset, in: &window) else {
                return try isTruncatedHeader(at: offset, in: &window) ? .other : nil
            }
            return next.codedNumber == header.nextCodedNumber
                ? .next : streamInfo.haveSameFormat(header, next) ? .other : nil
        case 0x66: return try window.fourCC(at: offset) == "fLaC" ? .other : nil
        default: return nil
        }
    }

    /// The frame in `frameRange`, whose checksum is right. It would be with zeros behind too: where it seems to end in
    /// them, what is in it decides.
    private mutating func trimmingTrailingZeros(
        from range: Range<Int>, header: FLACFrameHeader, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Range<Int> {
        guard try reader.uint16(at: range.upperBound - 2) == 0 else { return range }
        return try parsedFrameRange(header: header, at: range.lowerBound, in: &reader) ?? range
    }

    /// What the frame takes by what is in it, whatever follows.
    private mutating func parsedFrameRange(
        header: FLACFrameHeader, at offset: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Range<Int>? {
        let available = min(
            BufferedFileReader.maxBufferSize, maximumFrameLength(header: header), searchRange.upperBound - offset)
        checksumBudget -= available
        guard checksumBudget > 0, let bytes = try reader.bytes(at: offset, count: available),
            let length = FLACFrameBodyParser.frameLength(
                of: bytes, header: header, bitsPerSample: streamInfo.bitsPerSample(of: header)),
            Self.crc16.checksum(of: Array(bytes[..<length])) == 0
        else { return nil }
        return offset..<offset + length
    }

    /// Bytes that a frame takes at most: every sample as it is, a bit more for differences of channels, a head and a
    /// checksum of 18 bytes, and up to 5 in front of each channel.
    func maximumFrameLength(header: FLACFrameHeader) -> Int {
        header.blockSize * header.channels * (streamInfo.bitsPerSample(of: header) + 1) / 8 + 18 + 5 * header.channels
    }
}

extension FLACFrameHeader {
    /// What the next frame's number has to be.
    fileprivate var nextCodedNumber: Int { codedNumber + (hasVariableBlockSize ? blockSize : 1) }
}
