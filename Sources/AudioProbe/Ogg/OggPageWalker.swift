/// The pages of a file one after the other, over what is between them.
struct OggPageWalker {
    /// Where what was not yet looked at begins; after the last page, where that ends.
    private(set) var nextOffset: Int
    /// Where pages end at the latest.
    let endOffset: Int
    /// Where bytes belong to no page, or a page's checksum is wrong.
    private(set) var damageOffset: Int?
    private let limits: AudioLimits
    /// Bytes that may still be summed up in vain.
    private var checksumBudget: Int

    init(from offset: Int, to endOffset: Int, limits: AudioLimits) {
        self.nextOffset = offset
        self.endOffset = endOffset
        self.limits = limits
        checksumBudget = limits.searchBytes
    }

    /// The next page that is whole. Its checksum, for which all of it has to be read, is asked only if no page follows
    /// it, or it doesn't follow one.
    mutating func nextPage(in reader: inout BufferedFileReader) throws(AudioError) -> OggPage? {
        try reader.prefetchBytes(count: OggPage.maximumLength + 4, at: nextOffset)
        if let page = try OggPage(at: nextOffset, before: endOffset, in: &reader) {
            var isAccepted = try reader.uint32(at: page.endOffset) == 0x4F67_6753
            if !isAccepted { isAccepted = try verifyChecksum(of: page, in: &reader) }
            if isAccepted {
                nextOffset = page.endOffset
                return page
            }
        }
        return try resynchronize(in: &reader)
    }

    /// Notes that the checksum of `page` is wrong; it is not to be used.
    mutating func recordChecksumFailure(of page: OggPage) { damageOffset = damageOffset ?? page.offset }

    /// Looks for the next page that is sound, at most `searchBytes` further.
    private mutating func resynchronize(in reader: inout BufferedFileReader) throws(AudioError) -> OggPage? {
        let latest = min(endOffset - OggPage.headerLength, nextOffset + limits.searchBytes)
        var position = nextOffset + 1
        while position <= latest, checksumBudget > 0 {
            if let page = try OggPage(at: position, before: endOffset, in: &reader),
                try verifyChecksum(of: page, in: &reader)
            {
                damageOffset = damageOffset ?? nextOffset
                nextOffset = page.endOffset
                return page
            }
            position += 1
        }
        return nil
    }

    private mutating func verifyChecksum(of page: OggPage, in reader: inout BufferedFileReader) throws(AudioError)
        -> Bool
    {
        if try page.hasValidChecksum(in: &reader) { return true }
        checksumBudget -= page.endOffset - page.offset
        return false
    }

    /// Whether so much follows the last page that not all of it was searched for further ones.
    var hasUnsearchedRemainder: Bool { checksumBudget <= 0 || endOffset - nextOffset > limits.searchBytes }

    /// Whether what is left begins like a page, so that the file seems to be cut inside one.
    func endsInsidePage(in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        let remainder = try reader.bytes(at: nextOffset, count: min(5, endOffset - nextOffset)) ?? []
        return !remainder.isEmpty && "OggS\0".utf8.starts(with: remainder)
    }
}
