internal import ArgumentParser
internal import SystemPackage

/// The options that select the inputs.
struct InputArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("Files and directories.", valueName: "input"))
    var inputs: [PathArgument] = []

    @Option(
        help: ArgumentHelp(
            "List of files and directories, one per line; - reads it from standard input. Relative paths start at the "
                + "working directory, and so do the paths of their outputs.", valueName: "file|-"))
    var filesFrom: PathArgument?

    @Flag(name: .customShort("0"), help: "Lines of the list end with a zero byte, as in the output of find -print0.")
    var null = false

    @Option(
        help: ArgumentHelp(
            "Execute the manifest of a dry run: prepare the outputs that it names, and repeat its other lines.",
            valueName: "file|-"))
    var plan: PathArgument?

    @Option(
        help: ArgumentHelp(
            "Directory that the paths of outputs are relative to. Default: the input, if it is a single directory; "
                + "otherwise the directory that contains each input.", valueName: "dir"))
    var base: PathArgument?

    @Flag(
        help: ArgumentHelp(
            "Follow links to directories below an input. Each directory is searched once, under its first path in byte "
                + "order. Default: such links are named on standard error and not followed. Inputs that are links, and "
                + "links to files, are always followed."))
    var follow = false

    @Option(
        help: ArgumentHelp(
            "Process only part I of N, with I from 1 to N: inputs with a path hash of I - 1 modulo N.",
            valueName: "i/n"))
    var shard: Shard?

    /// The number of alternatives that are used to name inputs.
    var sourceCount: Int { [!inputs.isEmpty, filesFrom != nil, plan != nil].count { $0 } }

    /// The files that are read besides the inputs, with their names in messages.
    var auxiliaryFilesRead: [(name: String, path: FilePath?)] {
        [("plan", plan?.path), ("list of inputs", filesFrom?.path)]
    }

    mutating func validate() throws {
        if sourceCount > 1 { throw ValidationError("Inputs, --files-from and --plan exclude one another.") }
        if null && filesFrom == nil { throw ValidationError("-0 says how the list of --files-from is divided.") }
        if base != nil && plan != nil { throw ValidationError("A plan names its outputs itself: --base has no place.") }
        if follow && plan != nil { throw ValidationError("--follow cannot be combined with --plan.") }
    }
}

/// The inputs of a run, and the lines of a plan that need no preparation.
struct InputSelection {
    /// A line of a plan that needs no preparation.
    struct CompletedLine {
        var entry: ManifestEntry
        var line: [UInt8]
    }

    var inputs: InputList
    /// The positions of the inputs that belong to the shard.
    var inputPositions: [Int]
    var completedLines: [CompletedLine]

    /// Finds the inputs, or reads the plan. This blocks the calling thread.
    ///
    /// - Parameters:
    ///   - arguments: The options that select the inputs.
    ///   - output: The output directory, which is excluded from the search.
    ///   - isQuiet: Whether links that are not followed are only counted on standard error, instead of listed.
    /// - Throws: `RunError` if an option or a list is invalid or cannot be read, or there are too many inputs.
    init(arguments: InputArguments, excludingOutput output: FilePath, isQuiet: Bool) throws {
        let shard = arguments.shard
        var settled: [CompletedLine] = []
        if let plan = arguments.plan {
            inputs = try DryRunPlan(path: plan.path) { (entry, line) in
                if shard?.contains(entry.inputPath.bytes) ?? true {
                    settled.append(CompletedLine(entry: entry, line: line))
                }
            }.inputs
        } else {
            var unfollowed = 0
            var discovery = try InputDiscovery(
                base: arguments.base?.path, excludingOutput: output, followsLinks: arguments.follow
            ) { link in
                unfollowed += 1
                if isQuiet { return }
                let name = String(decoding: link, as: UTF8.self)
                Terminal.printError("prep: \(name): link to a directory not followed; --follow follows it")
            }
            if let list = arguments.filesFrom {
                try discovery.addInputs(
                    listedIn: LineReader(path: list.path, separator: arguments.null ? 0 : UInt8(ascii: "\n")))
            } else {
                try discovery.addInputs(named: arguments.inputs.map(\.path))
            }
            inputs = try discovery.makeInputList()
            if isQuiet, unfollowed > 0 {
                let links = unfollowed == 1 ? "1 link to a directory" : "\(unfollowed) links to directories"
                Terminal.printError("prep: \(links) not followed; --follow follows \(unfollowed == 1 ? "it" : "them")")
            }
        }
        let inputs = inputs
        inputPositions = (0..<inputs.count).filter { shard?.contains(inputs.relativePathBytes(at: $0)) ?? true }
        self.completedLines = settled
    }
}
