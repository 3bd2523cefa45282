// `unsafe`: gives libsndfile's callbacks the window that they read.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// How loud a recording is, found by decoding it to its end.
public struct AudioLevels: Hashable, Sendable {
    /// Frames decoded, a sample of every channel each.
    public var frameCount: Int
    /// Frames a second.
    public var sampleRate: Int
    /// The highest sample, in decibels below full scale; `floorDBFS` if all are zero.
    public var peakDBFS: Double
    /// The root of the mean square of all samples, in decibels below full scale (0 is a square wave's); `floorDBFS` if
    /// all are zero.
    public var rmsDBFS: Double
    /// Samples at full scale or beyond, as they are when a recorder ran out of range.
    public var clippedSampleCount: Int
    /// Whether no tenth of a second is louder than -60 dB, a thousandth of full scale, with its mean taken out: a
    /// microphone that was off leaves noise of its converter, and often an offset, far below.
    public var isSilent: Bool

    /// What stands for the level of nothing but zeros.
    public static let floorDBFS = -200.0

    /// Whether libsndfile decodes what is in this kind of container, as a rule.
    public static func canMeasure(_ container: AudioContainer) -> Bool {
        [.wav, .rf64, .bw64, .w64, .aiff, .aifc, .au, .caf, .flac, .ogg, .mpegAudio].contains(container)
    }

    /// Decodes the recording in `reader` to its end.
    ///
    /// - Throws: `undecodable`; `limit-exceeded`; `cancelled`; what reading throws.
    /// - Complexity: linear in its samples: about 2 s for an hour of MP3. Memory: the decoder's own, and 64 KiB.
    public init(decoding reader: inout BufferedFileReader, limits: AudioLimits = AudioLimits()) throws(AudioError) {
        self = unsafe try withUnsafeMutablePointer(to: &reader) { (reader) throws(AudioError) in
            var source = unsafe LibSndfileVirtualFile(reader: reader)
            let levels = unsafe try withUnsafeMutablePointer(to: &source) { (source) throws(AudioError) in
                try Self(decoder: unsafe LibSndfileDecoder(source: source), limits: limits)
            }
            if let error = source.readError { throw error }
            return levels
        }
    }

    private init(decoder: consuming LibSndfileDecoder, limits: AudioLimits) throws(AudioError) {
        guard decoder.channels > 0, decoder.sampleRate > 0 else {
            throw AudioError(
                .undecodable, stage: .decode, message: "libsndfile finds no channels or no sample rate in it")
        }
        var meter = AudioLevelMeter(
            channels: decoder.channels, sampleRate: decoder.sampleRate, bitsPerSample: decoder.bitsPerSample)
        let framesPerRead = max(1, 16_384 / decoder.channels)
        var samples = [Float](repeating: 0, count: framesPerRead * decoder.channels)
        while true {
            let frames = decoder.decodeFrames(count: framesPerRead, into: &samples)
            if frames <= 0 { break }
            if Task.isCancelled { throw AudioError(.cancelled, stage: .decode, message: "the task was cancelled") }
            meter.addSamples(samples, count: frames * decoder.channels)
            if meter.frameCount > limits.decodedSamples / decoder.channels {
                throw AudioError(
                    .limitExceeded, stage: .decode, message: "it decodes to more than \(limits.decodedSamples) samples")
            }
        }
        self = meter.makeLevels(sampleRate: decoder.sampleRate)
    }
}

/// Gathers the levels of samples as they come.
private struct AudioLevelMeter {
    private(set) var frameCount = 0
    private var peakMagnitude: Float = 0
    private var sumOfSquares = 0.0
    private var clippedSampleCount = 0
    private var loudestBlockPower = 0.0

    private let channels: Int
    private let clippingThreshold: Float
    /// Frames of a tenth of a second, and how far the present one has come.
    private let framesPerBlock: Int
    private var blockFrameCount = 0
    private var blockSampleSumPerChannel: [Double]
    private var blockSumOfSquares = 0.0

    init(channels: Int, sampleRate: Int, bitsPerSample: Int?) {
        self.channels = channels
        framesPerBlock = max(1, sampleRate / 10)
        blockSampleSumPerChannel = [Double](repeating: 0, count: channels)
        // The largest integer is a step short of 1.0. A decoder of lossy sound has no such step; 16 bits are its
        // source's.
        clippingThreshold = 1 - 1 / Float(1 << min(23, (bitsPerSample ?? 16) - 1))
    }

    mutating func addSamples(_ samples: [Float], count: Int) {
        var index = 0
        while index < count {
            let end = index + min(count - index, (framesPerBlock - blockFrameCount) * channels)
            blockFrameCount += (end - index) / channels
            frameCount += (end - index) / channels
            while index < end {
                for channel in 0..<channels { addSample(samples[index + channel], channel: channel) }
                index += channels
            }
            if blockFrameCount == framesPerBlock { finishBlock() }
        }
    }

    private mutating func addSample(_ sample: Float, channel: Int) {
        let magnitude = abs(sample)
        // What is no number in a floating-point file counts as out of range.
        guard magnitude.isFinite else {
            clippedSampleCount += 1
            return
        }
        if magnitude > peakMagnitude { peakMagnitude = magnitude }
        if magnitude >= clippingThreshold { clippedSampleCount += 1 }
        blockSampleSumPerChannel[channel] += Double(sample)
        blockSumOfSquares += Double(sample) * Double(sample)
    }

    private mutating func finishBlock() {
        guard blockFrameCount > 0 else { return }
        let squaredDCOffset = blockSampleSumPerChannel.reduce(0) { $0 + $1 * $1 } / Double(blockFrameCount)
        loudestBlockPower = max(
            loudestBlockPower, (blockSumOfSquares - squaredDCOffset) / Double(blockFrameCount * channels))
        sumOfSquares += blockSumOfSquares
        blockSumOfSquares = 0
        blockFrameCount = 0
        for channel in blockSampleSumPerChannel.indices { blockSampleSumPerChannel[channel] = 0 }
    }

    consuming func makeLevels(sampleRate: Int) -> AudioLevels {
        finishBlock()
        let mean = frameCount > 0 ? sumOfSquares / Double(frameCount * channels) : 0
        return AudioLevels(
            frameCount: frameCount, sampleRate: sampleRate,
            peakDBFS: Self.decibels(fromPower: Double(peakMagnitude) * Double(peakMagnitude)),
            rmsDBFS: Self.decibels(fromPower: mean), clippedSampleCount: clippedSampleCount,
            isSilent: Self.decibels(fromPower: loudestBlockPower) <= -60)
    }

    private static func decibels(fromPower power: Double) -> Double {
        power > 0 ? max(AudioLevels.floorDBFS, 10 * log10(power)) : AudioLevels.floorDBFS
    }
}

extension AudioLevels {
    fileprivate init(
        frameCount: Int, sampleRate: Int, peakDBFS: Double, rmsDBFS: Double, clippedSampleCount: Int, isSilent: Bool
    ) {
        self.frameCount = frameCount
        self.sampleRate = sampleRate
        self.peakDBFS = peakDBFS
        self.rmsDBFS = rmsDBFS
        self.clippedSampleCount = clippedSampleCount
        self.isSilent = isSilent
    }
}
