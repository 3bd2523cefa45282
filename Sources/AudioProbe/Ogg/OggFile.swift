/// Ogg, RFC 3533: pages of several streams, whose packets are counted. Granule positions say where a stream begins and
/// what is left out at its ends; the seconds are those of the packets that are there.
enum OggFile {
    /// The recording that the file is.
    ///
    /// - Throws: `damaged`, `unsupported-...`, `video-only`, `no-audio-track`, `limit-exceeded`, and what reading
    ///   throws.
    static func probe(in reader: inout BufferedFileReader, options: ProbeOptions) throws(AudioError) -> Recording {
        let start = try LeadingTags.endOffset(in: &reader)
        let end = try TrailingTags(in: &reader, notBefore: start).startOffset
        if options.isQuick,
            let quick = try OggLastPageEstimate.estimatedRecording(
                in: &reader, range: start..<end, limits: options.limits)
        {
            return quick
        }
        var pages = OggPageWalker(from: start, to: end, limits: options.limits), chain = OggChain()
        while let page = try pages.nextPage(in: &reader) {
            if try !chain.appendPageIfValid(page, in: &reader, limits: options.limits) {
                pages.recordChecksumFailure(of: page)
            }
        }
        chain.closeCurrentLink()
        guard let link = chain.firstAudioLink else { throw chain.currentLink.missingAudioError(at: start) }

        var recording = Recording(
            container: .ogg, tracks: link.tracks, mainTrackIndex: link.mainTrackIndex, mediaBytes: chain.mediaBytes,
            completeness: .complete)
        recording.hasVideo = chain.hasVideo
        let sum = chain.duration
        recording.tracks[link.mainTrackIndex].duration = AudioDuration(
            ticks: sum.ticks, timescale: sum.timescale, method: .scan, errorBound: sum.errorBound)
        recording.metadata = chain.metadataItems
        recording.warnings = chain.warnings
        if chain.warnings.contains(where: { $0.code == .timelineGap }) {
            recording.timelineSeconds = chain.timelineSeconds
        }
        try setCompleteness(of: &recording, chain: chain, pages: pages, in: &reader)
        try recording.appendTagMetadata(before: start, after: end, in: &reader)
        return recording
    }

    /// Whether all is there, and nothing else.
    private static func setCompleteness(
        of recording: inout Recording, chain: OggChain, pages: OggPageWalker, in reader: inout BufferedFileReader
    ) throws(AudioError) {
        if let damage = pages.damageOffset {
            recording.addWarning(
                .damagedFrames, offset: damage, message: "bytes belong to no page, or a page's checksum is wrong")
        }
        let isFinished = chain.currentLink.mainStream?.isFinished ?? true
        let mayContinue = !isFinished && pages.hasUnsearchedRemainder
        if try pages.endsInsidePage(in: &reader) || mayContinue || !isFinished && !chain.hasAudio {
            recording.completeness = .truncated(offset: pages.nextOffset)
            return
        }
        // All pages are whole, and what was captured from a broadcast never has a last one: nothing is known to be
        // missing.
        if !isFinished {
            recording.addWarning(
                .noEndMark, offset: pages.nextOffset,
                message: "no page is marked as the last: more may have been recorded")
        }
        if !chain.hasAudio { recording.completeness = .noAudioFrames }
        if pages.nextOffset < pages.endOffset {
            let trailingByteCount = pages.endOffset - pages.nextOffset
            recording.addWarning(
                .trailingBytes, offset: pages.nextOffset, message: "\(trailingByteCount) bytes follow the last page")
        }
    }
}
