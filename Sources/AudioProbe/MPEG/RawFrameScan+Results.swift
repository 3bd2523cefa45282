internal import Diagnostics

extension RawFrameScan {
    /// The segments of each joined stream.
    var streamSegmentRanges: [Range<Int>] {
        let starts = [0] + segments.indices.dropFirst().filter { segments[$0].beginsStream }
        return zip(starts, starts.dropFirst() + [segments.count]).map { $0..<$1 }
    }

    /// Returns the total duration of the segments.
    ///
    /// - Parameter sampleCountPerSegment: The samples to count of each segment.
    func totalDuration(sampleCountPerSegment: [Int]) -> DurationSum {
        var sum = DurationSum()
        for (segment, count) in zip(segments, sampleCountPerSegment) where segment.frameCount > 0 {
            sum.add(ticks: count, timescale: segment.sampleRate)
        }
        // An empty sum needs the timescale of the stream too.
        if sum.ticks == 0 { sum.add(ticks: 0, timescale: format.sampleRate) }
        return sum
    }

    /// Returns the greatest error of the total duration in seconds.
    ///
    /// Players differ in whether they play the frame before a gap. Bytes that were not searched may contain as much
    /// audio as the bytes before them.
    func durationErrorBound(samplesPerFrame: Int) -> Double {
        let lostSeconds = Double(garbageRegionCount * samplesPerFrame) / Double(format.sampleRate)
        if unsearchedByteCount == 0 { return lostSeconds }
        let seconds = segments.reduce(0) { $0 + Double($1.sampleCount) / Double($1.sampleRate) }
        return lostSeconds + Double(unsearchedByteCount) * seconds / Double(max(1, mediaBytes))
    }

    /// Adds the warnings about bytes that belong to no frame, and the completeness.
    func addWarningsAndCompleteness(to recording: inout Recording) {
        if let truncationOffset { recording.completeness = .truncated(offset: truncationOffset) }
        // More of the stream may follow the part that was searched.
        if unsearchedByteCount > 0, let trailingBytesOffset {
            recording.completeness = .truncated(offset: trailingBytesOffset)
        }
        if let scanLimitOffset {
            recording.extrapolateDuration(
                fromScannedBytes: mediaBytes, toTotalBytes: endOffset - startOffset, scanEnd: scanLimitOffset)
        }
        if let firstGarbageOffset {
            let places = garbageRegionCount == 1 ? "one place" : "\(garbageRegionCount) places"
            recording.addWarning(
                .damagedFrames, offset: firstGarbageOffset,
                message: "unrecognized bytes between frames, in \(places)")
        }
        if let trailingBytesOffset {
            recording.addWarning(
                .trailingBytes, offset: trailingBytesOffset,
                message: "\(endOffset - trailingBytesOffset) bytes after the last frame are not a tag")
        }
        if let lastJoinedStreamOffset {
            recording.addWarning(
                .chainedRecordings, offset: lastJoinedStreamOffset,
                message: "the file consists of several joined streams; the duration is their sum")
        }
    }
}
