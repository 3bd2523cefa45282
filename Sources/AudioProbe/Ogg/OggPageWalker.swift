/// Iterates over the pages of a file, and skips bytes between them.
struct OggPageWalker {
    /// The offset of the next unread byte: after the last page, the offset at which that page ends.
    private(set) var nextOffset: Int
    /// The offset at which pages must end.
    let endOffset: Int
    /// The first offset at which bytes belong to no page or a page's checksum is wrong.
    private(set) var damageOffset: Int?
    private let limits: AudioLimits
    /// Bytes that may still be included in checksums of pages that turn out to be invalid.
    private var checksumBudget: Int

    init(from offset: Int, to endOffset: Int, limits: AudioLimits) {
        self.nextOffset = offset
        self.endOffset = endOffset
        self.limits = limits
        checksumBudget = limits.searchBytes
    }

    /// Returns the next complete page, or `nil` if there is none.
    ///
    /// The checksum requires reading the whole page. It is verified only if no other page follows directly, or after
    /// skipped bytes.
    mutating func nextPage(in reader: inout BufferedFileReader) throws(AudioError) -> OggPage? {
        try reader.prefetchBytes(count: OggPage.maxLength + 4, at: nextOffset)
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

    /// Records that the checksum of `page` is wrong, so that the page is not used.
    mutating func recordChecksumFailure(of page: OggPage) { damageOffset = damageOffset ?? page.offset }

    /// Searches at most `searchBytes` for the next page with a valid checksum.
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

    /// Whether some of the bytes after the last page were not searched for further pages.
    var hasUnsearchedRemainder: Bool { checksumBudget <= 0 || endOffset - nextOffset > limits.searchBytes }

    /// Returns whether the remaining bytes begin like a page, so that the file appears to be truncated inside one.
    func endsInsidePage(in reader: inout BufferedFileReader) throws(AudioError) -> Bool {
        let remainder = try reader.bytes(at: nextOffset, count: min(5, endOffset - nextOffset)) ?? []
        return !remainder.isEmpty && "OggS\0".utf8.starts(with: remainder)
    }
}
