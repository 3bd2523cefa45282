internal import MediaContainers

/// Finds the frames of a native FLAC stream from its beginning or its end: RFC 9639, section 9.
///
/// A frame is valid if the checksum of its header and the checksum of the whole frame are right. Its sample rate,
/// channels and sample size may differ from those in the stream's header.
struct FLACFrameFinder {
    /// A complete frame. If `isDamaged` is set, its checksum is wrong.
    struct Frame {
        let header: FLACFrameHeader
        let range: Range<Int>
        var isDamaged = false
    }

    let streamInfo: FLACStreamInfo
    /// The range of the file in which frames are searched.
    let searchRange: Range<Int>
    /// Whether more frames may follow in bytes that were not searched, because the search limit was reached.
    private(set) var hasUnsearchedRest = false
    /// Bytes that may still be searched for the ends of frames or included in checksums.
    ///
    /// Each complete frame adds twice its size to the budget. It thus pays for the search for its own end, and as much
    /// again for broken frames near it. In total, at most `searchBytes` and twice the file are processed.
    private(set) var checksumBudget: Int
    private let limits: AudioLimits

    /// - Parameters:
    ///   - info: The parameters of the stream.
    ///   - bounds: The range of the file in which frames are searched.
    ///   - limits: The limits.
    ///   - checksumBudget: The budget that earlier searches left, or `nil` for the full budget.
    init(
        streamInfo info: FLACStreamInfo, searchRange bounds: Range<Int>, limits: AudioLimits, checksumBudget: Int? = nil
    ) {
        self.streamInfo = info
        self.searchRange = bounds
        self.limits = limits
        self.checksumBudget = checksumBudget ?? limits.searchBytes
    }

    private static let crc16 = CyclicRedundancyCheck<UInt16>(polynomial: 0x8005)
    /// Bytes that are read at once when searching backwards. Most last frames begin within one step.
    private static let backwardSearchStep = 16 << 10

