/// What is in a FLAC frame behind its header, walked through without decoding it, to find where it ends: RFC 9639, 9.2.
struct FLACFrameBody {
    private var reader: BitReader
    private let samples: Int

    /// Bytes of the frame that `frame` begins with, its checksum included; nil if it isn't all there, or contradicts
    /// itself.
    static func length(of frame: [UInt8], _ header: FLACFrameHeader, bitsPerSample: Int) -> Int? {
        guard frame.count >= header.length else { return nil }
        var body = FLACFrameBody(reader: BitReader(frame[header.length...]), samples: header.blockSize)
        // The difference of two channels has a bit more than they have: 8 and 10 say that the second is one, 9 the
        // first.
        let assignment = frame[3] >> 4
        for channel in 0..<header.channels {
            let isDifference = assignment == 9 && channel == 0 || [8, 10].contains(assignment) && channel == 1
            guard body.skipSubframe(bitsPerSample + (isDifference ? 1 : 0)) else {
                return nil
            }
        }
        let length = header.length + (body.reader.position + 7) / 8 + 2
        return length <= frame.count ? length : nil
    }

    private mutating func skipSubframe(_ bits: Int) -> Bool {
        guard reader.bits(1) == 0, let type = reader.bits(6), let hasWaste = reader.bits(1),
            let waste = hasWaste == 1 ? reader.zeros().map({ $0 + 1 }) : 0, waste < bits
        else { return false }
        let width = bits - waste
        switch type {
        case 0: return reader.skip(width)
        case 1: return reader.skip(width * samples)
        case 8...12: return reader.skip(width * (type - 8)) && skipResidual(order: type - 8)
        case 32...63:
            let order = type - 31
            guard reader.skip(width * order), let precision = reader.bits(4), precision < 15,
                reader.skip(5 + (precision + 1) * order)
            else { return false }
            return skipResidual(order: order)
        default: return false
        }
    }

    /// Rice codes in partitions: 9.2.7.
    private mutating func skipResidual(order: Int) -> Bool {
        guard let method = reader.bits(2), method < 2, let partitionOrder = reader.bits(4) else { return false }
        let parameterBits = 4 + method, count = samples >> partitionOrder
        guard count << partitionOrder == samples, count >= order else { return false }
        for partition in 0..<1 << partitionOrder {
            let codes = count - (partition == 0 ? order : 0)
            guard let parameter = reader.bits(parameterBits) else { return false }
            if parameter == 1 << parameterBits - 1 {
                guard let width = reader.bits(5), reader.skip(width * codes) else { return false }
                continue
            }
            for _ in 0..<codes {
                guard reader.zeros() != nil, reader.skip(parameter) else { return false }
            }
        }
        return true
    }
}
