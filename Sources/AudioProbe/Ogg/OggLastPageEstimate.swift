/// Estimates the duration from the granule position of the last page.
enum OggLastPageEstimate {
    /// Bytes that are read at once when searching backwards.
    private static let backwardSearchStep = 64 << 10

    /// Returns a result with an estimated duration.
    ///
    /// - Returns: `nil` if the last pages belong to another link than the first, or if there are none.
    static func estimatedRecording(
        in reader: inout BufferedFileReader, range: Range<Int>, limits: AudioLimits
    ) throws(AudioError) -> Recording? {
        var pages = OggPageWalker(from: range.lowerBound, to: range.upperBound, limits: limits), link = OggLink()
        while link.mainStream?.timeline.startGranulePosition == nil {
            guard pages.nextOffset - range.lowerBound < limits.headerBytes, let page = try pages.nextPage(in: &reader),
                !page.beginsStream || !link.hasDataPages
            else { return nil }
            if page.beginsStream {
                try link.beginStream(firstPage: page, in: &reader, limits: limits)
            } else if try !link.appendPageIfValid(page, in: &reader, limits: limits) {
                return nil
            }
        }
        guard let stream = link.mainStream, let start = stream.timeline.startGranulePosition,
            let last = try lastPage(of: link, range: range, in: &reader, limits: limits),
            let granule = last.granulePosition
        else { return nil }
        var recording = Recording(
            container: .ogg, tracks: link.tracks, mainTrackIndex: link.mainTrackIndex,
            mediaBytes: last.endOffset - range.lowerBound,
            completeness: last.endsStream ? .complete : .truncated(offset: last.endOffset))
        recording.tracks[link.mainTrackIndex].duration = .unverified(
            ticks: max(0, granule - start - stream.codecMapping.preSkip), timescale: stream.codecMapping.timescale)
        recording.hasVideo = link.tracks.contains { $0.kind == .video }
        recording.metadata = stream.metadataItems
        return recording
    }

    /// Returns the last page of the link's main stream with a granule position, or `nil` if a page of another link
    /// follows.
    private static func lastPage(
        of link: OggLink, range: Range<Int>, in reader: inout BufferedFileReader, limits: AudioLimits
    ) throws(AudioError) -> OggPage? {
        var upper = range.upperBound, checksumBudget = limits.searchBytes
        while upper > range.lowerBound, range.upperBound - upper < limits.searchBytes {
            let lower = max(range.lowerBound, upper - backwardSearchStep)
            let bytes = try reader.bytes(at: lower, count: upper - lower) ?? []
            for index in bytes.indices.reversed() where bytes[index] == UInt8(ascii: "O") {
                guard let page = try OggPage(at: lower + index, before: range.upperBound, in: &reader) else { continue }
                if page.serialNumber == link.mainStream?.serialNumber, page.granulePosition != nil,
                    try page.hasValidChecksum(in: &reader)
                {
                    return page
                }
                if !link.serialNumbers.contains(page.serialNumber) { return nil }
                checksumBudget -= page.endOffset - page.offset
                if checksumBudget < 0 { return nil }
            }
            upper = lower
        }
        return nil
    }
}
