internal import Batch
internal import ImageCodecs
internal import SystemPackage

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
    /// - Throws: `BatchError` if the manifest cannot be read or is invalid, or the report would replace an input or an
    ///   output; `CancellationError`.
    init(manifest: FilePath, namedMediaDirectories named: [FilePath], replacedFile: ReplacedReportFile) throws {
        var reader = try ManifestReader(path: manifest)
        mediaDirectories = ReportMediaDirectories(
            named: named, manifest: manifest, isManifestOwnedByUser: reader.isFileOwnedByUser)
        imageCandidates = ImageCandidates(maxShownImages: ThumbnailPair.maxPairs, mediaDirectories: mediaDirectories)
        while let (entry, _) = try reader.nextEntry() { try addEntry(entry, replacedFile: replacedFile) }
    }

    /// Collects lines that describe files of the user, and have no outputs.
    ///
    /// - Parameters:
    ///   - lines: The lines.
    ///   - replacedFile: The existing file at the report's path, which must not be an input.
    /// - Throws: `BatchError` if the report would replace an input.
    init(lines: [ManifestLine], replacedFile: ReplacedReportFile) throws(BatchError) {
        mediaDirectories = ReportMediaDirectories(named: [], manifest: "-", isManifestOwnedByUser: true)
        imageCandidates = ImageCandidates(maxShownImages: ThumbnailPair.maxPairs, mediaDirectories: mediaDirectories)
        for line in lines { try addEntry(ManifestEntry(line), replacedFile: replacedFile) }
    }

    /// Returns the images that the page shows.
    ///
    /// - Parameter isolation: The isolation of the decoders of HEIC and AVIF, if any.
    func makeThumbnailPairs(isolation: DecoderIsolation?) async -> [ThumbnailPair] {
        await ThumbnailPair.makePairs(
            from: imageCandidates.allInDisplayOrder, in: mediaDirectories,
            using: Thumbnail.makePreparer(isolation: isolation))
    }

    private mutating func addEntry(_ entry: ManifestEntry, replacedFile: ReplacedReportFile) throws(BatchError) {
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
