/// The header of a Block or SimpleBlock: RFC 9559, section 10.1.
struct MatroskaBlock {
    let trackNumber: Int
    /// Ticks since the Cluster's timestamp.
    let relativeTimestamp: Int
    private let lacingMode: Int
    /// The bytes after the header: the frames, preceded by their sizes if there are several.
    private let payloadRange: Range<Int>

    /// Reads the header of a block. Returns `nil` if the block is too short.
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

    /// The only frame, or `nil` if the block uses lacing.
    var unlacedFrame: Range<Int>? { lacingMode == 0 ? payloadRange : nil }

    /// Returns the frames of a block with lacing, at most 256: RFC 9559, section 10.3.
    ///
    /// - Returns: `nil` if the sizes contradict the size of the block.
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
            // Otherwise, a block of 7 bytes could contain 256 empty frames.
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
        // The last frame occupies the remaining bytes.
        return frames + [position..<payloadRange.upperBound]
    }

    /// Reads sizes as in Ogg: the sum of bytes of 255 and one smaller byte.
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

    /// Reads the first size as a number, and each further size as the difference from the previous one.
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
