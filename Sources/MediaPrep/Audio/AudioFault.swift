internal import AudioProbe

/// A fault of audio that a policy can limit. Its raw value is the reason code.
public enum AudioFault: String, CaseIterable, Codable, Sendable {
    /// The audio was recorded too loud: `AudioLevels.clippedShare` is high.
    case clipped
    /// The sound is quiet: `AudioLevels.activeLevelDBFS` is low.
    case tooQuiet = "too-quiet"
    /// Much of the time is silence: `AudioLevels.silentShare` is high.
    case mostlySilent = "mostly-silent"
    /// Little stands out from silence and steady noise: `AudioLevels.activeShare` is low.
    case mostlyBackground = "mostly-background"
    /// The noise is loud beside the sound: `AudioLevels.signalToNoiseDB` is low.
    case tooNoisy = "too-noisy"
    /// The samples are not centered: `AudioLevels.dcOffset` is high.
    case dcOffset = "dc-offset"
    /// Channels are silent while others are not: `AudioLevels.deadChannels` has many.
    case deadChannel = "dead-channel"

    /// Returns the measure that shows this fault, or `nil` if it is unknown.
    func value(in levels: AudioLevels) -> Double? {
        switch self {
        case .clipped: levels.clippedShare
        case .tooQuiet: levels.activeLevelDBFS
        case .mostlySilent: levels.silentShare
        case .mostlyBackground: levels.activeShare
        case .tooNoisy: levels.signalToNoiseDB
        case .dcOffset: levels.dcOffset
        case .deadChannel: Double(levels.deadChannels.count)
        }
    }

    /// Whether the limit is the lowest value that is allowed, instead of the highest.
    var isMinimum: Bool {
        switch self {
        case .tooQuiet, .mostlyBackground, .tooNoisy: true
        case .clipped, .mostlySilent, .dcOffset, .deadChannel: false
        }
    }

    /// The limits that a rule can have.
    var limits: ClosedRange<Double> {
        switch self {
        case .clipped, .mostlySilent, .mostlyBackground, .dcOffset: 0...1
        case .tooQuiet: AudioLevels.floorDBFS...0
        case .tooNoisy: 0...200
        case .deadChannel: 0...1024
        }
    }

    /// The subject of a message.
    var measureName: String {
        switch self {
        case .clipped: "the share of clipped samples"
        case .tooQuiet: "the level of the sound"
        case .mostlySilent: "the share of silence"
        case .mostlyBackground: "the share of time with sound above the noise floor"
        case .tooNoisy: "the signal-to-noise ratio"
        case .dcOffset: "the DC offset as a share of full scale"
        case .deadChannel: "the number of dead channels"
        }
    }

    /// The unit in a message; empty if there is none.
    var unit: String {
        switch self {
        case .tooQuiet: "dBFS"
        case .tooNoisy: "dB"
        case .clipped, .mostlySilent, .mostlyBackground, .dcOffset, .deadChannel: ""
        }
    }
}
