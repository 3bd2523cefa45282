import AudioProbe
import Foundation
import TestSupport
import Testing

private typealias M = MatroskaBuilder

/// The beginnings of files in every container, with audio that extends to the end of the file.
private enum ContainerHeads {
    typealias Head = (name: String, bytes: [UInt8])

    static let all: [Head] = uncompressed + streams + media
    private static let uncompressed: [Head] = [
        ("wav", wave("RIFF")), ("rifx", wave("RIFX")), ("rf64", wave("RF64")), ("bw64", wave("BW64")),
        ("wav with mp3", wave("RIFF", tag: 0x55)), ("wav with adpcm", wave("RIFF", tag: 0x11)),
        ("wav at 1 Hz", wave("RIFF", rate: 1)), ("w64", wave64), ("aiff", aiff(nil)), ("aifc", aiff("ima4")),
        ("au", AUTests.makeFile(size: 0xFFFF_FFFF)), ("au of 3 bits", AUTests.makeFile(encoding: 25, rate: 1, size: 0)),
        ("caf", caf), ("caf with a table", listedCAF),
    ]
    private static let streams: [Head] = [
        ("flac", FLACBuilder(frameCount: 20).bytes),
        ("ogg opus", OggBuilder.makeOpusStream(pages: 3, isEnded: false).bytes),
        ("ogg vorbis", OggBuilder.makeVorbisStream(pages: 3).bytes),
        ("mp3", buildMPEGAudio { $0.appendFrames(count: 5) }),
        (
            "mp3 with a header",
            buildMPEGAudio {
                $0.appendXingFrame(frames: 5); $0.appendFrames(count: 5)
            }
        ), ("adts", buildMPEGAudio { $0.appendADTSFrames(9) }),
        ("amr", Array("#!AMR\n".utf8) + [0x3C] + [UInt8](repeating: 0xFF, count: 31)),
        ("amr-wb", Array("#!AMR-WB\n".utf8) + [0x44] + [UInt8](repeating: 0xFF, count: 60)),
    ]
    private static let media: [Head] = [
        ("webm", M.makeOpusFile(50, duration: 1000)), ("live webm", M.makeOpusFile(50, isUnsized: true)),
        ("matroska, then a Void of all", endlessVoid), ("m4a", movie("M4A ", size: 0)), ("mp4", movie("isom", size: 0)),
        ("mov", movie("qt  ", size: 0)), ("3gp", movie("3gp4", size: 0)),
        ("mp4, 64-bit size", movie("isom", size: nil)),
        ("fragmented mp4", fragmented),
    ]

    private static func wave(_ magic: String, tag: Int = 1, rate: Int = 8000) -> [UInt8] {
        var file = WaveBuilder(magic: magic)
        if magic.hasSuffix("64") { file.appendDS64Chunk(data: .max) }
        file.appendFormatChunk(
            tag: tag, rate: rate, byteRate: 2 * rate, align: tag == 0x11 ? 256 : nil,
            bits: tag == 1 ? 16 : tag == 0x11 ? 4 : 0)
        file.appendDataChunk(byteCount: 40, declaredSize: 0xFFFF_FFFF)
        return file.encoded(declaredSize: 0xFFFF_FFFF)
    }
    private static var wave64: [UInt8] {
        var file = Wave64Builder()
        file.appendFormatChunk()
        file.appendChunk("data", content: WaveBuilder.noiseBytes(count: 40), declaredSize: .max)
        return file.file.bytes
    }
    private static func aiff(_ type: String?) -> [UInt8] {
        var file = AIFFBuilder(type: type)
        file.appendCommonChunk(frames: 0xFFFF_FFFF)
        file.appendSoundDataChunk(byteCount: 68, declaredSize: 0xFFFF_FFFF)
        return file.bytes
    }
    private static var caf: [UInt8] {
        var file = CAFBuilder()
        file.appendDescriptionChunk(rate: 8000.5)
        file.appendDataChunk(byteCount: 40, declaredSize: -1)
        return file.bytes
    }
    private static var listedCAF: [UInt8] {
        var file = CAFBuilder()
        file.appendDescriptionChunk("aac ", bytes: 0, frames: 1024)
        file.appendPacketTableChunk([1 << 55, 1 << 55], count: 1 << 55, valid: .max)
        file.appendDataChunk(byteCount: 40, declaredSize: -1)
        return file.bytes
    }
    private static var endlessVoid: [UInt8] {
        M.ebmlHeader() + M.elementHeader(id: 0x1853_8067, size: 1 << 55) + M.info() + M.tracks(M.opusTrack())
            + M.cluster(0, M.opusBlocks(5)) + M.elementHeader(id: 0xEC, size: 1 << 54)
    }
    /// A movie with an `mdat` box that extends to the end of the file, or has 2^55 bytes.
    private static func movie(_ brand: String, size: Int?) -> [UInt8] {
        var file = MP4Builder()
        file.brand = brand
        file.hasLongMediaSize = size == nil
        file.mediaSize = size ?? 1 << 55
        return file.bytes()
    }
    private static var fragmented: [UInt8] {
        var file = MP4Builder()
        file.tracks[0].sizes = []
        file.tracks[0].times = []
        file.movieBoxes = MP4Builder.box(type: "mvex", content: [])
        let head = file.bytes()
        return head + MP4Fragment(hasLongTime: true).encoded(at: head.count)
    }
}

