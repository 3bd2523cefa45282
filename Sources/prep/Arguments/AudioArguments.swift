internal import ArgumentParser
internal import Batch
internal import MediaPrep

/// The options that determine which audio files are accepted. They mean the same in every subcommand.
struct AudioArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "JSON file with any of the rules containers, codecs, min_seconds, max_seconds, sample_rates, channels, "
                + "max_bytes, rejects_silence, allows_video, "
                + AudioFault.allCases.map(\.rawValue).joined(separator: ", ")
                + ". Video is rejected unless allows_video is true.",
            valueName: "file"))
    var audioPolicy: PathArgument?

    /// Returns the options for the library.
    ///
    /// - Parameter isStrict: Whether rules that warn reject instead.
    /// - Throws: `BatchError` if the policy cannot be read or is invalid.
    func makeAudioOptions(isStrict: Bool) throws(BatchError) -> AudioOptions {
        var options = AudioOptions()
        guard let audioPolicy = audioPolicy?.path else { return options }
        let policy = try PolicyFile(path: audioPolicy).readPolicy(AudioPolicy.self)
        options.policy = isStrict ? policy.settingAction(.reject) : policy
        return options
    }
}
