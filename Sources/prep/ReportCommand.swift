internal import ArgumentParser
internal import MediaPrep
internal import SystemPackage

/// `prep report`: a manifest as a page for people.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Make a page of a manifest: what failed, and what was saved.",
        discussion: """
            One HTML file that loads nothing from elsewhere: counts by outcome and reason, bytes saved, sizes, lengths of \
            recordings, up to \(PicturePair.most) pictures before and after, and a list of all files, with names as the manifest \
            has them. It is never larger than 20 MB: of a very long list, files that are ready are left out first.

            Pictures are made from the inputs and outputs themselves, where they still are and still have the size or the digest \
            that the manifest states. A manifest from standard input, or one that is not your file, shows only pictures that are \
            in a directory of --media.

            Examples:
              prep report ready/manifest.jsonl --output report.html

            Exit status: 0 the page was written; 2 the manifest can't be read or the page not written; 64 wrong usage.
            """)

    @Argument(help: ArgumentHelp("The manifest of a run, - for standard input.", valueName: "manifest|-"))
    var manifest: PathArgument

    @Option(name: [.short, .long], help: ArgumentHelp("The page; replaced if it is there.", valueName: "file.html"))
    var output: PathArgument

    @Option(
        help: ArgumentHelp(
            "Directory that outputs' paths are relative to; may be given several times. Default: the one that the manifest is in.",
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
        let replaced = try Replaced(target)
        try replaced.spare(path, "the manifest")
        // Off Swift's own threads, as reading blocks.
        let content = try await BlockingThreadPool(threadCount: 1).run { () throws(RunError) in
            try ReportContent(path, media: media.map(\.path), replaced: replaced)
        }
        if content.media.isClosed, !content.candidates.all.isEmpty {
            Terminal.printError(
                "prep: warning: the report has no pictures, as the manifest is not a file of yours; --media names directories of them"
            )
        }
        let pictures = await PicturePair.pairs(of: content.candidates.all, in: content.media)
        let page = ReportPage(
            title: path == "-" ? "Standard input" : path.string, summary: content.summary, pictures: pictures)
        let file = try WholeFile(target, access: access.access)
        try page.write(content.rows, to: file)
        try file.place()
    }
}

/// What a manifest holds for a report, gathered in one pass, as it may come through a pipe.
struct ReportContent: Sendable {
    private(set) var summary = ReportSummary()
    private(set) var rows = RowList(limit: ReportPage.limit)
    private(set) var candidates: PictureCandidates
    let media: ReportMedia

    /// - Parameter named: the directories of media that the user named.
    init(_ manifest: FilePath, media named: [FilePath], replaced: Replaced) throws(RunError) {
        var reader = try ManifestReader(manifest)
        media = ReportMedia(named, manifest: manifest, isOwn: reader.isOwnFile)
        candidates = PictureCandidates(limit: PicturePair.most, media: media)
        while let (entry, _) = try reader.next() {
            try replaced.spare(entry.inputPath, "an input")
            if let output = entry.outputPath {
                for directory in media.directories { try replaced.spare(directory.pushing(output), "an output") }
            }
            let row = ReportRow(entry)
            summary.add(row)
            rows.add(row)
            candidates.add(row, entry)
        }
    }
}

/// The file that the page will take the place of, if there is one.
struct Replaced: Sendable {
    private let path: FilePath
    private let identity: FileIdentity?

    /// - Throws: if it is a directory, a device or the like, or a symbolic link: the file that it leads to may be
    ///   anybody's.
    init(_ path: FilePath) throws(RunError) {
        self.path = path
        if let stat = try? path.stat(followTargetSymlink: false), stat.type == .symbolicLink {
            throw RunError("\(path) can't be written: it is a symbolic link")
        }
        let stat = try? path.stat()
        if let stat, stat.type != .regular { throw RunError("\(path) can't be written: it is not a regular file") }
        identity = stat.map(FileIdentity.init)
    }

    /// - Throws: if `other` is that file.
    func spare(_ other: FilePath, _ title: String) throws(RunError) {
        if let identity, FileIdentity(other) == identity {
            throw RunError("the report \(path) would replace \(title)")
        }
    }
}
