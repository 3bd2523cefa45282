internal import ArgumentParser
internal import SystemPackage

/// The options that say what is to be prepared.
struct InputArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("Files and directories.", valueName: "input"))
    var inputs: [PathArgument] = []

    @Option(
        help: ArgumentHelp(
            "List of files and directories, one a line, in a file or, with -, on standard input. Relative ones start at the "
                + "working directory, and so do the paths of their outputs.", valueName: "file|-"))
    var filesFrom: PathArgument?

    @Flag(name: .customShort("0"), help: "The list's lines end with a zero byte, as those of find -print0.")
    var null = false

    @Option(
        help: ArgumentHelp(
            "Do what the manifest of a dry run says, to the outputs that it names, and repeat its other lines.",
            valueName: "file|-"))
    var plan: PathArgument?

    @Option(
        help: ArgumentHelp(
            "Directory that the paths of outputs are relative to. Default: a single directory input itself; otherwise the "
                + "one that each input is in.", valueName: "dir"))
    var base: PathArgument?

    @Option(
        help: ArgumentHelp(
            "Take only the inputs of part I of N, with I from 1 to N: those whose path hashes to I - 1 modulo N.",
            valueName: "i/n"))
    var shard: Shard?

    /// How many of the ways to name inputs are used.
    var sources: Int { [!inputs.isEmpty, filesFrom != nil, plan != nil].count { $0 } }

    /// What else is read than the inputs.
    var filesRead: [(name: String, path: FilePath?)] {
        [("plan", plan?.path), ("list of inputs", filesFrom?.path)]
    }

    mutating func validate() throws {
        if sources > 1 { throw ValidationError("Inputs, --files-from and --plan exclude one another.") }
        if null && filesFrom == nil { throw ValidationError("-0 says how the list of --files-from is divided.") }
        if base != nil && plan != nil { throw ValidationError("A plan names its outputs itself: --base has no place.") }
    }
}

/// What was found, and is to be done or only repeated.
struct InputSelection {
    /// A line of a plan that needs nothing done.
    struct Settled {
        var entry: ManifestEntry
        var line: [UInt8]
    }

    var inputs: InputList
    /// Those of the shard.
    var positions: [Int]
    var settled: [Settled]

    /// Looks for the inputs. Blocks.
    ///
    /// - Parameter output: the directory of results, which is passed over.
    init(_ arguments: InputArguments, except output: FilePath) throws {
        let shard = arguments.shard
        var settled: [Settled] = []
        if let plan = arguments.plan {
            inputs = try Plan(plan.path) { (entry, line) in
                if shard?.contains(entry.inputPath.bytes) ?? true { settled.append(Settled(entry: entry, line: line)) }
            }.inputs
        } else {
            var discovery = try Discovery(base: arguments.base?.path, except: output)
            if let list = arguments.filesFrom {
                try discovery.add(listedIn: LineReader(list.path, separator: arguments.null ? 0 : UInt8(ascii: "\n")))
            } else {
                try discovery.add(named: arguments.inputs.map(\.path))
            }
            inputs = discovery.found()
        }
        let inputs = inputs
        positions = (0..<inputs.count).filter { shard?.contains(inputs.relativeBytes(at: $0)) ?? true }
        self.settled = settled
    }
}
