/// How many bytes and frames each packet has, and how many frames at both ends aren't played: chunk `pakt` of the Core
/// Audio Format specification, "Packet Table Chunk".
struct CAFPacketTable {
    /// Packets, by the header.
    let packets: Int
    /// Frames that are played, by the header.
    let validFrames: Int
    /// Frames at the beginning that only set the decoder up, and those at the end that only fill the last packet.
    let primingFrames: Int
    let remainderFrames: Int
    /// Where the table lies, as far as it is there.
    private let entries: Range<Int>
    /// Whether the file ends inside it.
    private let isCut: Bool

    /// What of the packets is there.
    struct Sum {
        var packets = 0
        var frames = 0
        var bytes = 0
        /// Bytes of the last.
        var last = 0
        /// Why it ends before all packets are summed up.
        var ending: Ending?

        enum Ending: Equatable {
            /// The sound that is there ends before the packet does.
            case sound
            /// The file ends inside the table, behind this offset.
            case table(Int)
            /// The table lists fewer packets than it says.
            case short
        }
    }

    /// - Throws: `damaged`, and what reading throws.
    init(_ chunk: Chunk, in window: inout ByteWindow) throws(AudioError) {
        guard chunk.count >= 24, let packets = try window.uint64(at: chunk.body),
            let valid = try window.uint64(at: chunk.body + 8), let priming = try window.uint32(at: chunk.body + 16),
            let remainder = try window.uint32(at: chunk.body + 20)
        else { throw AudioError(.damaged, offset: chunk.start, "the pakt chunk is \(chunk.count) bytes long") }
        self.packets = Int(clamping: packets)
        validFrames = Int(clamping: valid)
        // Signed, and never negative; a large number can't fit any sound and is found out so.
        primingFrames = priming
        remainderFrames = remainder
        entries = chunk.body + 24..<chunk.end
        isCut = !chunk.isWhole
    }

    /// Adds up the packets that are there, of which each takes a byte of the table at least.
    ///
    /// - Parameter there: bytes of sound.
    /// - Throws: `damaged`, and what reading throws.
    func sum(
        _ description: CAFDescription, there: Int, in window: inout ByteWindow
    ) throws(AudioError) -> Sum {
        var sum = Sum(), offset = entries.lowerBound
        while sum.packets < packets {
            let start = offset
            guard
                let bytes = try number(description.packetBytes, at: &offset, in: &window),
                let frames = try number(description.packetFrames, at: &offset, in: &window)
            else {
                sum.ending = isCut ? .table(start) : .short
                break
            }
            guard bytes <= there - sum.bytes else {
                sum.ending = .sound
                break
            }
            guard let total = sum.frames.adding(frames) else {
                throw AudioError(.damaged, offset: start, "the packet table claims more frames than can be counted")
            }
            // A packet without a byte holds no sound, whatever is said of it.
            if bytes > 0 { sum.frames = total }
            sum.bytes += bytes
            sum.last = bytes
            sum.packets += 1
        }
        return sum
    }

    /// The next number of the table, unless it is the same for all packets: 7 bits a byte, the highest first, of which
    /// all but the last have their highest bit set.
    private func number(
        _ constant: Int, at offset: inout Int, in window: inout ByteWindow
    ) throws(AudioError) -> Int? {
        if constant > 0 { return constant }
        var value = 0
        while offset < entries.upperBound, let byte = try window.uint8(at: offset) {
            guard value < 1 << 55 else {
                throw AudioError(.damaged, offset: offset, "the packet table holds a number of more than 62 bits")
            }
            offset += 1
            value = value << 7 | byte & 0x7F
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
