internal import ArgumentParser
internal import Batch
internal import ImageCodecs
internal import Imaging
internal import ManifestReport
internal import MediaPrep
internal import SystemPackage

/// `prep report`: writes an HTML report of a manifest.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Make an HTML page of a manifest: what failed, and how much was saved.",
        discussion: """
            The page is one HTML file that loads no other file. It has counts by outcome and reason, bytes saved, \
            sizes, durations, up to \(HTMLReport.maxShownImages) images before and after, and a list of all files with \
            the names in the manifest. It has at most 20 MB: a very long list omits prepared files first.

            Thumbnails are made from the inputs and outputs, if they still have the size or the digest that the \
            manifest states. For a manifest from standard input, or one that is not your file, only images in a \
            --media directory are shown.

            Examples:
              prep report ready/manifest.jsonl --output report.html

            Exit status: 0 the page was written; 2 the manifest cannot be read, or the page cannot be written; 64 \
            wrong usage.
            """)

    @Argument(help: ArgumentHelp("The manifest of a run, - for standard input.", valueName: "manifest|-"))
    var manifest: PathArgument

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "File for the page, or - for standard output; replaced if it exists.", valueName: "file.html|-"))
    var output: PathArgument

    @Option(
        help: ArgumentHelp(
            "Directory that the paths of outputs are relative to; may be given several times. Default: the directory "
                + "of "
                + "the manifest.",
            valueName: "dir"))
    var media: [PathArgument] = []

    @OptionGroup
    var access: OutputAccessArguments

    func run() async throws {
        defer { DecoderIsolation.endIdleWorkers() }
        // A report can be made with any set, so one that is unavailable is ignored.
        try? InstructionSet.selectRequestedSet()
        let report = HTMLReport(
            manifest: manifest.path, mediaDirectories: media.map(\.path), access: access.outputAccess,
            isolation: IsolationMode.auto.decoderIsolation)
        for directory in media.map(\.path) where (try? directory.stat())?.type != .directory {
            Terminal.printError("prep: warning: \(directory) does not exist, or is not a directory")
        }
        try await ExitStatus.exitWithStatus {
            try await report.write(to: output.path) {
                let reason =
                    manifest.path == "-" ? "the manifest is read from standard input" : "you do not own the manifest"
                Terminal.printError(
                    "prep: warning: the report has no images, because \(reason); name their directories with --media")
            }
            return .success
        }
    }
}
