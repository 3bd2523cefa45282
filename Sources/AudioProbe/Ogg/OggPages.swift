/// The pages of a file one after the other, over what is between them.
struct OggPages {
    /// Where what was not yet looked at begins; after the last page, where that ends.
    private(set) var offset: Int
    /// Where pages end at the latest.
    let end: Int
    /// Where bytes belong to no page, or a page's checksum is wrong.
    private(set) var damage: Int?
    private let limits: AudioLimits
    /// Bytes that may still be summed up in vain.
    private var patience: Int

    init(from offset: Int, to end: Int, _ limits: AudioLimits) {
        self.offset = offset
        self.end = end
        self.limits = limits
        patience = limits.searchBytes
    }

    /// The next page that is whole. Its checksum, for which all of it has to be read, is asked only if no page follows
    /// it, or it doesn't follow one.
    mutating func next(in window: inout ByteWindow) throws(AudioError) -> OggPage? {
        try window.hold(OggPage.longest + 4, at: offset)
        if let page = try OggPage(at: offset, before: end, in: &window) {
            var isBelieved = try window.uint32(at: page.end) == 0x4F67_6753
            if !isBelieved { isBelieved = try isSound(page, in: &window) }
            if isBelieved {
                offset = page.end
                return page
            }
        }
        return try resume(in: &window)
    }

    /// Notes that the checksum of `page` is wrong; it is not to be used.
    mutating func reject(_ page: OggPage) { damage = damage ?? page.offset }

    /// Looks for the next page that is sound, at most `searchBytes` further.
    private mutating func resume(in window: inout ByteWindow) throws(AudioError) -> OggPage? {
        let latest = min(end - OggPage.headerLength, offset + limits.searchBytes)
        var position = offset + 1
        while position <= latest, patience > 0 {
            if let page = try OggPage(at: position, before: end, in: &window), try isSound(page, in: &window) {
                damage = damage ?? offset
                offset = page.end
                return page
            }
            position += 1
        }
        return nil
    }

    private mutating func isSound(_ page: OggPage, in window: inout ByteWindow) throws(AudioError) -> Bool {
        if try page.isSound(in: &window) { return true }
        patience -= page.end - page.offset
        return false
    }

    /// Whether so much follows the last page that not all of it was searched for further ones.
    var hasUnsearchedRest: Bool { patience <= 0 || end - offset > limits.searchBytes }

    /// Whether what is left begins like a page, so that the file seems to be cut inside one.
    func isCut(in window: inout ByteWindow) throws(AudioError) -> Bool {
        let rest = try window.bytes(at: offset, count: min(5, end - offset)) ?? []
        return !rest.isEmpty && "OggS\0".utf8.starts(with: rest)
    }
}