@Suite("Sparse files that claim far more bytes than they store")
struct SparseFileTests {
    /// Probes a file and reads at most `limit` bytes.
    private func probeCountingReads(_ file: SparseFile, limit: Int, quick: Bool = false) throws(AudioError) -> Recording
    {
        var options = ProbeOptions()
        options.isQuick = quick
        options.limits.scannedBytes = limit
        return try Recording(contentsOf: file.url.path, options: options)
    }

    @Test("A file above 2^56 bytes is rejected", arguments: [1 << 56 + 1, 1 << 60, 1 << 62], [0, 7])
    func fileAboveSizeLimitIsRejected(size: Int, head: Int) throws {
        let file = try SparseFile(prefix: ContainerHeads.all[head].bytes, byteCount: size)
        // Only some file systems have such files.
        guard file.byteCount == size else { return }
        let error = #expect(throws: AudioError.self) { try probeCountingReads(file, limit: 1 << 20) }
        #expect(error?.code == .inputTooLarge)
        #expect(error?.message == "the file is too large: \(size) bytes (at most \(1 << 56))")
    }

    @Test(
        "Every container gives a recording or an AudioError after few reads",
        arguments: ContainerHeads.all.indices)
    func everyContainerReadsLittleOfSparseFile(index: Int) throws {
        for size in [1 << 40, 1 << 43 - 1, 1 << 56] {
            let file = try SparseFile(prefix: ContainerHeads.all[index].bytes, byteCount: size)
            for quick in [false, true] {
                do throws(AudioError) {
                    let recording = try probeCountingReads(file, limit: 1 << 20, quick: quick)
                    #expect((recording.duration?.seconds ?? 0) <= 0x1p31 && (recording.timelineSeconds ?? 0) <= 0x1p31)
                    #expect((0...file.byteCount).contains(recording.mediaBytes))
                    if let duration = recording.duration, duration.method == .estimate { #expect(!duration.isExact) }
                } catch {
                    #expect(
                        [.damaged, .limitExceeded].contains(error.code), "\(ContainerHeads.all[index].name): \(error)")
                }
            }
        }
    }

    @Test("Every container is covered")
    func everyContainerIsCovered() throws {
        let found = Set(try ContainerHeads.all.map { try AudioProbeTests.probeBytes($0.bytes).container })
        let all: [AudioContainer] = [
            .wav, .rf64, .bw64, .w64, .aiff, .aifc, .au, .caf, .flac, .ogg, .mpegAudio, .adts, .mp4, .m4a, .threeGP,
            .mov,
            .webm, .amr, .amrWB,
        ]
        #expect(found == Set(all))
    }
}
