/// The blocks between the marker of a native FLAC stream and its frames: RFC 9639, 8.
struct FLACMetadata {
    let info: FLACStreamInfo
    /// What the blocks tell beside the sound.
    private(set) var items: [Metadata] = []
    /// Where the frames begin; or, if the file ends before, where the block begins that is cut.
    private(set) var end: Int
    /// Whether all blocks are there.
    private(set) var isWhole = false

    /// - Parameter start: where the marker stands.
    /// - Throws: `damaged` if there is no STREAMINFO in front, `limit-exceeded`, and what reading throws.
    init(in window: inout ByteWindow, from start: Int, _ limits: AudioLimits) throws(AudioError) {
        end = start + 4
        guard let header = try window.uint32(at: end), header >> 24 & 0x7F == 0 else {
            throw AudioError(.damaged, offset: end, "the first block is not STREAMINFO")
        }
        let length = min(header & 0xFF_FFFF, FLACStreamInfo.length)
        guard let bytes = try window.bytes(at: end + 4, count: length) else {
            throw AudioError(.damaged, offset: end, "the file ends inside the STREAMINFO block")
        }
        info = try FLACStreamInfo(bytes[...], at: end + 4)
        for _ in 0..<limits.elements {
            guard let header = try window.uint32(at: end) else { return }
            let next = end + 4 + header & 0xFF_FFFF
            if next > window.count { return }
            try take(type: header >> 24 & 0x7F, end..<next, in: &window, limits)
            end = next
            if header >> 31 == 1 {
                isWhole = true
                return
            }
        }
        throw AudioError(.limit, offset: end, "there are more than \(limits.elements) blocks before the sound")
    }

    /// Takes the block in `range`, its header included.
    private mutating func take(
        type: Int, _ range: Range<Int>, in window: inout ByteWindow, _ limits: AudioLimits
    ) throws(AudioError) {
        if type == 127 {
            throw AudioError(.damaged, offset: range.lowerBound, "a block has the type 127, which none may have")
        }
        for kind in try Self.kinds(type: type, in: range, of: &window, limits) { items.note(kind, range) }
    }

    /// What the block in `range`, its header included, tells beside the sound.
    ///
    /// - Throws: only what reading throws.
    static func kinds(
        type: Int, in range: Range<Int>, of window: inout ByteWindow, _ limits: AudioLimits
    ) throws(AudioError) -> [Metadata.Kind] {
        switch type {
        case 2: [.application]
        case 4: try VorbisComment.kinds(in: range.dropFirst(4), of: &window, limits)
        case 6: [.picture]
        default: []
        }
    }
}
