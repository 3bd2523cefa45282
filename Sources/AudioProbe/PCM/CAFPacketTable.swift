/// How many bytes and frames each packet has, and how many frames at both ends aren't played: chunk `pakt` of the Core
/// Audio Format specification, "Packet Table Chunk".
struct CAFPacketTable {
    /// Packets, by the header.
    let declaredPacketCount: Int
    /// Frames that are played, by the header.
    let validFrameCount: Int
    /// Frames at the beginning that only set the decoder up, and those at the end that only fill the last packet.
    let primingFrameCount: Int
    let remainderFrameCount: Int
    /// Where the table lies, as far as it is there.
    private let entriesRange: Range<Int>
    /// Whether the file ends inside it.
    private let isTruncated: Bool

    /// What of the packets is there.
    struct PacketSum {
        var packetCount = 0
        var frameCount = 0
        var byteCount = 0
        /// Bytes of the last.
        var lastPacketByteCount = 0
        /// Why it ends before all packets are summed up.
        var stopReason: StopReason?

        enum StopReason: Equatable {
            /// The sound that is there ends before the packet does.
            case audioDataEnded
            /// The file ends inside the table, behind this offset.
            case tableTruncated(Int)
            /// The table lists fewer packets than it says.
            case tableTooShort
        }
    }

    /// - Throws: `damaged`, and what reading throws.
    init(chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError) {
        guard chunk.availableSize >= 24, let packets = try reader.uint64(at: chunk.contentOffset),
            let valid = try reader.uint64(at: chunk.contentOffset + 8),
            let priming = try reader.uint32(at: chunk.contentOffset + 16),
            let remainder = try reader.uint32(at: chunk.contentOffset + 20)
        else {
            throw AudioError(
                .damaged, offset: chunk.startOffset, message: "the pakt chunk is \(chunk.availableSize) bytes long")
        }
        self.declaredPacketCount = Int(clamping: packets)
        validFrameCount = Int(clamping: valid)
        // Signed, and never negative; a large number can't fit any sound and is found out so.
        primingFrameCount = priming
        remainderFrameCount = remainder
        entriesRange = chunk.contentOffset + 24..<chunk.endOffset
        isTruncated = !chunk.isComplete
    }

    /// Adds up the packets that are there, of which each takes a byte of the table at least.
    ///
    /// - Parameter availableByteCount: bytes of sound.
    /// - Throws: `damaged`, and what reading throws.
    func sumPackets(
        audioDescription: CAFAudioDescription, availableByteCount: Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> PacketSum {
        var sum = PacketSum(), offset = entriesRange.lowerBound
        while sum.packetCount < declaredPacketCount {
            let start = offset
            guard
                let bytes = try readPacketValue(constant: audioDescription.bytesPerPacket, at: &offset, in: &reader),
                let frames = try readPacketValue(constant: audioDescription.framesPerPacket, at: &offset, in: &reader)
            else {
                sum.stopReason = isTruncated ? .tableTruncated(start) : .tableTooShort
                break
            }
            guard bytes <= availableByteCount - sum.byteCount else {
                sum.stopReason = .audioDataEnded
                break
            }
            guard let total = sum.frameCount.addingIfNoOverflow(frames) else {
                throw AudioError(
                    .damaged, offset: start, message: "the packet table claims more frames than can be counted")
            }
            // A packet without a byte holds no sound, whatever is said of it.
            if bytes > 0 { sum.frameCount = total }
            sum.byteCount += bytes
            sum.lastPacketByteCount = bytes
            sum.packetCount += 1
        }
        return sum
    }

    /// The next number of the table, unless it is the same for all packets: 7 bits a byte, the highest first, of which
    /// all but the last have their highest bit set.
    private func readPacketValue(
        constant: Int, at offset: inout Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Int? {
        if constant > 0 { return constant }
        var value = 0
        while offset < entriesRange.upperBound, let byte = try reader.uint8(at: offset) {
            guard value < 1 << 55 else {
                throw AudioError(
                    .damaged, offset: offset, message: "the packet table holds a number of more than 62 bits")
            }
            offset += 1
            value = value << 7 | byte & 0x7F
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
