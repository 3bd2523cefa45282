internal import ArgumentParser
internal import Batch
internal import MediaPrep
internal import SystemPackage
internal import SystemSupport

/// `prep merge`: merges the manifests of several runs into one.
struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge the manifests of several runs into one directory.",
        discussion: """
            Lines are sorted by input. An input that several manifests contain, as after a part was processed twice, \
            is listed once: a prepared result is preferred to a failure. If separate runs gave two inputs the same \
            output, the input with the first path in byte order keeps it, as in a single run, and the other one is \
            rejected.

            Examples:
              prep merge ready/manifest-*-of-4.jsonl -o ready/manifest.jsonl

            Exit status: 0 merged; 1 merged, but runs contradict each other, so that an output may be that of another \
            run: run the listed inputs again; 2 a manifest cannot be read or written; 64 wrong usage.
            """)

    @Argument(
        help: ArgumentHelp("Manifests. An incomplete last line is ignored.", valueName: "manifest")
    )
    var manifests: [PathArgument]

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "File for the merged manifest, or - for standard output. A file is replaced; a link to a file is followed.",
            valueName: "file|-"))
    var output: PathArgument?

    @OptionGroup
    var access: OutputAccessArguments

    func run() async throws {
        try await ExitStatus.exitWithStatus {
            try await SignalInterruption.cancellingOnSignal {
                [manifests, output, access = access.outputAccess] interruption in
                try await BlockingThreadPool(threadCount: 1).run {
                    let merger = try Self.readManifests(manifests.map(\.path), mergingInto: output?.path ?? "-")
                    // Until here nothing is written, and a pipe may have no writer.
                    interruption.beginCancelling()
                    return try Self.write(merger, to: output?.path ?? "-", access: access)
                }
            }
        }
    }

    private static func readManifests(
        _ manifests: [FilePath], mergingInto output: FilePath
    ) throws -> ManifestMerger {
        var merger = ManifestMerger()
        for manifest in manifests {
            if output != "-", let existing = FileIdentity(output), FileIdentity(manifest) == existing {
                throw BatchError(.wouldOverwrite, message: "\(output) is one of the manifests that are to be merged")
            }
            var reader = try ManifestReader(path: manifest)
            while let (entry, line) = try reader.nextEntry() { merger.addEntry(entry, line: line) }
        }
        try merger.resolveOutputCollisions()
        return merger
    }

    private static func write(_ merger: ManifestMerger, to output: FilePath, access: OutputAccess) throws -> ExitStatus
    {
        try writeLines(merger.sortedLines, to: output, access: access)
        for contradiction in merger.contradictions { Terminal.printError("prep: \(contradiction)") }
        return merger.contradictions.isEmpty ? .success : .someInputsFailed
    }

    private static func writeLines(_ lines: [[UInt8]], to output: FilePath, access: OutputAccess) throws(BatchError) {
        let file = try AtomicFile(path: output, access: access)
        for line in lines { try file.write(line + [UInt8(ascii: "\n")]) }
        try file.moveIntoPlace()
    }
}
