/// Measures the levels of samples as they are decoded, in constant memory.
struct AudioLevelMeter {
    /// The number of frames so far.
    private(set) var frameCount = 0
    /// The power of the loudest block without its DC offset, averaged over the channels.
    private(set) var loudestBlockPower = 0.0
    private(set) var channels: [ChannelLevelMeter]
    private(set) var windows = WindowPowerHistogram()

    private let clippingThreshold: Float
    /// Frames in a block of 0.1 seconds, which has four windows.
    private let framesPerBlock: Int
    private var windowIndex = 0
    /// Frames in the current window so far.
    private var windowFrameCount = 0

    private static let windowsPerBlock = 4

    /// Creates a meter.
    ///
    /// - Parameters:
    ///   - channelCount: The number of channels.
    ///   - sampleRate: Frames per second.
    ///   - clippingThreshold: The lowest absolute sample at full scale.
    init(channelCount: Int, sampleRate: Int, clippingThreshold: Float) {
        channels = [ChannelLevelMeter](repeating: ChannelLevelMeter(), count: channelCount)
        framesPerBlock = max(Self.windowsPerBlock, sampleRate / 10)
        self.clippingThreshold = clippingThreshold
    }

    /// Adds interleaved samples.
    ///
    /// - Parameters:
    ///   - samples: The samples.
    ///   - count: The number of frames of `samples` to add.
    mutating func addFrames(_ samples: [Float], count: Int) {
        var frame = 0
        while frame < count {
            let end = frame + min(count - frame, windowLength - windowFrameCount)
            for channel in channels.indices {
                let indices = stride(
                    from: frame * channels.count + channel, to: end * channels.count, by: channels.count)
                channels[channel].addSamples(samples, at: indices, clippingThreshold: clippingThreshold)
            }
            windowFrameCount += end - frame
            frameCount += end - frame
            frame = end
            if windowFrameCount == windowLength { finishWindow() }
        }
    }

    /// Ends the last window and the last block, which may be shorter than the others.
    mutating func finish() {
        if windowFrameCount > 0 { finishWindow() }
        if windowIndex > 0 { finishBlock() }
    }

    /// The number of frames in the current window. The lengths of a block's windows differ by at most one.
    private var windowLength: Int {
        framesPerBlock * (windowIndex + 1) / Self.windowsPerBlock - framesPerBlock * windowIndex / Self.windowsPerBlock
    }

    private mutating func finishWindow() {
        let isWhole = windowFrameCount == windowLength
        let power = meanOverChannels { $0.finishWindow() }
        // A part of a window is less reliable than a whole one. Very short audio has no other window.
        if isWhole || windows.windowCount == 0 { windows.addWindow(power: power) }
        windowFrameCount = 0
        windowIndex += 1
        if windowIndex == Self.windowsPerBlock { finishBlock() }
    }

    private mutating func finishBlock() {
        loudestBlockPower = max(loudestBlockPower, meanOverChannels { $0.finishBlock() })
        windowIndex = 0
    }

    private mutating func meanOverChannels(_ power: (inout ChannelLevelMeter) -> Double) -> Double {
        var sum = 0.0
        for channel in channels.indices { sum += power(&channels[channel]) }
        return sum / Double(channels.count)
    }
}
