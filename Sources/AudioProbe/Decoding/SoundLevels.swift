// `unsafe`: gives libsndfile's callbacks the window that they read.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// How loud a recording is, found by decoding it to its end.
public struct SoundLevels: Hashable, Sendable {
    /// Frames decoded, a sample of every channel each.
    public var frames: Int
    /// Frames a second.
    public var sampleRate: Int
    /// The highest sample, in decibels below full scale; `floor` if all are zero.
    public var peakDBFS: Double
    /// The root of the mean square of all samples, in decibels below full scale (0 is a square wave's); `floor` if all are zero.
    public var rmsDBFS: Double
    /// Samples at full scale or beyond, as they are when a recorder ran out of range.
    public var clippedSamples: Int
    /// Whether no tenth of a second is louder than -60 dB, a thousandth of full scale, with its mean taken out: a microphone
    /// that was off leaves noise of its converter, and often an offset, far below.
    public var isSilent: Bool

    /// What stands for the level of nothing but zeros.
    public static let floor = -200.0

    /// Whether libsndfile decodes what is in this kind of container, as a rule.
    public static func canMeasure(_ container: AudioContainer) -> Bool {
        [.wav, .rf64, .bw64, .w64, .aiff, .aifc, .au, .caf, .flac, .ogg, .mpegAudio].contains(container)
    }

    /// Decodes the recording in `window` to its end.
    ///
    /// - Throws: `undecodable`; `limit-exceeded`; `cancelled`; what reading throws.
    /// - Complexity: linear in its samples: about 2 s for an hour of MP3. Memory: the decoder's own, and 64 KiB.
    public init(decoding window: inout ByteWindow, limits: AudioLimits = AudioLimits()) throws(AudioError) {
        self = unsafe try withUnsafeMutablePointer(to: &window) { (window) throws(AudioError) in
            var source = unsafe VirtualFile(window)
            let levels = unsafe try withUnsafeMutablePointer(to: &source) { (source) throws(AudioError) in
                try Self(unsafe SoundFile(source), limits)
            }
            if let error = source.error { throw error }
            return levels
        }
    }

    private init(_ file: consuming SoundFile, _ limits: AudioLimits) throws(AudioError) {
        guard file.channels > 0, file.sampleRate > 0 else {
            throw AudioError(.undecodable, in: .decode, "libsndfile finds no channels or no sample rate in it")
        }
        var meter = LevelMeter(channels: file.channels, sampleRate: file.sampleRate, bits: file.bits)
        let block = max(1, 16_384 / file.channels)
        var samples = [Float](repeating: 0, count: block * file.channels)
        while true {
            let frames = file.read(block, into: &samples)
            if frames <= 0 { break }
            if Task.isCancelled { throw AudioError(.cancelled, in: .decode, "the task was cancelled") }
            meter.add(samples, count: frames * file.channels)
            if meter.frames > limits.decodedSamples / file.channels {
                throw AudioError(.limit, in: .decode, "it decodes to more than \(limits.decodedSamples) samples")
            }
        }
        self = meter.levels(sampleRate: file.sampleRate)
    }
}

/// Gathers the levels of samples as they come.
private struct LevelMeter {
    private(set) var frames = 0
    private var peak: Float = 0
    private var squares = 0.0
    private var clipped = 0
    private var loudestPower = 0.0

    private let channels: Int
    private let fullScale: Float
    /// Frames of a tenth of a second, and how far the present one has come.
    private let blockFrames: Int
    private var blockCount = 0
    private var sums: [Double]
    private var blockSquares = 0.0

    init(channels: Int, sampleRate: Int, bits: Int?) {
        self.channels = channels
        blockFrames = max(1, sampleRate / 10)
        sums = [Double](repeating: 0, count: channels)
        // The largest integer is a step short of 1.0. A decoder of lossy sound has no such step; 16 bits are its source's.
        fullScale = 1 - 1 / Float(1 << min(23, (bits ?? 16) - 1))
    }

    mutating func add(_ samples: [Float], count: Int) {
        var index = 0
        while index < count {
            let end = index + min(count - index, (blockFrames - blockCount) * channels)
            blockCount += (end - index) / channels
            frames += (end - index) / channels
            while index < end {
                for channel in 0..<channels { add(samples[index + channel], to: channel) }
                index += channels
            }
            if blockCount == blockFrames { endBlock() }
        }
    }

    private mutating func add(_ sample: Float, to channel: Int) {
        let magnitude = abs(sample)
        // What is no number in a floating-point file counts as out of range.
        guard magnitude.isFinite else {
            clipped += 1
            return
        }
        if magnitude > peak { peak = magnitude }
        if magnitude >= fullScale { clipped += 1 }
        sums[channel] += Double(sample)
        blockSquares += Double(sample) * Double(sample)
    }

    private mutating func endBlock() {
        guard blockCount > 0 else { return }
        let offset = sums.reduce(0) { $0 + $1 * $1 } / Double(blockCount)
        loudestPower = max(loudestPower, (blockSquares - offset) / Double(blockCount * channels))
        squares += blockSquares
        blockSquares = 0
        blockCount = 0
        for channel in sums.indices { sums[channel] = 0 }
    }

    consuming func levels(sampleRate: Int) -> SoundLevels {
        endBlock()
        let mean = frames > 0 ? squares / Double(frames * channels) : 0
        return SoundLevels(
            frames: frames, sampleRate: sampleRate, peakDBFS: Self.decibels(Double(peak) * Double(peak)),
            rmsDBFS: Self.decibels(mean), clippedSamples: clipped, isSilent: Self.decibels(loudestPower) <= -60)
    }

    private static func decibels(_ power: Double) -> Double {
        power > 0 ? max(SoundLevels.floor, 10 * log10(power)) : SoundLevels.floor
    }
}

extension SoundLevels {
    fileprivate init(
        frames: Int, sampleRate: Int, peakDBFS: Double, rmsDBFS: Double, clippedSamples: Int, isSilent: Bool
    ) {
        self.frames = frames
        self.sampleRate = sampleRate
        self.peakDBFS = peakDBFS
        self.rmsDBFS = rmsDBFS
        self.clippedSamples = clippedSamples
        self.isSilent = isSilent
    }
}
