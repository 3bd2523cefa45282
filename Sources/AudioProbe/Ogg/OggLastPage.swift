/// The quick answer: where the last page says that it ends, less where the first begins.
enum OggLastPage {
    /// Bytes that are searched together, from the end backwards.
    private static let step = 64 << 10

    /// Nil if the last pages aren't those of the first link, or there are none.
    static func recording(
        in window: inout ByteWindow, _ range: Range<Int>, _ limits: AudioLimits
    ) throws(AudioError) -> Recording? {
        var pages = OggPages(from: range.lowerBound, to: range.upperBound, limits), link = OggLink()
        while link.main?.timeline.start == nil {
            guard pages.offset - range.lowerBound < limits.headerBytes, let page = try pages.next(in: &window),
                !page.isFirst || !link.hasBegun
            else { return nil }
            if page.isFirst {
                try link.begin(page, in: &window, limits)
            } else if try !link.take(page, in: &window, limits) {
                return nil
            }
        }
        guard let stream = link.main, let start = stream.timeline.start,
            let last = try last(of: link, range, in: &window, limits), let granule = last.granule
        else { return nil }
        var recording = Recording(
            .ogg, tracks: link.tracks, main: link.mainIndex, mediaBytes: last.end - range.lowerBound,
            completeness: last.isLast ? .complete : .truncated(offset: last.end))
        recording.tracks[link.mainIndex].duration = .believed(
            ticks: max(0, granule - start - stream.mapping.preSkip), timescale: stream.mapping.timescale)
        recording.hasVideo = link.tracks.contains { $0.kind == .video }
        recording.metadata = stream.metadata
        return recording
    }

    /// The last page of the link's main stream that has a position; nil if there is a later one of another link.
    private static func last(
        of link: OggLink, _ range: Range<Int>, in window: inout ByteWindow, _ limits: AudioLimits
    ) throws(AudioError) -> OggPage? {
        var upper = range.upperBound, patience = limits.searchBytes
        while upper > range.lowerBound, range.upperBound - upper < limits.searchBytes {
            let lower = max(range.lowerBound, upper - step)
            let bytes = try window.bytes(at: lower, count: upper - lower) ?? []
            for index in bytes.indices.reversed() where bytes[index] == UInt8(ascii: "O") {
                guard let page = try OggPage(at: lower + index, before: range.upperBound, in: &window) else { continue }
                if page.serial == link.main?.serial, page.granule != nil, try page.isSound(in: &window) { return page }
                if !link.serials.contains(page.serial) { return nil }
                patience -= page.end - page.offset
                if patience < 0 { return nil }
            }
            upper = lower
        }
        return nil
    }
}
