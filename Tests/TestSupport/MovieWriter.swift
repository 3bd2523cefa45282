public import Foundation

/// A QuickTime file built in code: a second of silence at 8 kHz, and three frames of video as a phone's Live Photo has.
///
/// - Parameters:
///   - hasAudio: Whether there is an audio track.
///   - videoFrameCount: Samples of the video track; 0 leaves the track without any.
public func makeQuickTimeMovie(hasAudio: Bool = true, videoFrameCount: Int = 3) -> Data {
    let audio = [UInt8](repeating: 0, count: 16_000), video = [UInt8](repeating: 0x55, count: 100 * videoFrameCount)
    let type = box(type: "ftyp", content: Array("qt  ".utf8) + bigEndianBytes(0, count: 4) + Array("qt  ".utf8))
    func tracks(_ start: Int) -> [UInt8] {
        let entry = box(
            type: "avc1",
            content: bigEndianBytes(0, count: 6) + bigEndianBytes(1, count: 2) + bigEndianBytes(0, count: 70))
        let video = trackBox(
            id: 1, handler: "vide", timescale: 600, sampleEntry: entry, sampleSize: 100, sampleCount: videoFrameCount,
            sampleDuration: 200, dataOffset: start + audio.count)
        return
            (hasAudio
            ? trackBox(
                id: 2, handler: "soun", timescale: 8000, sampleEntry: monoPCMSampleEntry, sampleSize: 2,
                sampleCount: 8000, sampleDuration: 1, dataOffset: start) : []) + video
    }
    func movie(_ start: Int) -> [UInt8] {
        box(
            type: "moov",
            content: fullBox(
                type: "mvhd",
                content: bigEndianBytes(0, count: 8) + bigEndianBytes(1000, count: 4) + bigEndianBytes(1000, count: 4)
                    + bigEndianBytes(0, count: 80)) + tracks(start))
    }
    let start = type.count + movie(0).count + 8
    return Data(type + movie(start) + box(type: "mdat", content: audio + video))
}

/// Integers of 16 bits in one channel.
private let monoPCMSampleEntry = box(
    type: "sowt",
    content: bigEndianBytes(0, count: 6) + bigEndianBytes(1, count: 2) + bigEndianBytes(0, count: 8)
        + bigEndianBytes(1, count: 2) + bigEndianBytes(16, count: 2) + bigEndianBytes(0, count: 4)
        + bigEndianBytes(8000 << 16, count: 4))

private func trackBox(
    id: Int, handler: String, timescale: Int, sampleEntry entry: [UInt8], sampleSize: Int, sampleCount: Int,
    sampleDuration: Int, dataOffset offset: Int
) -> [UInt8] {
    let times = fullBox(
        type: "stts",
        content: bigEndianBytes(1, count: 4) + bigEndianBytes(sampleCount, count: 4)
            + bigEndianBytes(sampleDuration, count: 4))
    let chunks = fullBox(
        type: "stsc",
        content: bigEndianBytes(1, count: 4) + bigEndianBytes(1, count: 4) + bigEndianBytes(sampleCount, count: 4)
            + bigEndianBytes(1, count: 4))
    let table =
        fullBox(type: "stsd", content: bigEndianBytes(1, count: 4) + entry) + times + chunks
        + fullBox(type: "stsz", content: bigEndianBytes(sampleSize, count: 4) + bigEndianBytes(sampleCount, count: 4))
        + fullBox(type: "stco", content: bigEndianBytes(1, count: 4) + bigEndianBytes(offset, count: 4))
    let header = fullBox(
        type: "mdhd",
        content: bigEndianBytes(0, count: 8) + bigEndianBytes(timescale, count: 4)
            + bigEndianBytes(sampleCount * sampleDuration, count: 4) + bigEndianBytes(0, count: 4))
    let kind = fullBox(
        type: "hdlr", content: bigEndianBytes(0, count: 4) + Array(handler.utf8) + bigEndianBytes(0, count: 13))
    let media = box(
        type: "mdia", content: header + kind + box(type: "minf", content: box(type: "stbl", content: table)))
    return box(
        type: "trak",
        content: fullBox(
            type: "tkhd", flags: 3,
            content: bigEndianBytes(0, count: 8) + bigEndianBytes(id, count: 4) + bigEndianBytes(0, count: 68)) + media)
}

private func box(type: String, content: [UInt8]) -> [UInt8] {
    bigEndianBytes(content.count + 8, count: 4) + Array(type.utf8) + content
}

private func fullBox(type: String, flags: Int = 0, content: [UInt8]) -> [UInt8] {
    box(type: type, content: bigEndianBytes(flags, count: 4) + content)
}

/// `value` in `count` bytes, the highest first.
private func bigEndianBytes(_ value: Int, count: Int) -> [UInt8] {
    (0..<count).map { $0 < count - 8 ? 0 : UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
}
