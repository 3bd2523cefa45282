// `unsafe`: passes the reader to libsndfile's callbacks.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The levels of audio, measured by decoding it to its end.
///
/// Powers are mean squares without the DC offset, averaged over the channels. Shares of time count windows of 1/40
/// second. The sums have a fixed order, so that the measures are the same on every machine, but for the last digits of
/// lossy decoders and of logarithms.
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
    /// Samples at full scale or beyond, also where nothing was clipped, and floating-point samples that are not finite.
    ///
    /// Full scale is the highest sample of 8 bits, µ-law and A-law, and that of 16 bits for all other codecs.
    public var clippedSampleCount: Int
    /// The share of samples in runs of at least three samples at full scale or beyond, as clipping leaves them, 0 to 1.
    public var clippedShare: Double
    /// Whether no block of 0.1 seconds is louder than -60 dBFS after removing its DC offset.
    ///
    /// -60 dB is a thousandth of full scale. A microphone that was off leaves only the converter's noise, often with an
    /// offset, far below that.
    public var isSilent: Bool
    /// The share of time that is not louder than -60 dBFS, 0 to 1; 1 without samples.
    public var silentShare: Double
    /// The share of time with sound that is more than 6 dB above the quietest tenth, and above -60 dBFS, 0 to 1.
    ///
    /// A steady sound from the first to the last second is 0, whether it is noise or a tone. Audio of less than 0.25
    /// seconds has no quietest tenth, and only -60 dBFS counts.
    public var activeShare: Double
    /// The level of the sound that ``activeShare`` is the share of, in dBFS; that of all samples if there is none.
    ///
    /// Unlike ``rmsDBFS``, it does not depend on pauses and on the DC offset.
    public var activeLevelDBFS: Double
    /// The level of all that is at most 6 dB above the quietest tenth of the time, in dBFS; ``floorDBFS`` if that tenth
    /// is digital silence.
    ///
    /// `nil` for less than 0.25 seconds.
    public var noiseFloorDBFS: Double?
    /// The estimated ratio of the sound's power, without the noise, to that of the noise floor, in dB.
    ///
    /// `nil` if nothing stands out from the noise, or the noise is unknown or digital silence. Sound without pauses
    /// makes the ratio too low.
    public var signalToNoiseDB: Double?
    /// The highest absolute mean of a channel's samples, as a share of full scale.
    public var dcOffset: Double
    /// The numbers, from 1, of the channels that are silent as ``isSilent`` is, while another channel is not.
    public var deadChannels: [Int]

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
    ///   of at most 256 KiB, and 96 KiB.
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
    ///   - exactDuration: The duration of the audio, if it is known exactly. What is decoded beyond it is padding. It
    ///     counts in ``frameCount``, but is not measured.
    ///   - limits: The limits, of which ``AudioLimits/decodedSamples`` applies.
    /// - Throws: The errors of ``init(contentsOf:limits:)``.
    package init(
        decoding reader: inout BufferedFileReader, exactDuration: AudioDuration? = nil,
        limits: AudioLimits = AudioLimits()
    ) throws(AudioError) {
        // libsndfile takes the bytes of a tag before a WAV file from the end of its audio.
        let start = try LeadingTags.endOffset(in: &reader)
        self = unsafe try withUnsafeMutablePointer(to: &reader) { (reader) throws(AudioError) in
            var source = unsafe LibSndfileVirtualFile(reader: reader, startOffset: start)
            let levels = unsafe try withUnsafeMutablePointer(to: &source) { (source) throws(AudioError) in
                try Self(
                    decoder: unsafe LibSndfileDecoder(source: source), exactDuration: exactDuration, limits: limits)
            }
            if let error = source.readError { throw error }
            return levels
        }
    }

    private init(
        decoder: consuming LibSndfileDecoder, exactDuration: AudioDuration?, limits: AudioLimits
    ) throws(AudioError) {
        guard decoder.channels > 0, decoder.sampleRate > 0 else {
            throw AudioError(
                .undecodable, stage: .decode, message: "libsndfile found no channels or no sample rate")
        }
        var meter = AudioLevelMeter(
            channelCount: decoder.channels, sampleRate: decoder.sampleRate,
            clippingThreshold: decoder.clippingThreshold)
        // Decoders may round the length of the audio up. The product may be above an integer by its rounding error.
        let measuredFrameLimit = exactDuration.map {
            Int(($0.seconds * Double(decoder.sampleRate) - 0.001).rounded(.up))
        }
        var decodedFrameCount = 0
        let framesPerRead = max(1, 16_384 / decoder.channels)
        var samples = [Float](repeating: 0, count: framesPerRead * decoder.channels)
        while true {
            let frames = decoder.decodeFrames(count: framesPerRead, into: &samples)
            if frames <= 0 { break }
            if Task.isCancelled { throw AudioError(.cancelled, stage: .decode, message: "the task was cancelled") }
            meter.addFrames(samples, count: min(frames, (measuredFrameLimit ?? .max) - meter.frameCount))
            decodedFrameCount += frames
            if decodedFrameCount > limits.decodedSamples / decoder.channels {
                throw AudioError(
                    .limitExceeded, stage: .decode,
                    message: "the decoded audio is too long (at most \(limits.decodedSamples) samples)")
            }
        }
        meter.finish()
        self.init(meter, sampleRate: decoder.sampleRate)
        frameCount = decodedFrameCount
    }
}

extension AudioLevels {
    /// Creates the levels that a meter measured.
    private init(_ meter: borrowing AudioLevelMeter, sampleRate: Int) {
        let channels = meter.channels
        let sampleCount = meter.frameCount * channels.count
        func share(_ count: Int) -> Double { sampleCount > 0 ? Double(count) / Double(sampleCount) : 0 }
        let peak = Double(channels.map(\.peakMagnitude).max() ?? 0)
        let sumOfSquares = channels.reduce(0) { $0 + $1.sumOfSquares }
        frameCount = meter.frameCount
        self.sampleRate = sampleRate
        peakDBFS = Self.decibels(fromPower: peak * peak)
        rmsDBFS = Self.decibels(fromPower: sampleCount > 0 ? sumOfSquares / Double(sampleCount) : 0)
        clippedSampleCount = channels.reduce(0) { $0 + $1.fullScaleSampleCount }
        clippedShare = share(channels.reduce(0) { $0 + $1.clippedSampleCount })
        isSilent = meter.loudestBlockPower <= WindowPowerHistogram.silencePower
        silentShare = meter.windows.silentShare
        activeShare = meter.windows.activeShare
        activeLevelDBFS = Self.decibels(fromPower: meter.windows.activePower)
        noiseFloorDBFS = meter.windows.noisePower.map(Self.decibels)
        signalToNoiseDB = meter.windows.signalToNoiseRatio.map(Self.decibels)
        dcOffset = channels.map { abs($0.dcOffset) }.max() ?? 0
        let silent = channels.indices.filter {
            channels[$0].loudestBlockPower <= WindowPowerHistogram.silencePower
        }
        deadChannels = silent.count < channels.count ? silent.map { $0 + 1 } : []
    }

    private static func decibels(fromPower power: Double) -> Double {
        power > 0 ? max(floorDBFS, 10 * log10(power)) : floorDBFS
    }
}
