/// A line of the manifest as the report shows it. A manifest may have been written by anyone, so its numbers are
/// brought into a range in which sums and formats can't overflow.
struct ReportRow {
    /// A reason or a warning.
    struct RowDiagnostic {
        var isWarning: Bool
        var reason: ManifestDiagnostic
    }

    /// Where a row stands in the list: what needs a person comes first, and is the last to be left out.
    enum ListingPriority: Int, CaseIterable { case failedOrRejected, hasWarnings, other }

    /// What a file may be, in the order of `mediaKindIndex`'s numbers.
    static let mediaKindNames = ["image", "recording", "other"]

    let name: String
    let outcome: ReportOutcome
    /// An index into `mediaKindNames`.
    let mediaKindIndex: Int
    let inputBytes: Int?
    /// Nil if there is no output.
    let outputBytes: Int?
    /// How long a recording lasts.
    let durationSeconds: Double?
    let diagnostics: [RowDiagnostic]

    init(_ entry: ManifestEntry) {
        name = entry.inputName
        outcome = ReportOutcome(entry.verdict)
        mediaKindIndex = entry.kind == "image" ? 0 : entry.kind == "audio" ? 1 : 2
        inputBytes = entry.inputBytes.map(Self.clampedByteCount)
        outputBytes = entry.outputPath == nil ? nil : entry.outputBytes.map(Self.clampedByteCount)
        durationSeconds = entry.audio?.durationSeconds.map { min(max($0, 0), 1e9) }
        diagnostics =
            entry.reasons.map { RowDiagnostic(isWarning: false, reason: $0) }
            + entry.warnings.map { RowDiagnostic(isWarning: true, reason: $0) }
    }

    /// A terabyte is more than any input has, and a million of them can be added up.
    private static func clampedByteCount(_ bytes: Int) -> Int { min(max(bytes, 0), 1_000_000_000_000) }

    var listingPriority: ListingPriority {
        outcome.isFailedOrRejected
            ? .failedOrRejected : diagnostics.contains(where: \.isWarning) ? .hasWarnings : .other
    }

    /// As the page's script reads it:
    /// `[name, outcome, mediaKindIndex, bytes in, bytes out, durationSeconds, diagnostics]`, where a note is
    /// `[is a warning, code, message, offset]`; null where nothing is known.
    func jsonArray() -> [UInt8] {
        var json = ScriptSafeJSONWriter()
        json.appendArray { json in
            json.append(name)
            json.append(outcome.rawValue)
            json.append(mediaKindIndex)
            json.append(inputBytes)
            json.append(outputBytes)
            json.append(durationSeconds.map { ScriptSafeJSONWriter.ThreeDecimalNumber($0) })
            json.appendArray { json in
                for note in diagnostics { Self.appendDiagnostic(note, to: &json) }
            }
        }
        return json.bytes
    }

    private static func appendDiagnostic(_ note: RowDiagnostic, to json: inout ScriptSafeJSONWriter) {
        json.appendArray { json in
            json.append(note.isWarning ? 1 : 0)
            json.append(note.reason.code)
            json.append(note.reason.message)
            json.append(note.reason.offset)
        }
    }
}
