internal import Batch
internal import Diagnostics
internal import MediaPrep

/// A manifest line as the report shows it.
///
/// A manifest may come from anyone. Therefore, numbers are limited to a range in which sums and formats cannot
/// overflow.
struct ReportRow {
    /// A reason or a warning.
    struct RowDiagnostic {
        var isWarning: Bool
        var reason: Diagnostic
    }

    /// The row's rank in the list. Rows that need attention come first and are the last to be left out.
    enum ListingPriority: Int, CaseIterable { case needsAttention, hasWarnings, other }

    /// The names of the kinds of media on the page, in the order of `MediaKind.allCases`.
    static let mediaKindNames = MediaKind.allCases.map { kind in
        switch kind {
        case .image: "image"
        case .audio: "recording"
        case .other: "other"
        }
    }

    let name: String
    let outcome: ReportOutcome
    /// Whether the line has an upload, whatever its outcome.
    let isUploaded: Bool
    /// Whether the input was prepared, whatever became of its upload.
    let isPrepared: Bool
    let mediaKind: MediaKind
    let inputBytes: Int?
    /// The size of the output in bytes, or `nil` if there is no output.
    let outputBytes: Int?
    /// The duration of an audio file in seconds, or `nil` if it is not known.
    let durationSeconds: Double?
    /// The measures of an image in the order of ``ReportMeasure``, or `nil` if it was not measured. An unknown measure
    /// is `nil`.
    let measures: [Double?]?
    let diagnostics: [RowDiagnostic]

    init(_ entry: ManifestEntry) {
        name = entry.inputName
        outcome = ReportOutcome(entry.verdict, upload: entry.upload)
        isUploaded = entry.upload != nil
        isPrepared = entry.verdict?.isPrepared ?? false
        mediaKind = entry.kind
        inputBytes = entry.inputBytes.map(Self.clampedByteCount)
        outputBytes = entry.outputPath == nil ? nil : entry.outputBytes.map(Self.clampedByteCount)
        durationSeconds = entry.audio?.durationSeconds.map { min(max($0, 0), 1e9) }
        measures = entry.image.flatMap { image in
            image.measures.map { measures in ReportMeasure.allCases.map { $0.value(in: measures, of: image) } }
        }
        diagnostics =
            (entry.reasons + [entry.upload?.reason].compactMap { $0 }).map {
                RowDiagnostic(isWarning: false, reason: $0)
            }
            + entry.warnings.map { RowDiagnostic(isWarning: true, reason: $0) }
    }

    /// Limits a size to 1 TB. No input is larger, and a million such sizes can be added without overflow.
    private static func clampedByteCount(_ bytes: Int) -> Int { min(max(bytes, 0), 1_000_000_000_000) }

    var listingPriority: ListingPriority {
        outcome.needsAttention
            ? .needsAttention : diagnostics.contains(where: \.isWarning) ? .hasWarnings : .other
    }

    /// Returns the row as the page's script reads it.
    ///
    /// The row is `[name, outcome, kind, input bytes, output bytes, duration in seconds, diagnostics, measures]`. A
    /// diagnostic is `[is warning (1 or 0), code, message, offset]`. Unknown values are null; the list of measures is
    /// left out instead.
    func jsonArray() -> [UInt8] {
        var json = ScriptSafeJSONWriter()
        json.appendArray { json in
            json.append(name)
            json.append(outcome.rawValue)
            json.append(MediaKind.allCases.firstIndex(of: mediaKind))
            json.append(inputBytes)
            json.append(outputBytes)
            json.append(durationSeconds.map { ScriptSafeJSONWriter.ThreeDecimalNumber($0) })
            json.appendArray { json in
                for note in diagnostics { Self.appendDiagnostic(note, to: &json) }
            }
            if let measures {
                json.appendArray { json in
                    for value in measures { json.append(value.map { ScriptSafeJSONWriter.ThreeDecimalNumber($0) }) }
                }
            }
        }
        return json.bytes
    }

    private static func appendDiagnostic(_ note: RowDiagnostic, to json: inout ScriptSafeJSONWriter) {
        json.appendArray { json in
            json.append(note.isWarning ? 1 : 0)
            json.append(note.reason.code.rawValue)
            json.append(note.reason.message)
            json.append(note.reason.offset)
        }
    }
}
