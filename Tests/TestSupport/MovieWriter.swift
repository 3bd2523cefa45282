public import Foundation

/// A QuickTime file built in code: a second of silence at 8 kHz, and three frames of video as a phone's Live Photo has.
///
/// - Parameters:
///   - hasSound: whether there is a track of sound.
///   - frames: samples of the video track; 0 leaves the track without any.
public func movie(hasSound: Bool = true, frames: Int = 3) -> Data {
    let sound = [UInt8](repeating: 0, count: 16_000), pictures = [UInt8](repeating: 0x55, count: 100 * frames)
    let type = box("ftyp", Array("qt  ".utf8) + big(0, 4) + Array("qt  ".utf8))
    func tracks(_ start: Int) -> [UInt8] {
        let entry = box("avc1", big(0, 6) + big(1, 2) + big(0, 70))
        let video = track(1, "vide", 600, entry, size: 100, count: frames, delta: 200, at: start + sound.count)
        return (hasSound ? track(2, "soun", 8000, monoPCM, size: 2, count: 8000, delta: 1, at: start) : []) + video
    }
    func movie(_ start: Int) -> [UInt8] {
        box("moov", fullBox("mvhd", big(0, 8) + big(1000, 4) + big(1000, 4) + big(0, 80)) + tracks(start))
    }
    let start = type.count + movie(0).count + 8
    return Data(type + movie(start) + box("mdat", sound + pictures))
}

/// Integers of 16 bits in one channel.
private let monoPCM = box(
    "sowt", big(0, 6) + big(1, 2) + big(0, 8) + big(1, 2) + big(16, 2) + big(0, 4) + big(8000 << 16, 4))

private func track(
    _ id: Int, _ handler: String, _ timescale: Int, _ entry: [UInt8], size: Int, count: Int, delta: Int, at offset: Int
) -> [UInt8] {
    let times = fullBox("stts", big(1, 4) + big(count, 4) + big(delta, 4))
    let chunks = fullBox("stsc", big(1, 4) + big(1, 4) + big(count, 4) + big(1, 4))
    let table =
        fullBox("stsd", big(1, 4) + entry) + times + chunks + fullBox("stsz", big(size, 4) + big(count, 4))
        + fullBox("stco", big(1, 4) + big(offset, 4))
    let header = fullBox("mdhd", big(0, 8) + big(timescale, 4) + big(count * delta, 4) + big(0, 4))
    let kind = fullBox("hdlr", big(0, 4) + Array(handler.utf8) + big(0, 13))
    let media = box("mdia", header + kind + box("minf", box("stbl", table)))
    return box("trak", fullBox("tkhd", flags: 3, big(0, 8) + big(id, 4) + big(0, 68)) + media)
}

private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8, 4) + Array(type.utf8) + content
}

private func fullBox(_ type: String, flags: Int = 0, _ content: [UInt8]) -> [UInt8] {
    box(type, big(flags, 4) + content)
}

/// `value` in `count` bytes, the highest first.
private func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { $0 < count - 8 ? 0 : UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
}
