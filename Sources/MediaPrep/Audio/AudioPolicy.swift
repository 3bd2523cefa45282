internal import AudioProbe

/// Rules for the audio that an endpoint accepts. A rule that is `nil` allows everything; video is rejected by default.
///
/// A policy is stored as a JSON object with any of the keys below. An unknown key is an error, because a misspelled
/// rule would silently allow everything:
///
/// ```json
/// {"codecs": ["pcm", "opus"], "max_seconds": 600, "rejects_silence": true,
///  "clipped": {"limit": 0.01, "action": "warn"}}
/// ```
///
/// The rules about measures judge the recording, not what is said in it.
public struct AudioPolicy: Hashable, Sendable {
    /// The allowed containers, by their names in reports, such as `wav`, `m4a` or `webm`.
    public var containers: Set<String>?
    /// The allowed codecs, by their names in reports, such as `pcm`, `aac` or `opus`.
    public var codecs: Set<String>?
    /// The minimum duration, in seconds.
    public var minSeconds: Double?
    /// The maximum duration, in seconds.
    public var maxSeconds: Double?
    /// The allowed sample rates, in hertz.
    public var sampleRates: Set<Int>?
    /// The allowed channel counts.
    public var channels: Set<Int>?
    /// The maximum file size, in bytes.
    public var maxBytes: Int?
    /// Whether silent audio is rejected.
    ///
    /// The audio is decoded to find out. Audio that libsndfile cannot decode is accepted.
    public var rejectsSilence = false
    /// Whether a file with video is accepted for its audio.
    ///
    /// Such a file is sent whole, including the video. See `Recording.hasVideo`.
    public var allowsVideo = false
    /// The rules about measures of the decoded audio, by the fault that they limit.
    ///
    /// A measure that is unknown breaks no rule. Audio that libsndfile cannot decode to its end is accepted with the
    /// warning `not-measured`.
    public var measureRules: [AudioFault: MeasureRule] = [:]

    /// Creates a policy that allows everything but video.
    public init() {}

    /// Returns the rules that the audio breaks, except those about video and measures.
    ///
    /// - Parameters:
    ///   - recording: The probed audio.
    ///   - byteCount: The file's size, in bytes.
    ///   - isSilent: Whether the audio is silent, or `nil` if unknown.
    /// - Returns: The violations; empty if the audio may be sent.
    func violations(of recording: Recording, byteCount: Int, isSilent: Bool?) -> [PolicyViolation] {
        let track = recording.mainTrack
        var brokenRules: [PolicyViolation] = []
        func addViolation(_ code: String, if isBroken: Bool, message: @autoclosure () -> String) {
            if isBroken { brokenRules.append(PolicyViolation(code: code, message: message())) }
        }
        let container = recording.container.rawValue, codec = track.codec.rawValue
        addViolation(
            "container-not-allowed", if: containers.map { !$0.contains(container) } ?? false,
            message: "the container is \(container), not one of \(Self.commaSeparatedList(containers))")
        addViolation(
            "codec-not-allowed", if: codecs.map { !$0.contains(codec) } ?? false,
            message: "the codec is \(codec), not one of \(Self.commaSeparatedList(codecs))")
        addViolation(
            "sample-rate-not-allowed", if: sampleRates.map { !$0.contains(track.sampleRate ?? 0) } ?? false,
            message: "the sample rate is \(track.sampleRate.map(String.init) ?? "unknown"), not one of "
                + "\(Self.commaSeparatedList(sampleRates))"
        )
        addViolation(
            "channels-not-allowed", if: channels.map { !$0.contains(track.channels ?? 0) } ?? false,
            message: "the number of channels is \(track.channels.map(String.init) ?? "unknown"), not one of "
                + "\(Self.commaSeparatedList(channels))"
        )
        if let violation = sizeViolation(byteCount: byteCount) { brokenRules.append(violation) }
        if let seconds = recording.duration?.seconds {
            addViolation(
                "too-short", if: minSeconds.map { seconds < $0 } ?? false,
                message: "the duration is too short: \(seconds) s (at least \(minSeconds ?? 0) s)")
            addViolation(
                "too-long", if: maxSeconds.map { seconds > $0 } ?? false,
                message: "the duration is too long: \(seconds) s (at most \(maxSeconds ?? 0) s)")
        }
        addViolation(
            "silent", if: rejectsSilence && isSilent == true,
            message: "the audio is silent: no block of 0.1 s is above -60 dBFS")
        return brokenRules
    }

