internal import ArgumentParser
internal import MediaPrep
internal import SystemPackage

/// `prep report`: writes an HTML report of a manifest.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Make an HTML page of a manifest: what failed, and how much was saved.",
        discussion: """
            The page is one HTML file that loads no other file. It has counts by outcome and reason, bytes saved, \
            sizes, durations, up to \(ThumbnailPair.maxPairs) images before and after, and a list of all files with \
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
        name: [.short, .long], help: ArgumentHelp("File for the page; replaced if it exists.", valueName: "file.html"))
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
        do {
            try await writeReport()
        } catch {
            Terminal.printError("prep: \(error.message)")
            throw ExitCode(ExitStatus.runFailed.rawValue)
        }
    }

    private func writeReport() async throws(RunError) {
        let path = manifest.path, target = output.path
        let replaced = try ReplacedReportFile(path: target)
        try replaced.checkDiffers(from: path, role: "the manifest")
        // Reading blocks, so it must not run on Swift's cooperative threads.
        let content = try await BlockingThreadPool(threadCount: 1).run { () throws(RunError) in
            try ReportContent(manifest: path, namedMediaDirectories: media.map(\.path), replacedFile: replaced)
        }
        if content.mediaDirectories.allowsNoFiles, !content.imageCandidates.allInDisplayOrder.isEmpty {
            Terminal.printError(
                "prep: warning: the report has no pictures, as the manifest is not a file of yours; --media names "
                    + "directories of them"
            )
        }
        let pictures = await ThumbnailPair.makePairs(
            from: content.imageCandidates.allInDisplayOrder, in: content.mediaDirectories)
        let page = ReportPage(
            title: path == "-" ? "Standard input" : path.string, summary: content.summary, thumbnailPairs: pictures)
        let file = try AtomicFile(path: target, access: access.outputAccess)
        try page.writeHTML(rows: content.rows, to: file)
        try file.moveIntoPlace()
    }
}

/// The content of a manifest that a report needs. It is collected in one pass, because the manifest may come through a
/// pipe.
struct ReportContent: Sendable {
    private(set) var summary = ReportSummary()
    private(set) var rows = ReportRowList(maxBytes: ReportPage.maxBytes)
    private(set) var imageCandidates: ImageCandidates
    let mediaDirectories: ReportMediaDirectories

    /// Reads a manifest.
    ///
    /// - Parameters:
    ///   - manifest: The path of the manifest, or `-` for standard input.
    ///   - named: The media directories that the user named.
    ///   - replacedFile: The existing file at the report's path, which must be neither an input nor an output.
    /// - Throws: `RunError` if the manifest cannot be read or is invalid, or the report would replace an input or an
    ///   output.
    init(manifest: FilePath, namedMediaDirectories named: [FilePath], replacedFile: ReplacedReportFile) throws(RunError)
    {
        var reader = try ManifestReader(path: manifest)
        mediaDirectories = ReportMediaDirectories(
            named: named, manifest: manifest, isManifestOwnedByUser: reader.isFileOwnedByUser)
        imageCandidates = ImageCandidates(maxShownImages: ThumbnailPair.maxPairs, mediaDirectories: mediaDirectories)
        while let (entry, _) = try reader.nextEntry() {
            try replacedFile.checkDiffers(from: entry.inputPath, role: "an input")
            if let output = entry.outputPath {
                for directory in mediaDirectories.outputDirectories {
                    try replacedFile.checkDiffers(from: directory.pushing(output), role: "an output")
                }
            }
            let row = ReportRow(entry)
            summary.addRow(row)
            rows.appendRow(row)
            imageCandidates.addCandidate(row: row, entry: entry)
        }
    }
}

/// The existing file that the report replaces, if there is one.
struct ReplacedReportFile: Sendable {
    private let path: FilePath
    private let identity: FileIdentity?

    /// Examines the file at `path`, if it exists.
    ///
    /// - Throws: `RunError` if it is a symbolic link or not a regular file. A symbolic link may point to a file of
    ///   another user.
    init(path: FilePath) throws(RunError) {
        self.path = path
        if let stat = try? path.stat(followTargetSymlink: false), stat.type == .symbolicLink {
            throw RunError("\(path) can't be written: it is a symbolic link")
        }
        let stat = try? path.stat()
        if let stat, stat.type != .regular { throw RunError("\(path) can't be written: it is not a regular file") }
        identity = stat.map(FileIdentity.init)
    }

    /// Checks that `other` is not the file that the report replaces.
    ///
    /// - Throws: `RunError` if it is.
    func checkDiffers(from other: FilePath, role title: String) throws(RunError) {
        if let identity, FileIdentity(other) == identity {
            throw RunError("the report \(path) would replace \(title)")
        }
    }
}
