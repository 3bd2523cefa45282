import AudioProbe
import Foundation
import Testing

@Suite("Levels of audio")
struct AudioLevelsTests {
    private func measure(_ channels: [Double]..., as encoding: SyntheticAudio.Encoding = .signed16) throws
        -> AudioLevels
    {
        try AudioLevels(bytes: SyntheticAudio(channels: channels).encoded(as: encoding))
    }

    @Test(
        "A steady sine has a level, and neither silence nor sound above a floor",
        arguments: [0.98, 0.5, 0.01], SyntheticAudio.Encoding.allCases)
    func levelOfSine(_ amplitude: Double, _ encoding: SyntheticAudio.Encoding) throws {
        let levels = try measure(SyntheticAudio.tone(amplitude: amplitude, count: 16_000), as: encoding)
        // The power of a sine is half of its peak's. One step of 8 bits is 0.8 of the lowest amplitude.
        let tolerance = encoding == .unsigned8 ? (amplitude < 0.1 ? 3 : 0.1) : 0.02
        #expect(abs(levels.peakDBFS - 20 * log10(amplitude)) < tolerance)
        for level in [levels.rmsDBFS, levels.activeLevelDBFS, try #require(levels.noiseFloorDBFS)] {
            #expect(abs(level - (20 * log10(amplitude) - 3.0103)) < tolerance)
        }
        #expect(levels.activeShare == 0 && levels.signalToNoiseDB == nil)
        #expect(!levels.isSilent && levels.silentShare == 0 && levels.deadChannels == [])
        #expect(levels.clippedShare == 0 && levels.dcOffset < 0.0001)
    }

    @Test("Samples beyond the exact duration are counted, but not measured", arguments: [3999, 4000, 4001])
    func paddingIsNotMeasured(tickCount: Int) throws {
        let samples = SyntheticAudio.silence(count: 4000) + SyntheticAudio.tone(amplitude: 0.9, count: 500)
        let bytes = SyntheticAudio(channels: [samples]).encoded()
        var reader = BufferedFileReader(bytes: bytes)
        let levels = try AudioLevels(
            decoding: &reader, exactDuration: AudioDuration(ticks: tickCount, timescale: 8000, method: .index))
        #expect(levels.frameCount == 4500)
        #expect(levels.isSilent && levels.silentShare == 1 && levels.peakDBFS < -10)
        #expect(try !AudioLevels(bytes: bytes).isSilent)
    }

