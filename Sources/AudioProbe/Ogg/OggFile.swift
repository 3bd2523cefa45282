/// Ogg, RFC 3533: pages of several streams, whose packets are counted. Granule positions say where a stream begins and
/// what is left out at its ends; the seconds are those of the packets that are there.
enum OggFile {
    /// The recording that the file is.
    ///
    /// - Throws: `damaged`, `unsupported-...`, `video-only`, `no-audio-track`, `limit-exceeded`, and what reading throws.
    static func recording(in window: inout ByteWindow, _ options: ProbeOptions) throws(AudioError) -> Recording {
        let start = try LeadingTags.end(in: &window)
        let end = try TrailingTags(in: &window, notBefore: start).start
        if options.isQuick, let quick = try OggLastPage.recording(in: &window, start..<end, options.limits) {
            return quick
        }
        var pages = OggPages(from: start, to: end, options.limits), chain = OggChain()
        while let page = try pages.next(in: &window) {
            if try !chain.take(page, in: &window, options.limits) { pages.reject(page) }
        }
        chain.close()
        guard let link = chain.first else { throw chain.link.refusal(at: start) }

        var recording = Recording(
            .ogg, tracks: link.tracks, main: link.mainIndex, mediaBytes: chain.mediaBytes, completeness: .complete)
        recording.hasVideo = chain.hasVideo
        let sum = chain.duration
        recording.tracks[link.mainIndex].duration = AudioDuration(
            ticks: sum.ticks, timescale: sum.timescale, method: .scan, errorBound: sum.errorBound)
        recording.metadata = chain.metadata
        recording.warnings = chain.warnings
        if chain.warnings.contains(where: { $0.code == .timelineGap }) {
            recording.timelineSeconds = chain.timelineSeconds
        }
        try judge(&recording, chain, pages, in: &window)
        try recording.carryTags(before: start, from: end, in: &window)
        return recording
    }

    /// Whether all is there, and nothing else.
    private static func judge(
        _ recording: inout Recording, _ chain: OggChain, _ pages: OggPages, in window: inout ByteWindow
    ) throws(AudioError) {
        if let damage = pages.damage {
            recording.warn(.damagedFrames, offset: damage, "bytes belong to no page, or a page's checksum is wrong")
        }
        let isFinished = chain.link.main?.isFinished ?? true
        let mayGoOn = !isFinished && pages.hasUnsearchedRest
        if try pages.isCut(in: &window) || mayGoOn || !isFinished && !chain.hasSound {
            recording.completeness = .truncated(offset: pages.offset)
            return
        }
        // All pages are whole, and what was captured from a broadcast never has a last one: nothing is known to be missing.
        if !isFinished {
            recording.warn(
                .noEndMark, offset: pages.offset, "no page is marked as the last: more may have been recorded")
        }
        if !chain.hasSound { recording.completeness = .empty }
        if pages.offset < pages.end {
            let rest = pages.end - pages.offset
            recording.warn(.trailingBytes, offset: pages.offset, "\(rest) bytes follow the last page")
        }
    }
}