    /// Returns the stream parameters in the header of the frame at `offset`.
    ///
    /// - Returns: `nil` if there is no header, or if it does not state all of them.
    static func streamInfo(
        fromFrameAt offset: Int, before end: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> FLACStreamInfo? {
        try header(at: offset, before: end, in: &reader).flatMap { FLACStreamInfo(frameHeader: $0) }
    }

    /// Returns whether `count` complete, valid frames follow one another from the beginning of the search range.
    mutating func startsWithCompleteFrames(count: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        var position = searchRange.lowerBound
        for _ in 0..<count {
            guard let header = try frameHeader(at: position, in: &reader),
                let frame = try findFrame(startingWith: header, at: position, in: &reader), !frame.isDamaged
            else { return false }
            position = frame.range.upperBound
        }
        return true
    }

    /// Returns whether the frame after the first has the next number, as far as both can be found.
    mutating func hasConsecutiveFrames(
        atStart first: FLACFrameHeader, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Bool {
        guard let frame = try findFrame(startingWith: first, at: searchRange.lowerBound, in: &reader),
            let second = try frameHeader(at: frame.range.upperBound, in: &reader)
        else { return true }
        return second.codedNumber == first.nextCodedNumber
    }

    /// Returns the frame header at `offset`, or `nil` if there is none.
    func frameHeader(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> FLACFrameHeader? {
        try Self.header(at: offset, before: searchRange.upperBound, in: &reader)
    }

    private static func header(
        at offset: Int, before end: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> FLACFrameHeader? {
        // Half of the bytes in a hostile file can look like the beginning of a header. They are tested before any are
        // copied.
        guard let word = try reader.uint32(at: offset), FLACFrameHeader.canBegin(with: word),
            let bytes = try reader.bytes(at: offset, count: min(FLACFrameHeader.maxHeaderLength, max(0, end - offset)))
        else { return nil }
        return FLACFrameHeader(bytes: bytes)
    }

    /// Returns whether the range ends within what may be a frame header at `offset`.
    func isTruncatedHeader(at offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        let rest = searchRange.upperBound - offset
        guard rest < FLACFrameHeader.maxHeaderLength, try reader.uint8(at: offset) == 0xFF else { return false }
        guard let second = try reader.uint8(at: offset + 1), rest > 1 else { return true }
        return second & 0xFE == 0xF8
    }

    /// Returns the last complete frame, or `nil` if there is none near the end.
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

    /// Returns the range of the frame at `offset`, with a valid checksum.
    ///
    /// The candidate ends are tried from the nearest one, which is last in the array. If none fits, the frame is
    /// parsed, as something other than a frame may follow it.
    private mutating func frameRange(
        header: FLACFrameHeader, at offset: Int, candidateEnds: [Int], in reader: inout BufferedFileReader
    ) throws(AudioError) -> Range<Int>? {
        var checksum: UInt16 = 0, checksumEnd = offset
        for end in candidateEnds.reversed() where end >= offset + header.headerLength {
            if checksumBudget < 0 || end - offset > maxFrameLength(header: header) { break }
            checksum = try Self.crc16.checksum(continuing: checksum, of: checksumEnd..<end, in: &reader)
            if checksum == 0 { return try rangeWithoutTrailingZeros(of: offset..<end, header: header, in: &reader) }
            checksumBudget -= end - checksumEnd
            checksumEnd = end
        }
        return try parsedFrameRange(header: header, at: offset, in: &reader)
    }

    /// Returns the first complete frame at `offset` or after it, within `searchBytes`, or `nil` if there is none.
    ///
    /// A frame with a wrong checksum is returned as damaged if the next frame follows it: players play it nevertheless.
    mutating func nextFrame(from offset: Int, in reader: inout BufferedFileReader) throws(AudioError) -> Frame? {
        var position = offset
        while position < searchRange.upperBound, position - offset <= limits.searchBytes {
            let byte = try reader.uint8(at: position)
            if byte == 0xFF, let header = try frameHeader(at: position, in: &reader),
                let frame = try findFrame(startingWith: header, at: position, in: &reader)
            {
                checksumBudget = min(limits.searchBytes, checksumBudget + 2 * frame.range.count)
                return frame
            }
            // Frames after the marker of another stream belong to that stream.
            if byte == 0x66, try reader.fourCC(at: position) == "fLaC" { return nil }
            position += 1
        }
        hasUnsearchedRest = position < searchRange.upperBound || checksumBudget <= 0
        return nil
    }

    /// Returns the complete frame that begins with `header` at `offset`, or `nil` if its end is not found.
    private mutating func findFrame(
        startingWith header: FLACFrameHeader, at offset: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Frame? {
        var checksum: UInt16 = 0, checksumEnd = offset, position = offset + header.headerLength
        let latest = min(searchRange.upperBound, offset + min(maxFrameLength(header: header), checksumBudget))
        defer { checksumBudget -= position - offset }
        while position <= latest {
            if let successor = try successor(of: header, at: position, in: &reader) {
                checksum = try Self.crc16.checksum(continuing: checksum, of: checksumEnd..<position, in: &reader)
                if checksum == 0 {
                    let range = try rangeWithoutTrailingZeros(of: offset..<position, header: header, in: &reader)
                    return Frame(header: header, range: range)
                }
                checksumBudget -= position - checksumEnd
                checksumEnd = position
                if successor == .next {
                    return Frame(header: header, range: offset..<position, isDamaged: true)
                }
            }
            position += 1
        }
        return try parsedFrameRange(header: header, at: offset, in: &reader).map { Frame(header: header, range: $0) }
    }

    /// The evidence that a frame ends at an offset.
    private enum Successor {
        /// The frame with the next number follows.
        case next
        /// A frame of the same format, a truncated header, another stream, or the end of the range follows.
        case other
    }

    /// Returns what follows at `offset`, or `nil` if the frame with header `header` cannot end there.
    @inline(__always)
    private func successor(
        of header: FLACFrameHeader, at offset: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Successor? {
        if offset == searchRange.upperBound { return .other }
        switch try reader.uint8(at: offset) {
        case 0xFF:
            guard let next = try self.frameHeader(at: offset, in: &reader) else {
                return try isTruncatedHeader(at: offset, in: &reader) ? .other : nil
            }
            return next.codedNumber == header.nextCodedNumber
                ? .next : streamInfo.haveSameFormat(header, next) ? .other : nil
        case 0x66: return try reader.fourCC(at: offset) == "fLaC" ? .other : nil
        default: return nil
        }
    }

    /// Returns the range of a frame without trailing zeros.
    ///
    /// The checksum stays valid when zeros are appended to the frame. If the frame seems to end in zeros, it is parsed
    /// to find its end.
    private mutating func rangeWithoutTrailingZeros(
        of range: Range<Int>, header: FLACFrameHeader, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Range<Int> {
        guard try reader.uint16(at: range.upperBound - 2) == 0 else { return range }
        return try parsedFrameRange(header: header, at: range.lowerBound, in: &reader) ?? range
    }

    /// Returns the range of a frame by parsing its content, or `nil` if it cannot be parsed or its checksum is wrong.
    private mutating func parsedFrameRange(
        header: FLACFrameHeader, at offset: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Range<Int>? {
        let available = min(
            BufferedFileReader.maxBufferSize, maxFrameLength(header: header), searchRange.upperBound - offset)
        checksumBudget -= available
        guard checksumBudget > 0, let bytes = try reader.bytes(at: offset, count: available),
            let length = FLACFrameBodyParser.frameLength(
                of: bytes, header: header, bitsPerSample: streamInfo.bitsPerSample(of: header)),
            Self.crc16.checksum(of: Array(bytes[..<length])) == 0
        else { return nil }
        return offset..<offset + length
    }

    /// Returns the greatest size of a frame in bytes.
    ///
    /// This assumes verbatim samples with one bit more for the differences of channels, 18 bytes for the header and the
    /// checksum, and up to 5 bytes before each channel.
    func maxFrameLength(header: FLACFrameHeader) -> Int {
        header.blockSize * header.channels * (streamInfo.bitsPerSample(of: header) + 1) / 8 + 18 + 5 * header.channels
    }
}

extension FLACFrameHeader {
    /// The number that the next frame must have.
    fileprivate var nextCodedNumber: Int { codedNumber + (hasVariableBlockSize ? blockSize : 1) }
}
