internal import ArgumentParser

/// The options that say what a person is told while the work goes on.
struct MessageArguments: ParsableArguments {
    @Flag(
        name: [.short, .long],
        help: "Print no messages, summary or progress. Links to directories that are not followed are still counted.")
    var quiet = false

    @Option(help: "Show progress: auto shows a bar on a terminal, and a line every ten seconds elsewhere.")
    var progress = ProgressMode.auto

    /// When progress is shown, all considered.
    var effectiveProgressMode: ProgressMode { quiet ? .never : progress }
}
