import Foundation
import TestSupport

/// Audio that is computed, with samples as parts of full scale.
struct SyntheticAudio {
    /// The encoding of samples in a WAVE file.
    enum Encoding: CaseIterable {
        case unsigned8, signed16, signed24, float32
    }

    var sampleRate = 8000
    /// The samples of each channel. All have the same number of samples.
    var channels: [[Double]]

    /// A WAVE file with the samples. Integers are clipped at full scale, floating-point numbers are not.
    func encoded(as encoding: Encoding = .signed16) -> [UInt8] {
        let (tag, bits) =
            switch encoding {
            case .unsigned8: (1, 8)
            case .signed16: (1, 16)
            case .signed24: (1, 24)
            case .float32: (3, 32)
            }
        var content = ByteBuilder()
        for frame in channels[0].indices {
            for samples in channels {
                let value =
                    encoding == .float32
                    ? Int(Float(samples[frame]).bitPattern)
                    : Self.integer(samples[frame], bits: bits) + (encoding == .unsigned8 ? 128 : 0)
                content.appendLittleEndian(value, byteCount: bits / 8)
            }
        }
        var wave = WaveBuilder()
        wave.appendFormatChunk(tag: tag, channels: channels.count, rate: sampleRate, bits: bits)
        wave.appendChunk("data", content: content.bytes)
        return wave.encoded()
    }

    private static func integer(_ sample: Double, bits: Int) -> Int {
        let scale = Double(1 << (bits - 1))
        return Int(max(-scale, min((sample * scale).rounded(), scale - 1)))
    }

    static func silence(count: Int) -> [Double] { [Double](repeating: 0, count: count) }

    /// A sine with 40 samples in a period, which is 200 Hz at 8 kHz. A window of 1/40 s has 5 periods.
    static func tone(amplitude: Double, count: Int) -> [Double] {
        (0..<count).map { amplitude * sin(Double($0) * .pi / 20) }
    }

    /// White noise with a uniform distribution and a mean of 0.
    static func noise(dBFS: Double, count: Int, seed: UInt64) -> [Double] {
        var random = SplitMix64(seed: seed)
        // The variance of a uniform distribution from -1 to 1 is 1/3.
        let amplitude = (3 * pow(10, dBFS / 10)).squareRoot()
        return (0..<count).map { _ in amplitude * Double(random.number(in: -1_000_000...1_000_000)) / 1_000_000 }
    }

    /// The sum of two signals.
    static func mix(_ lhs: [Double], _ rhs: [Double]) -> [Double] { zip(lhs, rhs).map { $0 + $1 } }
}
