internal import Batch
internal import Diagnostics
internal import MediaPrep
internal import SystemPackage

/// An image that the report may show before and after preparation.
struct ImageCandidate: Sendable {
    let name: String
    let outcome: ReportOutcome
    /// The input file, or `nil` if the manifest states no size to verify it.
    let inputSource: VerifiedImageSource?
    /// The output file, or `nil` if there is none or the manifest states no digest to verify it.
    let outputSource: VerifiedImageSource?
    /// The size of the input in pixels and bytes, as text. `outputFacts` is the same for the output.
    let inputFacts: String
    let outputFacts: String
    let savedBytes: Int
    /// The change in bytes, or the code of the reason, as text.
    let caption: String
    /// The measured regions, with the names by which the page's script and style sheet know them.
    let regions: [(name: String, region: ManifestImageMeasures.Region)]

    init(row: ReportRow, entry: ManifestEntry, mediaDirectories: ReportMediaDirectories) {
        name = row.name
        outcome = row.outcome
        inputSource = entry.inputBytes.map {
            VerifiedImageSource(candidatePaths: [entry.inputPath], expectedContent: .byteCount($0))
        }
        outputSource = entry.outputPath.flatMap { output in
            entry.sha256.map {
                VerifiedImageSource(
                    candidatePaths: mediaDirectories.candidatePaths(forOutput: output), expectedContent: .sha256($0))
            }
        }
        let stored = entry.image.map { ($0.sourceWidth, $0.sourceHeight) }
        inputFacts = Self.factsText(pixelSize: stored, byteCount: row.inputBytes)
        outputFacts =
            row.outputBytes == nil
            ? "" : Self.factsText(pixelSize: entry.image.map { ($0.width, $0.height) }, byteCount: row.outputBytes)
        caption = Self.caption(for: row)
        let measures = entry.image?.measures
        regions = [
            ("field", measures?.fieldOfView), ("sharpest", measures?.sharpest), ("glare", measures?.largestGlare),
        ].compactMap { name, region in region.map { (name, $0) } }
        savedBytes = row.outputBytes.map { (row.inputBytes ?? 0) - $0 } ?? 0
    }

    private static func caption(for row: ReportRow) -> String {
        guard let before = row.inputBytes, let after = row.outputBytes else {
            return row.diagnostics.first?.reason.code.rawValue ?? (row.outcome == .accepted ? "" : "no output")
        }
        return "\(QuantityFormat.bytes(before)) → \(QuantityFormat.bytes(after))"
    }

    private static func factsText(pixelSize size: (Int, Int)?, byteCount bytes: Int?) -> String {
        [size.map { "\($0.0) × \($0.1)" }, bytes.map { QuantityFormat.bytes($0) }].compactMap { $0 }.joined(
            separator: ", ")
    }
}

/// The images that the report tries to show: first those that were rejected or failed, then those that saved most
/// bytes. They are selected in one pass.
struct ImageCandidates {
    /// The maximum number of rejected and failed images to try. It exceeds the number shown, because many of them
    /// cannot be decoded. Reading the header is enough to find that out.
    private static let maxFailedCandidates = 2000

    private let maxShownImages: Int
    private let mediaDirectories: ReportMediaDirectories
    private var failedCandidates: [ImageCandidate] = []
    /// Sorted by bytes saved, most first. Equal images stay in their order.
    private var readyCandidates: [ImageCandidate] = []

    /// Creates an empty selection.
    ///
    /// - Parameters:
    ///   - maxShownImages: The maximum number of images to show.
    ///   - mediaDirectories: The directories that contain the media.
    init(maxShownImages: Int, mediaDirectories: ReportMediaDirectories) {
        self.maxShownImages = maxShownImages
        self.mediaDirectories = mediaDirectories
    }

    /// All images, in the order in which they are tried.
    var allInDisplayOrder: [ImageCandidate] { failedCandidates + readyCandidates }

    mutating func addCandidate(row: ReportRow, entry: ManifestEntry) {
        guard entry.kind == .image else { return }
        if row.outcome.needsAttention {
            if failedCandidates.count < Self.maxFailedCandidates {
                failedCandidates.append(ImageCandidate(row: row, entry: entry, mediaDirectories: mediaDirectories))
            }
        } else if row.outcome.isReady {
            insertReadyCandidate(ImageCandidate(row: row, entry: entry, mediaDirectories: mediaDirectories))
        }
    }

    private mutating func insertReadyCandidate(_ candidate: ImageCandidate) {
        if readyCandidates.count == maxShownImages, let last = readyCandidates.last,
            last.savedBytes >= candidate.savedBytes
        {
            return
        }
        let place = readyCandidates.firstIndex { $0.savedBytes < candidate.savedBytes } ?? readyCandidates.count
        readyCandidates.insert(candidate, at: place)
        if readyCandidates.count > maxShownImages { readyCandidates.removeLast() }
    }
}
