public import Foundation

/// A WAV of 16 bits, built in code.
///
/// - Parameters:
///   - samples: interleaved.
///   - declaredDataBytes: What the header says of the data's size, if not the truth.
public func makeWAV(_ samples: [Int16], sampleRate: Int = 8000, channels: Int = 1, declaredDataBytes: Int? = nil)
    -> Data
{
    func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let data = samples.flatMap { little(Int($0), 2) }
    let format = little(1, 2) + little(channels, 2) + little(sampleRate, 4) + little(sampleRate * channels * 2, 4)
    let header = Array("WAVEfmt ".utf8) + little(16, 4) + format + little(channels * 2, 2) + little(16, 2)
    let body = header + Array("data".utf8) + little(declaredDataBytes ?? data.count, 4) + data
    return Data(Array("RIFF".utf8) + little(body.count, 4) + body)
}

/// A tone of a second, for `makeWAV`.
public func makeToneSamples(amplitude: Double, sampleRate: Int = 8000) -> [Int16] {
    (0..<sampleRate).map { Int16(amplitude * sin(Double($0) * 0.5) * 32_767) }
}
