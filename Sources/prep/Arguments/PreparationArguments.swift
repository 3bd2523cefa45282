internal import ArgumentParser
internal import Batch
internal import MediaPrep
internal import SystemPackage

/// The options for the preparation of files. They mean the same in every subcommand that prepares files.
struct PreparationArguments: ParsableArguments {
    @OptionGroup(title: "Images")
    var image: ImageArguments

    @OptionGroup(title: "Images")
    var imagePolicy: ImagePolicyArguments

    @OptionGroup(title: "Audio")
    var audio: AudioArguments

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Maximum number of concurrent preparations. Default: the number of available processors.", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Memory limit for all images in preparation, such as 512MiB. An image that needs more by itself is "
                + "rejected. Default: half of the available memory, without rejection.", valueName: "bytes"),
        transform: ByteCountArgument.parse)
    var maxMemory: ByteCountArgument?

    mutating func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs is invalid: \(jobs) (1 to 1024).") }
    }

    /// Checks the options that depend on the policies in force.
    ///
    /// - Parameter defaultImagePolicy: The rules for images without `--image-policy`.
    /// - Throws: `ValidationError` if an option has no effect.
    func validatePolicies(defaultImagePolicy: ImagePolicy = ImagePolicy()) throws {
        try imagePolicy.validateStrict(
            hasOtherPolicy: audio.audioPolicy != nil || defaultImagePolicy != ImagePolicy())
    }

    /// The policies that are read, with a name for messages.
    var policyFiles: [(name: String, path: FilePath?)] {
        [("audio policy", audio.audioPolicy?.path), ("image policy", imagePolicy.policyPath)]
    }

    /// Returns the pipeline that the options describe.
    ///
    /// - Parameter defaultImagePolicy: The rules for images without `--image-policy`.
    /// - Throws: `BatchError` if a policy cannot be read or is invalid.
    func makePipeline(defaultImagePolicy: ImagePolicy = ImagePolicy()) throws(BatchError) -> MediaPipeline {
        var images = image.imageOptions
        images.policy = try imagePolicy.makePolicy(default: defaultImagePolicy)
        var recordings = try audio.makeAudioOptions(isStrict: imagePolicy.strict)
        recordings.allowsTruncated = image.allowTruncated
        return MediaPipeline(
            imagePreparer: ImagePreparer(images), audioPreparer: AudioPreparer(recordings),
            maxConcurrentJobs: jobs,
            memoryLimit: maxMemory?.bytes)
    }
}