    /// Returns the violation of ``maxBytes`` by a file of `byteCount` bytes, or `nil` if it is within the limit.
    func sizeViolation(byteCount: Int) -> PolicyViolation? {
        guard let maxBytes, byteCount > maxBytes else { return nil }
        return PolicyViolation(
            code: MediaError.Code.maxBytesExceeded.rawValue,
            message: "the file is too large: \(byteCount) bytes (at most \(maxBytes))")
    }

    /// A broken rule.
    struct PolicyViolation {
        var code: String
        var message: String
    }

    private static func commaSeparatedList<Value: Comparable>(_ allowed: Set<Value>?) -> String {
        (allowed ?? []).sorted().map { "\($0)" }.joined(separator: ", ")
    }
}

extension PolicyKey {
    fileprivate static let containers = PolicyKey(stringValue: "containers")
    fileprivate static let codecs = PolicyKey(stringValue: "codecs")
    fileprivate static let minSeconds = PolicyKey(stringValue: "min_seconds")
    fileprivate static let maxSeconds = PolicyKey(stringValue: "max_seconds")
    fileprivate static let sampleRates = PolicyKey(stringValue: "sample_rates")
    fileprivate static let channels = PolicyKey(stringValue: "channels")
    fileprivate static let maxBytes = PolicyKey(stringValue: "max_bytes")
    fileprivate static let rejectsSilence = PolicyKey(stringValue: "rejects_silence")
    fileprivate static let allowsVideo = PolicyKey(stringValue: "allows_video")
    fileprivate static let audioNames =
        [
            containers, codecs, minSeconds, maxSeconds, sampleRates, channels, maxBytes, rejectsSilence,
            allowsVideo,
        ].map(\.stringValue) + AudioFault.allCases.map(\.rawValue)
}

extension AudioPolicy: Codable {
    /// Decodes a policy from its stored form.
    ///
    /// - Throws: `DecodingError` for an unknown key, a value of the wrong type, a limit out of its range, or a minimum
    ///   duration above the maximum.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: PolicyKey.self)
        if let unknown = values.allKeys.first(where: { !PolicyKey.audioNames.contains($0.stringValue) }) {
            throw DecodingError.dataCorruptedError(
                forKey: unknown, in: values,
                debugDescription:
                    "unknown rule: \(unknown.stringValue) (known are \(PolicyKey.audioNames.joined(separator: ", ")))")
        }
        containers = try values.decodeIfPresent(Set<String>.self, forKey: .containers)
        codecs = try values.decodeIfPresent(Set<String>.self, forKey: .codecs)
        minSeconds = try values.decodeIfPresent(Double.self, forKey: .minSeconds)
        maxSeconds = try values.decodeIfPresent(Double.self, forKey: .maxSeconds)
        sampleRates = try values.decodeIfPresent(Set<Int>.self, forKey: .sampleRates)
        channels = try values.decodeIfPresent(Set<Int>.self, forKey: .channels)
        maxBytes = try values.decodeIfPresent(Int.self, forKey: .maxBytes)
        rejectsSilence = try values.decodeIfPresent(Bool.self, forKey: .rejectsSilence) ?? false
        allowsVideo = try values.decodeIfPresent(Bool.self, forKey: .allowsVideo) ?? false
        measureRules = try Self.decodeMeasureRules(from: values)
        if let minSeconds, let maxSeconds, minSeconds > maxSeconds {
            throw DecodingError.dataCorruptedError(
                forKey: .minSeconds, in: values,
                debugDescription: "min_seconds is greater than max_seconds")
        }
        for (key, value) in [
            (PolicyKey.minSeconds, minSeconds), (.maxSeconds, maxSeconds), (.maxBytes, maxBytes.map(Double.init)),
        ] {
            if let value, value < 0 {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: values, debugDescription: "the value is negative")
            }
        }
    }

    /// Encodes the policy in its stored form. Rules that are `nil` are left out.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: PolicyKey.self)
        try values.encodeIfPresent(containers?.sorted(), forKey: .containers)
        try values.encodeIfPresent(codecs?.sorted(), forKey: .codecs)
        try values.encodeIfPresent(minSeconds, forKey: .minSeconds)
        try values.encodeIfPresent(maxSeconds, forKey: .maxSeconds)
        try values.encodeIfPresent(sampleRates?.sorted(), forKey: .sampleRates)
        try values.encodeIfPresent(channels?.sorted(), forKey: .channels)
        try values.encodeIfPresent(maxBytes, forKey: .maxBytes)
        try values.encode(rejectsSilence, forKey: .rejectsSilence)
        try values.encode(allowsVideo, forKey: .allowsVideo)
        for (fault, rule) in measureRules { try values.encode(rule, forKey: PolicyKey(stringValue: fault.rawValue)) }
    }
}