    @Test("A tag before the file does not shorten the audio")
    func leadingTagIsSkipped() throws {
        let bytes = SyntheticAudio(channels: [SyntheticAudio.tone(amplitude: 0.5, count: 4000)]).encoded()
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 16] + [UInt8](repeating: 0, count: 16)
        #expect(try AudioLevels(bytes: tag + bytes) == AudioLevels(bytes: bytes))
    }

    @Test(
        "Clipping is the share of samples in runs at full scale or beyond", arguments: SyntheticAudio.Encoding.allCases)
    func clippedSineHasClippedShare(_ encoding: SyntheticAudio.Encoding) throws {
        let levels = try measure(SyntheticAudio.tone(amplitude: 2, count: 16_000), as: encoding)
        // Twice a sine is beyond 1 from 30 to 150 degrees: of the 20 samples of half a period, for the 5th to the 17th.
        #expect(levels.clippedShare == 13.0 / 20)
        #expect(abs(levels.peakDBFS - (encoding == .float32 ? 6.0206 : 0)) < 0.1)
    }

    /// The samples of two channels, and the number of clipped ones.
    static let runs: [([Double], [Double], Int)] = [
        ([1, 0, 1, 0], [0, 1, 0, 1], 0), ([0, 1, 1, 0], [1, 1, 0, 0], 0), ([0, 1, 1, 1], [0, 0, 0, 0], 3),
        // A run has no sign: what is far too loud goes from one end to the other.
        ([1, -1, 1, -1], [1, 1, 1, 0.999], 7), ([1, 1, 0.99, 1], [-1, -1, 0, -1], 0),
    ]

    @Test(
        "One or two samples at full scale are a peak, three are clipping, in each channel by itself",
        arguments: runs)
    func runsOfThreeAreClipped(_ left: [Double], _ right: [Double], _ expected: Int) throws {
        #expect(abs(try measure(left, right).clippedShare - Double(expected) / 8) < 1e-9)
        #expect(abs(try measure(left, right, as: .float32).clippedShare - Double(expected) / 8) < 1e-9)
    }

    @Test("A run does not end with a block of decoded samples")
    func longRunIsClipped() throws {
        let levels = try measure([Double](repeating: 1, count: 40_000), [Double](repeating: -1, count: 40_000))
        #expect(levels.clippedShare == 1 && levels.clippedSampleCount == 80_000)
    }

    @Test("Full scale of µ-law and A-law is their loudest sample", arguments: [(7, 0x80, 0xFF), (6, 0xAA, 0xD5)])
    func loudestSampleOfTelephonyIsClipped(_ tag: Int, _ loudest: UInt8, _ quietest: UInt8) throws {
        var wave = WaveBuilder()
        wave.appendFormatChunk(tag: tag, bits: 8)
        wave.appendChunk("data", content: [quietest, loudest, loudest, loudest & 0x7F, quietest, loudest ^ 1])
        let levels = try AudioLevels(bytes: wave.encoded())
        #expect(levels.clippedSampleCount == 3 && levels.clippedShare == 0.5)
    }

    @Test("Samples that are not finite are clipped, and no part of any level")
    func nonFiniteSamplesAreClipped() throws {
        let levels = try measure([.nan, .infinity, -.infinity] + SyntheticAudio.silence(count: 797), as: .float32)
        #expect(levels.clippedSampleCount == 3 && levels.clippedShare == 3.0 / 800)
        #expect(levels.peakDBFS == AudioLevels.floorDBFS && levels.rmsDBFS == AudioLevels.floorDBFS)
        #expect(levels.isSilent && levels.dcOffset == 0)
    }

    @Test("The DC offset is that of the worst channel, and no part of the level", arguments: [0.25, -0.5, 0.001])
    func dcOffsetIsMean(_ offset: Double) throws {
        let tone = SyntheticAudio.tone(amplitude: 0.1, count: 16_000)
        let levels = try measure(tone, tone.map { $0 + offset })
        #expect(abs(levels.dcOffset - abs(offset)) < 0.0001)
        #expect(abs(levels.activeLevelDBFS + 23.0103) < 0.02)
        let constant = try measure([Double](repeating: offset, count: 16_000))
        #expect(constant.isSilent && constant.silentShare == 1 && constant.activeLevelDBFS == AudioLevels.floorDBFS)
    }

    @Test("Sound in noise has the ratio that it was mixed with", arguments: [10.0, 20, 30, 50], [1, 2])
    func signalToNoiseIsThatOfMix(_ ratio: Double, _ channelCount: Int) throws {
        // Ten times half a second of a tone and half a second of noise alone.
        let tone = SyntheticAudio.tone(amplitude: 0.5, count: 4000) + SyntheticAudio.silence(count: 4000)
        let signal = (0..<10).flatMap { _ in tone }
        let noiseLevel = -9.0309 - ratio
        let channels = (0..<channelCount).map { channel in
            let noise = SyntheticAudio.noise(dBFS: noiseLevel, count: signal.count, seed: UInt64(channel))
            return SyntheticAudio.mix(signal, noise)
        }
        let levels = try AudioLevels(bytes: SyntheticAudio(channels: channels).encoded(as: .signed24))
        // 200 windows of 200 samples estimate the power of noise to a few hundredths of a decibel.
        #expect(abs(try #require(levels.signalToNoiseDB) - ratio) < 0.2)
        #expect(abs(try #require(levels.noiseFloorDBFS) - noiseLevel) < 0.2)
        #expect(levels.activeShare == 0.5)
        #expect(abs(levels.activeLevelDBFS - 20 * log10(0.5) + 3.0103) < 0.5)
    }

    @Test("Steady noise has a floor, and no ratio")
    func noiseAloneHasNoRatio() throws {
        let levels = try measure(SyntheticAudio.noise(dBFS: -30, count: 80_000, seed: 7))
        #expect(abs(try #require(levels.noiseFloorDBFS) + 30) < 0.05 && abs(levels.activeLevelDBFS + 30) < 0.05)
        #expect(levels.activeShare == 0 && levels.signalToNoiseDB == nil && levels.silentShare == 0)
    }

    @Test("Digital silence is a floor without noise", arguments: [0, 400, 8000])
    func digitalSilenceIsNoNoise(_ frontCount: Int) throws {
        let tone = SyntheticAudio.tone(amplitude: 0.5, count: 8000)
        let ends = [frontCount, 8000 - frontCount].map(SyntheticAudio.silence)
        let levels = try measure(ends[0] + tone + ends[1])
        #expect(levels.noiseFloorDBFS == AudioLevels.floorDBFS && levels.signalToNoiseDB == nil)
        #expect(levels.activeShare == 0.5 && levels.silentShare == 0.5)
    }

    @Test("Digital silence in less than a tenth of the time does not hide the noise")
    func shortDigitalSilenceIsLeftOut() throws {
        let noise = SyntheticAudio.noise(dBFS: -40, count: 8000, seed: 9)
        let levels = try measure(SyntheticAudio.silence(count: 800) + noise)
        #expect(abs(try #require(levels.noiseFloorDBFS) + 40) < 0.1 && levels.activeShare == 0)
    }

    @Test("Noise below -60 dBFS is silence, and sound above it is active")
    func quietNoiseIsSilence() throws {
        let noise = SyntheticAudio.noise(dBFS: -75, count: 16_000, seed: 1)
        let tone = SyntheticAudio.silence(count: 12_000) + SyntheticAudio.tone(amplitude: 0.1, count: 4000)
        let levels = try measure(SyntheticAudio.mix(noise, tone), as: .signed24)
        #expect(levels.silentShare == 0.75 && levels.activeShare == 0.25 && !levels.isSilent)
        let quiet = try measure(noise, as: .signed24)
        #expect(quiet.isSilent && quiet.silentShare == 1 && quiet.activeShare == 0)
    }

    /// The amplitudes of the channels, and the dead ones.
    static let deadChannelCases: [([Double], [Int])] = [
        ([0.5, 0], [2]), ([0, 0.5], [1]), ([0.0005, 0.5, 0], [1, 3]), ([0.5, 0.002], []), ([0, 0], []), ([0.5], []),
        ([0], []),
    ]

    @Test(
        "A channel is dead if it is silent and another is not",
        arguments: deadChannelCases)
    func deadChannelIsSilent(_ amplitudes: [Double], _ expected: [Int]) throws {
        let channels = amplitudes.map { SyntheticAudio.tone(amplitude: $0, count: 8000) }
        #expect(try AudioLevels(bytes: SyntheticAudio(channels: channels).encoded()).deadChannels == expected)
    }

    @Test("Two equal channels have the measures of one")
    func equalChannelsHaveMeasuresOfOne() throws {
        let noise = SyntheticAudio.noise(dBFS: -50, count: 12_345, seed: 3)
        let tone = SyntheticAudio.silence(count: 6000) + SyntheticAudio.tone(amplitude: 1.5, count: 6345)
        let samples = SyntheticAudio.mix(noise, tone)
        let (mono, stereo) = (try measure(samples), try measure(samples, samples))
        #expect(stereo.clippedSampleCount == 2 * mono.clippedSampleCount && mono.clippedShare > 0.2)
        var other = stereo
        other.clippedSampleCount = mono.clippedSampleCount
        #expect(other == mono)
    }

    @Test("Audio of less than a quarter of a second has no noise floor", arguments: [0, 1, 2, 199, 200, 1999])
    func shortAudioHasNoFloor(_ count: Int) throws {
        for amplitude in [0, 0.5] {
            let samples = SyntheticAudio.tone(amplitude: amplitude, count: count)
            let levels = try measure(samples)
            #expect(levels.noiseFloorDBFS == nil && levels.signalToNoiseDB == nil && levels.frameCount == count)
            // The first sample of a sine is 0, and one sample is all offset.
            let isHeard = amplitude > 0 && count > 1
            #expect(levels.activeShare == (isHeard ? 1 : 0) && levels.silentShare == (isHeard ? 0 : 1))
            #expect(levels.isSilent != isHeard && (levels.activeLevelDBFS > -30) == isHeard)
            #expect(levels.clippedShare == 0 && levels.deadChannels == [])
        }
    }

    @Test("Any sample rate is measured", arguments: [1, 39, 44_100, 192_000, 2_000_000_000])
    func anySampleRateIsMeasured(_ sampleRate: Int) throws {
        let audio = SyntheticAudio(
            sampleRate: sampleRate, channels: [SyntheticAudio.tone(amplitude: 0.5, count: 44_100)])
        let levels = try AudioLevels(bytes: audio.encoded())
        #expect(
            levels.sampleRate == sampleRate && abs(levels.rmsDBFS + 9.03) < 0.1
                && levels.clippedShare == 0)
    }
}
