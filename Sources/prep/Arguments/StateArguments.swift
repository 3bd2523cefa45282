internal import ArgumentParser
internal import SystemPackage

/// The options that say what is known of earlier runs.
struct StateArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where to keep what was done. Default: DIR/.prep/ledger.sqlite, for a shard DIR/.prep/ledger-I-of-N.sqlite.",
            valueName: "file"))
    var state: PathArgument?

    @Flag(help: "Keep nothing of what was done, and do everything.")
    var noState = false

    @Flag(help: "Do everything again, whatever was done before.")
    var force = false

    @Flag(
        help:
            "Take a file of the same size and date for the one it was, even if its number in the file system is another, as after a copy."
    )
    var ignoreInode = false

    mutating func validate() throws {
        if noState && (state != nil || ignoreInode || force) {
            throw ValidationError("With --no-state, --state, --ignore-inode and --force mean nothing.")
        }
    }

    /// Where the ledger of a run into `directory` is.
    func ledgerPath(in directory: FilePath, shard: Shard?) -> FilePath {
        state?.path
            ?? OutputDirectory.stateDirectory(in: directory).appending("ledger\(shard?.fileNameSuffix ?? "").sqlite")
    }
}
