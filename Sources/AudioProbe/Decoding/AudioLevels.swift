// `unsafe`: passes the reader to libsndfile's callbacks.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The levels of audio, measured by decoding it to its end.
public struct AudioLevels: Hashable, Sendable {
    /// Decoded frames, each with one sample for every channel.
    public var frameCount: Int
    /// Frames per second, in Hz.
    public var sampleRate: Int
    /// The highest absolute sample in dBFS; ``floorDBFS`` if all samples are zero.
    public var peakDBFS: Double
    /// The root mean square of all samples in dBFS, where 0 is the level of a full-scale square wave; ``floorDBFS`` if
    /// all samples are zero.
    public var rmsDBFS: Double
    /// Samples at full scale or beyond, as clipping leaves them, and floating-point samples that are not finite.
    public var clippedSampleCount: Int
    /// Whether no block of 0.1 seconds is louder than -60 dBFS after removing its DC offset.
    ///
    /// -60 dB is a thousandth of full scale. A microphone that was off leaves only the converter's noise, often with an
    /// offset, far below that.
    public var isSilent: Bool

    /// The level that is reported for silence of only zeros, in dBFS.
    public static let floorDBFS = -200.0

    /// Returns whether libsndfile can usually decode files in a container.
    ///
    /// - Parameter container: The container format.
    package static func canMeasure(_ container: AudioContainer) -> Bool {
        [.wav, .rf64, .bw64, .w64, .aiff, .aifc, .au, .caf, .flac, .ogg, .mpegAudio].contains(container)
    }

    /// Decodes the audio file at a path to its end and measures its levels.
    ///
    /// - Parameters:
    ///   - path: The path of a regular file.
    ///   - limits: The limits, of which ``AudioLimits/decodedSamples`` applies.
    /// - Throws: ``AudioError/Code/undecodable``, ``AudioError/Code/decoderUnavailable``,
    ///   ``AudioError/Code/limitExceeded``, ``AudioError/Code/cancelled``,
    ///   ``AudioError/Code/unreadable``, ``AudioError/Code/notARegularFile``, ``AudioError/Code/inputTooLarge``,
    ///   ``AudioError/Code/changedWhileRead``.
    /// - Complexity: Linear in the number of samples: about 2 s for an hour of MP3. Memory: the decoder's own, a buffer
    ///   of at most 256 KiB, and 64 KiB.
    public init(contentsOf path: String, limits: AudioLimits = AudioLimits()) throws(AudioError) {
        var reader = try BufferedFileReader(path: path)
        try self.init(decoding: &reader, limits: limits)
        try reader.checkFileUnchanged()
    }

    /// Decodes an audio file in memory to its end and measures its levels.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - limits: The limits, of which ``AudioLimits/decodedSamples`` applies.
    /// - Throws: ``AudioError/Code/undecodable``, ``AudioError/Code/decoderUnavailable``,
    ///   ``AudioError/Code/limitExceeded``, ``AudioError/Code/cancelled``.
    /// - Complexity: As ``init(contentsOf:limits:)``.
    public init(bytes: [UInt8], limits: AudioLimits = AudioLimits()) throws(AudioError) {
        var reader = BufferedFileReader(bytes: bytes)
        try self.init(decoding: &reader, limits: limits)
    }

    /// Decodes the audio in `reader` to its end and measures its levels.
    ///
    /// - Parameters:
    ///   - reader: The file.
    ///   - limits: The limits, of which ``AudioLimits/decodedSamples`` applies.
    /// - Throws: The errors of ``init(contentsOf:limits:)``.
    package init(decoding reader: inout BufferedFileReader, limits: AudioLimits = AudioLimits()) throws(AudioError) {
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
                .undecodable, stage: .decode, message: "libsndfile found no channels or no sample rate")
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
                    .limitExceeded, stage: .decode,
                    message: "the decoded audio is too long (at most \(limits.decodedSamples) samples)")
            }
        }
        self = meter.makeLevels(sampleRate: decoder.sampleRate)
    }
}

/// Measures the levels of samples as they are decoded.
private struct AudioLevelMeter {
    private(set) var frameCount = 0
    private var peakMagnitude: Float = 0
    private var sumOfSquares = 0.0
    private var clippedSampleCount = 0
    private var loudestBlockPower = 0.0

    private let channels: Int
    private let clippingThreshold: Float
    /// Frames in a block of 0.1 seconds.
    private let framesPerBlock: Int
    private var blockFrameCount = 0
    private var blockSampleSumPerChannel: [Double]
    private var blockSumOfSquares = 0.0

    init(channels: Int, sampleRate: Int, bitsPerSample: Int?) {
        self.channels = channels
        framesPerBlock = max(1, sampleRate / 10)
        blockSampleSumPerChannel = [Double](repeating: 0, count: channels)
        // The largest positive integer sample is one step below 1.0. A lossy decoder has no such step, so its source is
        // assumed to have had 16 bits.
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
        // A NaN or an infinity in a floating-point file counts as clipped.
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
