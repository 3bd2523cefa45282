internal import SystemPackage

/// A picture that the report may show, before and after.
struct ImageCandidate: Sendable {
    let name: String
    let outcome: ReportOutcome
    /// Nil if nothing shows which file it was.
    let inputSource: VerifiedImageSource?
    /// Nil if there is none, or nothing shows which file it is.
    let outputSource: VerifiedImageSource?
    /// What is known of both, in words: size in pixels, and in bytes.
    let inputFacts: String
    let outputFacts: String
    let savedBytes: Int
    /// What it became, in a few words: its bytes, or the reason's code.
    let caption: String

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
        savedBytes = row.outputBytes.map { (row.inputBytes ?? 0) - $0 } ?? 0
    }

    private static func caption(for row: ReportRow) -> String {
        guard let before = row.inputBytes, let after = row.outputBytes else {
            return row.diagnostics.first?.reason.code ?? "no output"
        }
        return "\(QuantityFormat.bytes(before)) → \(QuantityFormat.bytes(after))"
    }

    private static func factsText(pixelSize size: (Int, Int)?, byteCount bytes: Int?) -> String {
        [size.map { "\($0.0) × \($0.1)" }, bytes.map { QuantityFormat.bytes($0) }].compactMap { $0 }.joined(
            separator: ", ")
    }
}

/// Which pictures are tried, chosen in one pass: those that are not ready, then those that saved most.
struct ImageCandidates {
    /// More than are shown, as many of them can't be decoded: to see that takes a header's worth of reading.
    private static let maxFailedCandidates = 2000

    private let maxShownImages: Int
    private let mediaDirectories: ReportMediaDirectories
    private var failedCandidates: [ImageCandidate] = []
    /// By bytes saved, the most first; of equals the one that came first.
    private var readyCandidates: [ImageCandidate] = []

    /// - Parameter maxShownImages: how many will be shown.
    init(maxShownImages: Int, mediaDirectories: ReportMediaDirectories) {
        self.maxShownImages = maxShownImages
        self.mediaDirectories = mediaDirectories
    }

    /// In the order in which they are to be tried.
    var allInDisplayOrder: [ImageCandidate] { failedCandidates + readyCandidates }

    mutating func addCandidate(row: ReportRow, entry: ManifestEntry) {
        guard entry.kind == "image" else { return }
        if row.outcome.isFailedOrRejected {
            if failedCandidates.count < Self.maxFailedCandidates {
                failedCandidates.append(ImageCandidate(row: row, entry: entry, mediaDirectories: mediaDirectories))
            }
        } else if row.outcome.isReadyForUpload {
            insertReady(ImageCandidate(row: row, entry: entry, mediaDirectories: mediaDirectories))
        }
    }

    private mutating func insertReady(_ candidate: ImageCandidate) {
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
