public import SystemPackage

/// The files and directories that a batch prepares.
public struct BatchInputs: Sendable {
    /// The way in which inputs are named.
    public enum Source: Sendable {
        /// Files and directories. A single directory is mirrored under the output directory.
        case paths([FilePath])
        /// A list of files and directories, each followed by the byte `separator`. The path `-` is standard input.
        ///
        /// Relative paths start at the working directory, and so do the paths of their outputs.
        case list(FilePath, separator: UInt8 = UInt8(ascii: "\n"))
        /// The manifest of a dry run, which names the outputs itself. The path `-` is standard input.
        case plan(FilePath)
    }

    /// The way in which inputs are named.
    public var source: Source
    /// The directory that the paths of outputs are relative to.
    ///
    /// If it is `nil`, that is the input if it is a single directory, and otherwise the directory that contains each
    /// input. A plan ignores it.
    public var baseDirectory: FilePath?
    /// Whether symbolic links to directories are followed below an input. The default is `false`.
    ///
    /// Each directory is searched once, under its first path in byte order. An input may always be a link itself.
    public var followsLinks = false
    /// The part of the inputs that is prepared, or `nil` for all of them.
    public var shard: Shard?

    /// Creates inputs.
    ///
    /// - Parameter source: The way in which inputs are named.
    public init(_ source: Source) { self.source = source }

    /// Creates inputs from files and directories.
    ///
    /// - Parameter paths: The paths of files and directories.
    public init(paths: [FilePath]) { source = .paths(paths) }

    /// The files that are read besides the inputs, with their names in messages.
    package var auxiliaryFilesRead: [(name: String, path: FilePath?)] {
        switch source {
        case .paths: []
        case .list(let path, separator: _): [("list of inputs", path)]
        case .plan(let path): [("plan", path)]
        }
    }
}

/// The inputs that were found, and the lines of a plan that need no preparation.
package struct InputSelection: Sendable {
    /// A line of a plan that needs no preparation.
    package struct CompletedLine: Sendable {
        package var entry: ManifestEntry
        package var line: [UInt8]
    }

    package var inputs: InputList
    /// The positions of the inputs that belong to the shard.
    package var inputPositions: [Int]
    package var completedLines: [CompletedLine] = []

    /// Creates a selection without inputs.
    package init() {
        inputs = InputList()
        inputPositions = []
    }

    /// Finds the inputs, or reads the plan. This blocks the calling thread.
    ///
    /// - Parameters:
    ///   - specification: The inputs.
    ///   - output: The output directory, which is excluded from the search.
    ///   - needsOutputNames: Whether the names of outputs are seen after the run. Of several inputs with the same name,
    ///     all but one are then rejected. Otherwise, they get different names. In a plan, outputs have their names.
    ///   - reportUnfollowedLink: Called with the path of each link to a directory that is not followed.
    /// - Throws: `BatchError` if an option or a list is invalid or cannot be read, or there are too many inputs;
    ///   `CancellationError`.
    package init(
        _ specification: BatchInputs, excludingOutput output: FilePath, needsOutputNames: Bool = true,
        reportUnfollowedLink: @escaping (_ link: [UInt8]) -> Void
    ) throws {
        let shard = specification.shard
        let search = { () throws(BatchError) in
            try InputDiscovery(
                base: specification.baseDirectory, excludingOutput: output, followsLinks: specification.followsLinks,
                reportUnfollowedLink: reportUnfollowedLink)
        }
        switch specification.source {
        case .paths(let paths):
            var discovery = try search()
            try discovery.addInputs(named: paths)
            inputs = try discovery.makeInputList()
        case .list(let path, let separator):
            var discovery = try search()
            try discovery.addInputs(listedIn: LineReader(path: path, separator: separator))
            inputs = try discovery.makeInputList()
        case .plan(let path):
            var lines: [CompletedLine] = []
            inputs = try DryRunPlan(path: path) { (entry, line) in
                if shard?.contains(entry.inputPath.bytes) ?? true {
                    lines.append(CompletedLine(entry: entry, line: line))
                }
            }.inputs
            completedLines = lines
        }
        try Task.checkCancellation()
        let found = inputs
        inputPositions = (0..<found.count).filter { shard?.contains(found.relativePathBytes(at: $0)) ?? true }
        if case .plan = specification.source { return }
        // After the shard is determined, which depends on the names that the inputs were given.
        if needsOutputNames { inputs.rejectOutputCollisions() } else { try inputs.separateOutputCollisions() }
    }
}
