internal import ArgumentParser

/// The options for the messages that are printed during a run.
struct MessageArguments: ParsableArguments {
    @Flag(
        name: [.short, .long],
        help: "Print no messages, summary or progress. Links to directories that are not followed are still counted.")
    var quiet = false

    @Option(help: "Show progress: auto shows a bar on a terminal, and a line every ten seconds elsewhere.")
    var progress = ProgressMode.auto

    /// The progress mode, which `--quiet` overrides.
    var effectiveProgressMode: ProgressMode { quiet ? .never : progress }
}
