internal import ArgumentParser
internal import MediaPrep

/// The options that say how files are prepared; they mean the same wherever files are.
struct PreparationArguments: ParsableArguments {
    @OptionGroup(title: "Images")
    var image: ImageArguments

    @OptionGroup(title: "Recordings")
    var audio: AudioArguments

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Files prepared at a time. Default: the processors available.", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Memory that pictures may take together, such as 512MiB: fewer are prepared at a time, and one that needs more alone is "
                + "rejected. Default: half of what there is.", valueName: "bytes"))
    var maxMemory: ByteCountArgument?

    mutating func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs must be 1 to 1024, not \(jobs).") }
    }

    /// The same for the library.
    ///
    /// - Throws: if the policy of recordings can't be read.
    func makePipeline() throws(RunError) -> MediaPipeline {
        var recordings = try audio.audioOptions()
        recordings.allowsTruncated = image.allowTruncated
        return MediaPipeline(
            imagePreparer: ImagePreparer(image.imageOptions), audioPreparer: AudioPreparer(recordings),
            maxConcurrentJobs: jobs,
            memoryLimit: maxMemory?.bytes)
    }
}
