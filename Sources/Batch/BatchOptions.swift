public import SystemPackage

/// The options of a batch, besides those of its pipeline.
public struct BatchOptions: Sendable {
    /// The place where the results of earlier runs are recorded.
    public enum History: Sendable {
        /// A ledger below the output directory: `.prep/ledger.sqlite`, or `.prep/ledger-I-of-N.sqlite` for a shard.
        case inOutputDirectory
        /// A ledger at a path. A symbolic link is followed.
        case file(FilePath)
        /// Nothing is recorded, and every input is prepared.
        case none
    }

    /// The place where the results of earlier runs are recorded. The default is the output directory.
    public var history = History.inOutputDirectory
    /// Whether inputs are prepared even if an earlier run did so, or if that replaces the output of an input that is
    /// not part of the run. The default is `false`.
    public var reprocessesAll = false
    /// Whether a file of the same size and date is treated as unchanged even if its inode differs, as after a copy. The
    /// default is `false`.
    public var ignoresInode = false
    /// Whether outputs get the modification time of their input. The default is `false`.
    public var keepsDates = false
    /// The permissions of the files that a run creates. The default is ``OutputAccess/sameAsInputs``.
    public var access = OutputAccess.sameAsInputs
    /// The file for the manifest in JSON Lines, or `-` for standard output.
    ///
    /// If it is `nil`, that is `manifest.jsonl` in the output directory, or `manifest-I-of-N.jsonl` for a shard. A dry
    /// run then writes to standard output.
    public var manifest: FilePath?
    /// Whether the memory that SQLite may take is limited, which protects a command from a planted ledger.
    ///
    /// The limit applies to all databases of the process, so a server should not set it.
    package var limitsLedgerMemory = false
    /// Other files that the caller reads, with their names in messages. The run does not replace them.
    package var otherFilesRead: [(name: String, path: FilePath?)] = []

    /// Creates the default options.
    public init() {}
}
