/// The sizes of packets in bytes and frames, and the frames at both ends that are not played.
///
/// It is the chunk `pakt` of the Core Audio Format specification, "Packet Table Chunk".
struct CAFPacketTable {
    /// The number of packets in the header.
    let declaredPacketCount: Int
    /// The number of frames to play in the header.
    let validFrameCount: Int
    /// Frames at the beginning that only prime the decoder.
    let primingFrameCount: Int
    /// Frames at the end that only fill the last packet.
    let remainderFrameCount: Int
    /// The range of the table's entries in the file.
    private let entriesRange: Range<Int>
    /// Whether the file ends inside the table.
    private let isTruncated: Bool

    /// The totals of the packets that exist.
    struct PacketSum {
        var packetCount = 0
        var frameCount = 0
        var byteCount = 0
        /// Bytes of the last packet.
        var lastPacketByteCount = 0
        /// Why the sum ended before the last packet, or `nil` if it is complete.
        var stopReason: StopReason?

        enum StopReason: Equatable {
            /// The audio data ends before the packet does.
            case audioDataEnded
            /// The file ends inside the table, after this offset.
            case tableTruncated(Int)
            /// The table lists fewer packets than its header states.
            case tableTooShort
        }
    }

    /// Parses the header of a packet table.
    ///
    /// - Throws: ``AudioError/Code/damaged``, and the errors of the reader.
    init(chunk: Chunk, in reader: inout BufferedFileReader) throws(AudioError) {
        guard chunk.availableSize >= 24, let packets = try reader.uint64(at: chunk.contentOffset),
            let valid = try reader.uint64(at: chunk.contentOffset + 8),
            let priming = try reader.uint32(at: chunk.contentOffset + 16),
            let remainder = try reader.uint32(at: chunk.contentOffset + 20)
        else {
            throw AudioError(
                .damaged, offset: chunk.startOffset,
                message: "the 'pakt' chunk is truncated: \(chunk.availableSize) bytes")
        }
        self.declaredPacketCount = Int(clamping: packets)
        validFrameCount = Int(clamping: valid)
        // The fields are signed and never negative. A negative number reads as a large one, which fits no audio and is
        // reported as a contradiction.
        primingFrameCount = priming
        remainderFrameCount = remainder
        entriesRange = chunk.contentOffset + 24..<chunk.endOffset
        isTruncated = !chunk.isComplete
    }

    /// Returns the totals of the packets that exist.
    ///
    /// - Parameters:
    ///   - audioDescription: The description of the audio.
    ///   - availableByteCount: Bytes of audio data in the file.
    ///   - reader: The file.
    /// - Throws: ``AudioError/Code/damaged``, and the errors of the reader.
    /// - Complexity: Linear in the size of the table: each packet occupies at least one byte.
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
                    .damaged, offset: start, message: "the number of frames in the packet table is too large")
            }
            // A packet without bytes contains no audio, whatever the table states.
            if bytes > 0 { sum.frameCount = total }
            sum.byteCount += bytes
            sum.lastPacketByteCount = bytes
            sum.packetCount += 1
        }
        return sum
    }

    /// Returns the next number of the table, or `constant` if it is the same for all packets.
    ///
    /// Each byte contains 7 bits, the most significant first. All bytes but the last have the highest bit set.
    private func readPacketValue(
        constant: Int, at offset: inout Int, in reader: inout BufferedFileReader
    ) throws(AudioError) -> Int? {
        if constant > 0 { return constant }
        var value = 0
        while offset < entriesRange.upperBound, let byte = try reader.uint8(at: offset) {
            guard value < 1 << 55 else {
                throw AudioError(
                    .damaged, offset: offset, message: "a number in the packet table is too large (at most 62 bits)")
            }
            offset += 1
            value = value << 7 | byte & 0x7F
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
