public import ArgumentParser
public import Batch
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
            "Execute the manifest of a dry run: prepare the outputs that it names, and report its other lines "
                + "unchanged.",
            valueName: "file|-"))
    var plan: PathArgument?

    @Option(
        help: ArgumentHelp(
            "Base directory, which the paths of outputs are relative to. Default: the input, if it is a single "
                + "directory; otherwise the directory that contains each input.", valueName: "dir"))
    var base: PathArgument?

    @Flag(
        help: ArgumentHelp(
            "Follow links to directories below an input. Each directory is searched once, under its first path in byte "
                + "order. Default: such links are named on standard error and not followed. Inputs that are links, and "
                + "links to files, are always followed."))
    var follow = false

    @Option(
        help: ArgumentHelp(
            "Process only shard I of N, with I from 1 to N: inputs with a path hash of I - 1 modulo N.",
            valueName: "i/n"),
        transform: Shard.parse)
    var shard: Shard?

    /// The number of alternatives that are used to name inputs.
    var sourceCount: Int { [!inputs.isEmpty, filesFrom != nil, plan != nil].count { $0 } }

    /// The inputs for a batch.
    var batchInputs: BatchInputs {
        var batchInputs =
            if let plan {
                BatchInputs(.plan(plan.path))
            } else if let filesFrom {
                BatchInputs(.list(filesFrom.path, separator: null ? 0 : UInt8(ascii: "\n")))
            } else {
                BatchInputs(paths: inputs.map(\.path))
            }
        batchInputs.baseDirectory = base?.path
        batchInputs.followsLinks = follow
        batchInputs.shard = shard
        return batchInputs
    }

    mutating func validate() throws {
        if sourceCount > 1 { throw ValidationError("Inputs, --files-from and --plan cannot be combined.") }
        if null && filesFrom == nil { throw ValidationError("-0 can only be used with --files-from.") }
        if base != nil && plan != nil { throw ValidationError("--base cannot be combined with --plan.") }
        if follow && plan != nil { throw ValidationError("--follow cannot be combined with --plan.") }
    }
}

extension Shard: ExpressibleByArgument {
    /// Creates the part that an argument such as `1/4` names.
    ///
    /// - Parameter argument: The argument's text.
    public init?(argument: String) { self.init(argument) }

    /// Returns the part that `argument` names.
    ///
    /// - Throws: `ValidationError` if it names none. `init(argument:)` could not say why.
    static func parse(_ argument: String) throws -> Shard {
        guard let shard = Shard(argument) else { throw ValidationError("expected I/N, with I from 1 to N") }
        return shard
    }
}
