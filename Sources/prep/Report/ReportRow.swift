/// A line of the manifest as the report shows it. A manifest may have been written by anyone, so its numbers are brought into
/// a range in which sums and formats can't overflow.
struct ReportRow {
    /// A reason or a warning.
    struct Note {
        var isWarning: Bool
        var reason: Reason
    }

    /// Where a row stands in the list: what needs a person comes first, and is the last to be left out.
    enum Rank: Int, CaseIterable { case unready, warned, other }

    /// What a file may be, in the order of `kind`'s numbers.
    static let kinds = ["image", "recording", "other"]

    let name: String
    let outcome: Outcome
    /// An index into `kinds`.
    let kind: Int
    let inputBytes: Int?
    /// Nil if there is no output.
    let outputBytes: Int?
    /// How long a recording lasts.
    let seconds: Double?
    let notes: [Note]

    init(_ entry: ManifestEntry) {
        name = entry.input
        outcome = Outcome(entry.verdict)
        kind = entry.kind == "image" ? 0 : entry.kind == "audio" ? 1 : 2
        inputBytes = entry.inputBytes.map(Self.plausible)
        outputBytes = entry.outputPath == nil ? nil : entry.outputBytes.map(Self.plausible)
        seconds = entry.audio?.durationSeconds.map { min(max($0, 0), 1e9) }
        notes =
            entry.reasons.map { Note(isWarning: false, reason: $0) }
            + entry.warnings.map { Note(isWarning: true, reason: $0) }
    }

    /// A terabyte is more than any input has, and a million of them can be added up.
    private static func plausible(_ bytes: Int) -> Int { min(max(bytes, 0), 1_000_000_000_000) }

    var rank: Rank { outcome.isUnready ? .unready : notes.contains(where: \.isWarning) ? .warned : .other }

    /// As the page's script reads it: `[name, outcome, kind, bytes in, bytes out, seconds, notes]`, where a note is
    /// `[is a warning, code, message, offset]`; null where nothing is known.
    func json() -> [UInt8] {
        var json = JSONText()
        json.list { json in
            json.add(name)
            json.add(outcome.rawValue)
            json.add(kind)
            json.add(inputBytes)
            json.add(outputBytes)
            json.add(seconds.map { JSONText.Thousandths($0) })
            json.list { json in
                for note in notes { Self.add(note, to: &json) }
            }
        }
        return json.bytes
    }

    private static func add(_ note: Note, to json: inout JSONText) {
        json.list { json in
            json.add(note.isWarning ? 1 : 0)
            json.add(note.reason.code)
            json.add(note.reason.message)
            json.add(note.reason.offset)
        }
    }
}
