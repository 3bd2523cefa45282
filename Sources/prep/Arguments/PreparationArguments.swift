internal import ArgumentParser
internal import Batch
internal import MediaPrep

/// The options for the preparation of files. They mean the same in every subcommand that prepares files.
struct PreparationArguments: ParsableArguments {
    @OptionGroup(title: "Images")
    var image: ImageArguments

    @OptionGroup(title: "Recordings")
    var audio: AudioArguments

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Maximum number of concurrent preparations. Default: the number of available processors.", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Memory limit for all images in preparation, such as 512MiB. An image that needs more by itself is "
                + "rejected. Default: half of the available memory, without rejection.", valueName: "bytes"))
    var maxMemory: ByteCountArgument?

    mutating func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs must be 1 to 1024, not \(jobs).") }
    }

    /// Returns the pipeline that the options describe.
    ///
    /// - Throws: `BatchError` if the audio policy cannot be read or is invalid.
    func makePipeline() throws(BatchError) -> MediaPipeline {
        var recordings = try audio.makeAudioOptions()
        recordings.allowsTruncated = image.allowTruncated
        return MediaPipeline(
            imagePreparer: ImagePreparer(image.imageOptions), audioPreparer: AudioPreparer(recordings),
            maxConcurrentJobs: jobs,
            memoryLimit: maxMemory?.bytes)
    }
}
