import AudioProbe
import MediaPrep

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// libFuzzer's entry for recordings: each container's parser, whichever the content begins like.
///
/// The outcome is always a report or a `MediaError`; anything else is what the sanitizers and the limits catch. The
/// first byte chooses the options. What libsndfile decodes is not searched here: its own project does that.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAudio(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let choice = bytes.first else { return 0 }
    var data = Data(bytes.dropFirst())
    // A file of up to 32 KiB is read at once. Zeros behind it make the buffer move over short inputs, too.
    if choice & 4 != 0 { data.append(Data(count: 33 << 10)) }

    var options = AudioOptions()
    options.isQuick = choice & 1 != 0
    options.allowsTruncated = choice & 2 != 0
    // Small enough that no input can take long by right: what does is then a fault.
    options.limits.elements = 10_000

    let preparer = AudioPreparer(options)
    let report = try? preparer.inspect(data)
    ScratchFile.shared.replaceContent(with: data)
    checkReportsAreEqual(report, try? preparer.inspect(contentsOf: ScratchFile.shared.url))
    if choice & 8 != 0 { checkScanLimit(preparer, data) }
    guard let report else { return 0 }
    check(report, of: data)
    // To prepare what is rejected only inspects it once more.
    if !report.rejectionReasons.isEmpty { return 0 }
    guard let audio = try? preparer.prepare(data), let clean = try? audio.readAllData() else { return 0 }
    // Nothing moved, and blanking leaves nothing to blank.
    precondition(clean.count == data.count)
    if report.verdict == .cleaned, let again = try? preparer.inspect(clean) {
        precondition(!again.recording.metadata.contains { $0.isErasable })
        precondition(again.recording.duration == report.recording.duration)
    }
    return 0
}

/// The file that inputs are probed from: one for all, since to create one for each takes longer than all else.
private struct ScratchFile {
    static let shared = ScratchFile()

    let url = FileManager.default.temporaryDirectory.appending(path: "AudioFuzz-\(getpid())")
    private let descriptor: CInt

    private init() {
        descriptor = open(url.path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        precondition(descriptor >= 0, "no scratch file can be made")
        atexit { unlink(ScratchFile.shared.url.path) }
    }

    /// Replaces its content.
    func replaceContent(with data: Data) {
        precondition(ftruncate(descriptor, 0) == 0)
        data.withUnsafeBytes { precondition(pwrite(descriptor, $0.baseAddress, $0.count, 0) == $0.count) }
    }
}

/// From a file the same comes out as from memory, wherever the buffer moves.
private func checkReportsAreEqual(_ memory: AudioReport?, _ file: AudioReport?) {
    precondition((memory == nil) == (file == nil))
    guard let memory = memory?.recording, let file = file?.recording else { return }
    precondition(memory.tracks == file.tracks && memory.mainTrackIndex == file.mainTrackIndex)
    precondition(memory.completeness == file.completeness && memory.timelineSeconds == file.timelineSeconds)
    precondition(memory.mediaBytes == file.mediaBytes && memory.metadata == file.metadata)
    precondition(memory.warnings == file.warnings)
}

/// Wherever a scan reaches its limit, what comes out is an estimate or an error.
private func checkScanLimit(_ preparer: AudioPreparer, _ data: Data) {
    var preparer = preparer
    preparer.options.limits.scannedBytes = 8 << 10
    guard let report = try? preparer.inspect(contentsOf: ScratchFile.shared.url) else { return }
    check(report, of: data)
    if report.recording.warnings.contains(where: { $0.code == .scanLimit }), let duration = report.recording.duration {
        precondition(duration.method == .estimate && !duration.isExact)
    }
}

private func check(_ report: AudioReport, of data: Data) {
    let recording = report.recording
    precondition(recording.tracks.indices.contains(recording.mainTrackIndex))
    precondition((0...data.count).contains(recording.mediaBytes))
    if case .truncated(let offset) = recording.completeness { precondition((0...data.count).contains(offset)) }
    precondition(recording.metadata.allSatisfy { $0.range.lowerBound >= 0 && $0.range.upperBound <= data.count })
    if let duration = recording.duration { precondition(duration.seconds >= 0 && duration.errorBound >= 0) }
    precondition((recording.duration?.seconds ?? 0) <= 0x1p31)
}
