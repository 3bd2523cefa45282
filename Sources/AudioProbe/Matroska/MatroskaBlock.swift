/// The head of a Block or SimpleBlock: RFC 9559, section 10.1.
struct MatroskaBlock {
    let track: Int
    /// Ticks from the Cluster's timestamp.
    let timestamp: Int
    private let lacing: Int
    /// What is behind the head: the frames, and before them their sizes if there are several.
    private let payload: Range<Int>

    /// Nil if the block is too short to have one.
    @inline(__always)
    init?(_ content: Range<Int>, in window: inout ByteWindow) throws(AudioError) {
        guard let number = try EBMLNumber(at: content.lowerBound, in: &window) else { return nil }
        let rest = content.lowerBound + number.length
        guard rest + 3 <= content.upperBound, let word = try window.uint16(at: rest),
            let flags = try window.uint8(at: rest + 2)
        else { return nil }
        track = number.value
        timestamp = Int(Int16(truncatingIfNeeded: word))
        lacing = flags >> 1 & 3
        payload = rest + 3..<content.upperBound
    }

    /// The one frame; nil if there are several.
    var onlyFrame: Range<Int>? { lacing == 0 ? payload : nil }

    /// The frames, at most 256; nil if their sizes contradict that of the block. RFC 9559, section 10.3.
    func lacedFrames(in window: inout ByteWindow) throws(AudioError) -> [Range<Int>]? {
        guard let byte = try window.uint8(at: payload.lowerBound), !payload.isEmpty else { return nil }
        let count = byte + 1
        var position = payload.lowerBound + 1
        var sizes: [Int]?
        switch lacing {
        case 1: sizes = try xiphSizes(count - 1, &position, in: &window)
        case 3: sizes = try ebmlSizes(count - 1, &position, in: &window)
        default:
            let size = (payload.upperBound - position) / count
            // 256 frames that take no bytes would be work without end for a block of 7.
            guard size > 0, size * count == payload.upperBound - position else { return nil }
            sizes = [Int](repeating: size, count: count - 1)
        }
        guard let sizes else { return nil }
        var frames: [Range<Int>] = []
        for size in sizes {
            guard size >= 0, size <= payload.upperBound - position else { return nil }
            frames.append(position..<position + size)
            position += size
        }
        guard position <= payload.upperBound else { return nil }
        // The last has what is left.
        return frames + [position..<payload.upperBound]
    }

    /// Sizes as in Ogg: as many bytes of 255 as there are in it, and the rest.
    private func xiphSizes(_ count: Int, _ position: inout Int, in window: inout ByteWindow) throws(AudioError)
        -> [Int]?
    {
        var sizes: [Int] = [], size = 0
        while sizes.count < count {
            guard position < payload.upperBound, let byte = try window.uint8(at: position) else { return nil }
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
    private func ebmlSizes(_ count: Int, _ position: inout Int, in window: inout ByteWindow) throws(AudioError)
        -> [Int]?
    {
        var sizes: [Int] = []
        while sizes.count < count {
            guard position < payload.upperBound, let number = try EBMLNumber(at: position, in: &window) else {
                return nil
            }
            let size = sizes.last.map { $0 + number.signed } ?? number.value
            guard (0...payload.count).contains(size) else { return nil }
            sizes.append(size)
            position += number.length
        }
        return sizes
    }
}
