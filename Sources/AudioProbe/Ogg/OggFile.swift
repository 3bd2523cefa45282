internal import Diagnostics

/// Probes Ogg files, RFC 3533, by counting the packets in the pages of their streams.
///
/// Granule positions determine where a stream begins and what is discarded at its ends. The duration is that of the
/// packets that exist.
enum OggFile {
    /// Probes an Ogg file.
    ///
    /// - Throws: ``AudioError/Code/damaged``, `unsupported-…`, ``AudioError/Code/videoOnly``,
    ///   ``AudioError/Code/noAudioTrack``, ``AudioError/Code/limitExceeded``, and the errors of the reader.
    static func probe(
        in reader: inout BufferedFileReader, from start: Int, options: ProbeOptions
    ) throws(AudioError) -> Recording {
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

    /// Sets the completeness of a result, and adds warnings about other bytes.
    private static func setCompleteness(
        of recording: inout Recording, chain: OggChain, pages: OggPageWalker, in reader: inout BufferedFileReader
    ) throws(AudioError) {
        if let damage = pages.damageOffset {
            recording.addWarning(
                .damagedFrames, offset: damage,
                message: "unrecognized bytes between pages, or a page with a wrong checksum")
        }
        if let offset = chain.uncountedLinkOffset {
            recording.completeness = .truncated(offset: offset)
            return
        }
        let isFinished = chain.currentLink.mainStream?.isFinished ?? true
        let mayContinue = !isFinished && pages.hasUnsearchedRemainder
        if try pages.endsInsidePage(in: &reader) || mayContinue || !isFinished && !chain.hasAudio {
            recording.completeness = .truncated(offset: pages.nextOffset)
            return
        }
        // All pages are complete. A captured broadcast has no last page, so nothing is known to be missing.
        if !isFinished {
            recording.addWarning(
                .noEndMark, offset: pages.nextOffset,
                message: "no page is marked as the last; the end may be missing")
        }
        if !chain.hasAudio { recording.completeness = .noAudioFrames }
        if pages.nextOffset < pages.endOffset {
            let trailingByteCount = pages.endOffset - pages.nextOffset
            recording.addWarning(
                .trailingBytes, offset: pages.nextOffset, message: "\(trailingByteCount) bytes follow the last page")
        }
    }
}
