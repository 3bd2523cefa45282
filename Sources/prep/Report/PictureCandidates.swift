internal import SystemPackage

/// A picture that the report may show, before and after.
struct PictureCandidate: Sendable {
    let name: String
    let outcome: Outcome
    /// Nil if nothing shows which file it was.
    let before: PictureSource?
    /// Nil if there is none, or nothing shows which file it is.
    let after: PictureSource?
    /// What is known of both, in words: size in pixels, and in bytes.
    let beforeFacts: String
    let afterFacts: String
    let savedBytes: Int
    /// What it became, in a few words: its bytes, or the reason's code.
    let note: String

    init(_ row: ReportRow, _ entry: ManifestEntry, media: ReportMedia) {
        name = row.name
        outcome = row.outcome
        before = entry.inputBytes.map { PictureSource(paths: [entry.inputPath], evidence: .size($0)) }
        after = entry.outputPath.flatMap { output in
            entry.sha256.map { PictureSource(paths: media.places(of: output), evidence: .sha256($0)) }
        }
        let stored = entry.image.map { ($0.sourceWidth, $0.sourceHeight) }
        beforeFacts = Self.facts(stored, row.inputBytes)
        afterFacts =
            row.outputBytes == nil ? "" : Self.facts(entry.image.map { ($0.width, $0.height) }, row.outputBytes)
        note = Self.note(row)
        savedBytes = row.outputBytes.map { (row.inputBytes ?? 0) - $0 } ?? 0
    }

    private static func note(_ row: ReportRow) -> String {
        guard let before = row.inputBytes, let after = row.outputBytes else {
            return row.notes.first?.reason.code ?? "no output"
        }
        return "\(Quantity.bytes(before)) → \(Quantity.bytes(after))"
    }

    private static func facts(_ size: (Int, Int)?, _ bytes: Int?) -> String {
        [size.map { "\($0.0) × \($0.1)" }, bytes.map { Quantity.bytes($0) }].compactMap { $0 }.joined(separator: ", ")
    }
}

/// Which pictures are tried, chosen in one pass: those that are not ready, then those that saved most.
struct PictureCandidates {
    /// More than are shown, as many of them can't be decoded: to see that takes a header's worth of reading.
    private static let mostUnready = 2000

    private let limit: Int
    private let media: ReportMedia
    private var unready: [PictureCandidate] = []
    /// By bytes saved, the most first; of equals the one that came first.
    private var ready: [PictureCandidate] = []

    /// - Parameter limit: how many will be shown.
    init(limit: Int, media: ReportMedia) {
        self.limit = limit
        self.media = media
    }

    /// In the order in which they are to be tried.
    var all: [PictureCandidate] { unready + ready }

    mutating func add(_ row: ReportRow, _ entry: ManifestEntry) {
        guard entry.kind == "image" else { return }
        if row.outcome.isUnready {
            if unready.count < Self.mostUnready { unready.append(PictureCandidate(row, entry, media: media)) }
        } else if row.outcome.isReady {
            addReady(PictureCandidate(row, entry, media: media))
        }
    }

    private mutating func addReady(_ candidate: PictureCandidate) {
        if ready.count == limit, let last = ready.last, last.savedBytes >= candidate.savedBytes { return }
        let place = ready.firstIndex { $0.savedBytes < candidate.savedBytes } ?? ready.count
        ready.insert(candidate, at: place)
        if ready.count > limit { ready.removeLast() }
    }
}
