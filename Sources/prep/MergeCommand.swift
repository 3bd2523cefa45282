internal import ArgumentParser
internal import MediaPrep
internal import SystemPackage

/// `prep merge`: the manifests of the parts of a batch become that of the whole.
struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Make one manifest of those of several runs into one directory.",
        discussion: """
            The lines come out in the order of their inputs. An input that several manifests have, as after a part was done twice, is \
            taken once: what was prepared rather than what failed. Where two inputs were given one output by runs that knew nothing \
            of each other, the one whose path comes first in byte order has it, as in a single run, and the other is rejected.

            Examples:
              prep merge ready/manifest-*-of-4.jsonl -o ready/manifest.jsonl

            Exit status: 0 merged; 1 merged, but runs had contradicted each other, so that an output may be another run's: run \
            again what is named; 2 a manifest can't be read or written; 64 wrong usage.
            """)

    @Argument(
        help: ArgumentHelp("Manifests; a last line that was not written to its end is left out.", valueName: "manifest")
    )
    var manifests: [PathArgument]

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Where the whole goes, - for standard output. A file is replaced, and a link to one is followed.",
            valueName: "file|-"))
    var output: PathArgument?

    @OptionGroup
    var access: OutputAccessArguments

    func run() async throws {
        try await ExitStatus.end {
            try await Interruption.catching { [manifests, output, access = access.access] in
                try await BlockingThreadPool.command.run {
                    try Self.merge(manifests.map(\.path), into: output?.path ?? "-", access)
                }
            }
        }
    }

    private static func merge(_ manifests: [FilePath], into output: FilePath, _ access: OutputAccess) throws
        -> ExitStatus
    {
        var merger = ManifestMerger()
        for manifest in manifests {
            if output != "-", let existing = FileIdentity(output), FileIdentity(manifest) == existing {
                throw RunError("\(output) is one of the manifests that are to be merged")
            }
            var reader = try ManifestReader(manifest)
            while let (entry, line) = try reader.next() { merger.add(entry, line) }
        }
        try merger.settleCollisions()
        try write(merger.lines, to: output, access)
        for contradiction in merger.contradictions { Terminal.printError("prep: \(contradiction)") }
        return merger.contradictions.isEmpty ? .success : .someNotPrepared
    }

    private static func write(_ lines: [[UInt8]], to output: FilePath, _ access: OutputAccess) throws(RunError) {
        let end = [UInt8(ascii: "\n")]
        if output == "-" {
            var writer = try ManifestWriter(output, access: access)
            for line in lines { try writer.write(line + end) }
            try writer.flush()
        } else {
            let file = try WholeFile(output, access: access)
            for line in lines { try file.write(line + end) }
            try file.place()
        }
    }
}
