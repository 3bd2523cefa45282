internal import ArgumentParser
internal import Batch
internal import SystemPackage

/// The options for the ledger of earlier runs.
struct StateArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Ledger of earlier runs. Default: DIR/.prep/ledger.sqlite; for a shard DIR/.prep/ledger-I-of-N.sqlite.",
            valueName: "file"))
    var state: PathArgument?

    @Flag(help: "Keep no ledger, and prepare every input.")
    var noState = false

    @Flag(help: "Prepare every input again. Also replace outputs of other inputs.")
    var force = false

    @Flag(
        help: """
            Treat a file of the same size and date as unchanged, even if its inode differs, as after a copy.
            """
    )
    var ignoreInode = false

    mutating func validate() throws {
        if noState && (state != nil || ignoreInode || force) {
            throw ValidationError("--state, --ignore-inode and --force cannot be combined with --no-state.")
        }
    }

    /// The place where the results of earlier runs are recorded.
    var history: BatchOptions.History {
        if noState { return .none }
        return state.map { .file($0.path) } ?? .inOutputDirectory
    }
}
