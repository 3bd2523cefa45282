import AudioProbe
import FoundationEssentials
import MediaPrep

/// libFuzzer's entry for recordings: each container's parser, whichever the content begins like.
///
/// The outcome is always a report or a `MediaError`; anything else is what the sanitizers and the limits catch. The first byte
/// chooses the options. What libsndfile decodes is not searched here: its own project does that.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAudio(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let choice = bytes.first else { return 0 }
    let data = Data(bytes.dropFirst())

    var options = AudioOptions()
    options.isQuick = choice & 1 != 0
    options.allowsTruncated = choice & 2 != 0
    // Small enough that no input can take long by right: what does is then a fault.
    options.limits.elements = 10_000

    let preparer = AudioPreparer(options)
    guard let report = try? preparer.inspect(data) else { return 0 }
    check(report, of: data)
    guard let audio = try? preparer.prepare(data), let clean = try? audio.data() else { return 0 }
    // Nothing moved, and blanking leaves nothing to blank.
    precondition(clean.count == data.count)
    if report.verdict == .cleaned, let again = try? preparer.inspect(clean) {
        precondition(!again.recording.metadata.contains { $0.isErasable })
        precondition(again.recording.duration == report.recording.duration)
    }
    return 0
}

private func check(_ report: AudioReport, of data: Data) {
    let recording = report.recording
    precondition(recording.tracks.indices.contains(recording.mainTrackIndex))
    precondition((0...data.count).contains(recording.mediaBytes))
    if case .truncated(let offset) = recording.completeness { precondition((0...data.count).contains(offset)) }
    precondition(recording.metadata.allSatisfy { $0.range.lowerBound >= 0 && $0.range.upperBound <= data.count })
    if let duration = recording.duration { precondition(duration.seconds >= 0 && duration.errorBound >= 0) }
}
