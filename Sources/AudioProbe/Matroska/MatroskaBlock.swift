/// The head of a Block or SimpleBlock: RFC 9559, section 10.1.
struct MatroskaBlock {
    let trackNumber: Int
    /// Ticks from the Cluster's timestamp.
    let relativeTimestamp: Int
    private let lacingMode: Int
    /// What is behind the head: the frames, and before them their sizes if there are several.
    private let payloadRange: Range<Int>

    /// Nil if the block is too short to have one.
    @inline(__always)
    init?(contentRange content: Range<Int>, in reader: inout BufferedFileReader) throws(AudioError) {
        guard let number = try EBMLVariableInteger(at: content.lowerBound, in: &reader) else { return nil }
        let timestampOffset = content.lowerBound + number.encodedLength
        guard timestampOffset + 3 <= content.upperBound, let timestampBits = try reader.uint16(at: timestampOffset),
            let flags = try reader.uint8(at: timestampOffset + 2)
        else { return nil }
        trackNumber = number.value
        relativeTimestamp = Int(Int16(truncatingIfNeeded: timestampBits))
        lacingMode = flags >> 1 & 3
        payloadRange = timestampOffset + 3..<content.upperBound
    }

    /// The one frame; nil if there are several.
    var unlacedFrame: Range<Int>? { lacingMode == 0 ? payloadRange : nil }

    /// The frames, at most 256; nil if their sizes contradict that of the block. RFC 9559, section 10.3.
    func lacedFrames(in reader: inout BufferedFileReader) throws(AudioError) -> [Range<Int>]? {
        guard let byte = try reader.uint8(at: payloadRange.lowerBound), !payloadRange.isEmpty else { return nil }
        let count = byte + 1
        var position = payloadRange.lowerBound + 1
        var sizes: [Int]?
        switch lacingMode {
        case 1: sizes = try readXiphLacingSizes(count: count - 1, position: &position, in: &reader)
        case 3: sizes = try readEBMLLacingSizes(count: count - 1, position: &position, in: &reader)
        default:
            let size = (payloadRange.upperBound - position) / count
            // 256 frames that take no bytes would be work without end for a block of 7.
            guard size > 0, size * count == payloadRange.upperBound - position else { return nil }
            sizes = [Int](repeating: size, count: count - 1)
        }
        guard let sizes else { return nil }
        var frames: [Range<Int>] = []
        for size in sizes {
            guard size >= 0, size <= payloadRange.upperBound - position else { return nil }
            frames.append(position..<position + size)
            position += size
        }
        guard position <= payloadRange.upperBound else { return nil }
        // The last has what is left.
        return frames + [position..<payloadRange.upperBound]
    }

    /// Sizes as in Ogg: as many bytes of 255 as there are in it, and the rest.
    private func readXiphLacingSizes(count: Int, position: inout Int, in reader: inout BufferedFileReader)
        throws(AudioError)
        -> [Int]?
    {
        var sizes: [Int] = [], size = 0
        while sizes.count < count {
            guard position < payloadRange.upperBound, let byte = try reader.uint8(at: position) else { return nil }
            position += 1
            size += byte
            if byte < 255 {
                sizes.append(size)
                size = 0
            }
        }
        return sizes
    }

    /// The first size is a number, each further one the difference from that before.
    private func readEBMLLacingSizes(count: Int, position: inout Int, in reader: inout BufferedFileReader)
        throws(AudioError)
        -> [Int]?
    {
        var sizes: [Int] = []
        while sizes.count < count {
            guard position < payloadRange.upperBound, let number = try EBMLVariableInteger(at: position, in: &reader)
            else {
                return nil
            }
            let size = sizes.last.map { $0 + number.signedLacingDifference } ?? number.value
            guard (0...payloadRange.count).contains(size) else { return nil }
            sizes.append(size)
            position += number.encodedLength
        }
        return sizes
    }
}
