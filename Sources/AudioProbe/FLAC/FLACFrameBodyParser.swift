/// Parses the subframes of a FLAC frame without decoding them, to find the end of the frame: RFC 9639, section 9.2.
struct FLACFrameBodyParser {
    private var bitReader: BitReader
    private let blockSize: Int

    /// Returns the number of bytes in a frame, including its checksum.
    ///
    /// - Parameters:
    ///   - frame: The bytes from the frame's header on.
    ///   - header: The frame's header.
    ///   - bitsPerSample: Bits per sample of the frame's channels.
    /// - Returns: `nil` if the frame is incomplete or contradicts itself.
    static func frameLength(of frame: [UInt8], header: FLACFrameHeader, bitsPerSample: Int) -> Int? {
        guard frame.count >= header.headerLength else { return nil }
        var body = FLACFrameBodyParser(
            bitReader: BitReader(bytes: frame[header.headerLength...]), blockSize: header.blockSize)
        // The difference of two channels has one bit more than a channel. In assignments 8 and 10, the second channel
        // is the difference; in assignment 9, the first.
        let assignment = frame[3] >> 4
        for channel in 0..<header.channels {
            let isDifference = assignment == 9 && channel == 0 || [8, 10].contains(assignment) && channel == 1
            guard body.skipSubframe(bitsPerSample: bitsPerSample + (isDifference ? 1 : 0)) else {
                return nil
            }
        }
        let length = header.headerLength + (body.bitReader.bitPosition + 7) / 8 + 2
        return length <= frame.count ? length : nil
    }

    private mutating func skipSubframe(bitsPerSample: Int) -> Bool {
        guard bitReader.readBits(1) == 0, let type = bitReader.readBits(6), let hasWastedBits = bitReader.readBits(1),
            let wastedBits = hasWastedBits == 1 ? bitReader.readZeroBitCount().map({ $0 + 1 }) : 0,
            wastedBits < bitsPerSample
        else { return false }
        let width = bitsPerSample - wastedBits
        switch type {
        case 0: return bitReader.skipBits(width)
        case 1: return bitReader.skipBits(width * blockSize)
        case 8...12: return bitReader.skipBits(width * (type - 8)) && skipResidual(predictorOrder: type - 8)
        case 32...63:
            let order = type - 31
            guard bitReader.skipBits(width * order), let precision = bitReader.readBits(4), precision < 15,
                bitReader.skipBits(5 + (precision + 1) * order)
            else { return false }
            return skipResidual(predictorOrder: order)
        default: return false
        }
    }

    /// Skips the partitioned Rice codes of a residual: RFC 9639, section 9.2.7.
    private mutating func skipResidual(predictorOrder: Int) -> Bool {
        guard let method = bitReader.readBits(2), method < 2, let partitionOrder = bitReader.readBits(4) else {
            return false
        }
        let parameterBits = 4 + method, count = blockSize >> partitionOrder
        guard count << partitionOrder == blockSize, count >= predictorOrder else { return false }
        for partition in 0..<1 << partitionOrder {
            let codes = count - (partition == 0 ? predictorOrder : 0)
            guard let parameter = bitReader.readBits(parameterBits) else { return false }
            if parameter == 1 << parameterBits - 1 {
                guard let width = bitReader.readBits(5), bitReader.skipBits(width * codes) else { return false }
                continue
            }
            for _ in 0..<codes {
                guard bitReader.readZeroBitCount() != nil, bitReader.skipBits(parameter) else { return false }
            }
        }
        return true
    }
}
