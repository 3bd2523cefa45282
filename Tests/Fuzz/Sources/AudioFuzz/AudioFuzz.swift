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

/// The entry point of libFuzzer for audio: the parsers of all containers.
///
/// The result is always a report or a `MediaError`; sanitizers and limits catch anything else. The first byte chooses
/// the options. Decoding by libsndfile is not fuzzed here, but by its own project.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAudio(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let choice = bytes.first else { return 0 }
    var data = Data(bytes.dropFirst())
    // A file of up to 32 KiB is read at once. Appended zeros make the buffer also move over short inputs.
    if choice & 4 != 0 { data.append(Data(count: 33 << 10)) }

    var options = AudioOptions()
    options.isQuick = choice & 1 != 0
    options.allowsTruncated = choice & 2 != 0
    // Small enough that an input that takes long is a fault.
    options.limits.elements = 10_000

    let preparer = AudioPreparer(options)
    let report = try? preparer.inspect(data)
    ScratchFile.shared.replaceContent(with: data)
    checkReportsAreEqual(report, try? preparer.inspect(contentsOf: ScratchFile.shared.url))
    if choice & 8 != 0 { checkScanLimit(preparer, data) }
    guard let report else { return 0 }
    check(report, of: data)
    // Preparing a rejected file would only inspect it again.
    if !report.rejectionReasons.isEmpty { return 0 }
    guard let audio = try? preparer.prepare(data), let clean = try? audio.readAllData() else { return 0 }
    // No byte moved, and no erasable metadata remains.
    precondition(clean.count == data.count)
    if report.verdict == .cleaned, let again = try? preparer.inspect(clean) {
        precondition(!again.recording.metadata.contains { $0.isErasable })
        precondition(again.recording.duration == report.recording.duration)
    }
    return 0
}

/// The file that inputs are probed from. It is reused, because creating a file takes longer than probing.
private struct ScratchFile {
    static let shared = ScratchFile()

    let url = FileManager.default.temporaryDirectory.appending(path: "AudioFuzz-\(getpid())")
    private let descriptor: CInt

    private init() {
        descriptor = open(url.path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        precondition(descriptor >= 0, "the scratch file cannot be created")
        atexit { unlink(ScratchFile.shared.url.path) }
    }

    /// Replaces the content of the file.
    func replaceContent(with data: Data) {
        precondition(ftruncate(descriptor, 0) == 0)
        data.withUnsafeBytes { precondition(pwrite(descriptor, $0.baseAddress, $0.count, 0) == $0.count) }
    }
}

/// Checks that a file gives the same result as memory, wherever the buffer moves.
private func checkReportsAreEqual(_ memory: AudioReport?, _ file: AudioReport?) {
    precondition((memory == nil) == (file == nil))
    guard let memory = memory?.recording, let file = file?.recording else { return }
    precondition(memory.tracks == file.tracks && memory.mainTrackIndex == file.mainTrackIndex)
    precondition(memory.completeness == file.completeness && memory.timelineSeconds == file.timelineSeconds)
    precondition(memory.mediaBytes == file.mediaBytes && memory.metadata == file.metadata)
    precondition(memory.warnings == file.warnings)
}

/// Checks that a scan that reaches its limit gives an estimate or an error.
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
