internal import Batch
internal import Diagnostics
internal import MediaPrep
internal import SystemPackage
internal import SystemSupport

/// A table of inspected files for the terminal, with one row per file followed by its diagnostics.
struct InspectionTable {
    private struct Row {
        var cells: [String]
        var diagnosticLines: [String]
    }

    private var rows = [Row(cells: ["FILE", "FORMAT", "LENGTH OR SIZE", "DETAILS"], diagnosticLines: [])]

    mutating func appendRow(for line: ManifestLine) {
        let notes =
            (line.image?.measures.map(\.tableLines) ?? line.audio?.levelLines ?? [])
            + line.reasons.map {
                "\(line.verdict.map { "\($0)" } ?? "") (\($0.code)): \($0.message)\(Self.offsetSuffix(for: $0))"
            }
            + (line.verdict == .cleaned ? ["cleaned: run blanks its positions and XMP, and nothing else"] : [])
            + line.warnings.map { "warning (\($0.code)): \($0.message)\(Self.offsetSuffix(for: $0))" }
        let facts = line.audio.map(\.tableCells) ?? line.image.map(\.tableCells) ?? ["-", "-"]
        let format = [line.format, line.audio?.codec].compactMap { $0 }.joined(separator: " ")
        // Scalars are escaped before column widths are measured.
        let cells = ([line.input.string, format.isEmpty ? "-" : format] + facts).map(\.escapingInvisibleScalars)
        rows.append(Row(cells: cells, diagnosticLines: notes))
    }

    /// The lines of the table. Each column is as wide as its widest cell.
    var formattedLines: [String] {
        let widths = rows[0].cells.indices.map { column in rows.map { $0.cells[column].count }.max() ?? 0 }
        return rows.flatMap { row in
            let cells = zip(row.cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            var line = cells.joined(separator: "  ")
            while line.hasSuffix(" ") { line.removeLast() }
            return [line] + row.diagnosticLines.map { "    " + $0 }
        }
    }

    private static func offsetSuffix(for reason: Diagnostic) -> String {
        reason.offset.map { " (at byte \($0))" } ?? ""
    }
}

extension ManifestImageFields {
    /// The upright size, and the stored size with its orientation if the image is not stored upright.
    fileprivate var tableCells: [String] {
        [
            "\(width)x\(height)",
            orientation == 1 ? "upright" : "stored as \(sourceWidth)x\(sourceHeight), orientation \(orientation)",
        ]
    }
}

extension ManifestImageMeasures {
    /// A line for each measure.
    fileprivate var tableLines: [String] {
        func percent(_ share: Double) -> String { DecimalFormat.string(from: 100 * share, fractionDigits: 1) + "%" }
        func number(_ value: Double) -> String { DecimalFormat.string(from: value, fractionDigits: 2) }
        return [
            "sharpness      \(number(sharpness))\(sharpest.map { ", best at \($0.centerText)" } ?? "")",
            "brightness     \(number(mean)), 90% of it from \(number(percentile5)) to \(number(percentile95))",
            "clipped        \(percent(clippedLow)) black, \(percent(clippedHigh)) white",
            "glare          \(percent(glare))\(largestGlare.map { ", largest at \($0.centerText)" } ?? "")",
            "contrast       \(number(contrast))",
            "noise          \(number(noise)) levels",
            "blocking       \(number(blocking)) levels",
            "color cast     \(colorCast.map { number($0) + " levels" } ?? "none, grayscale")",
            "detail         \(percent(detail)) of the resolution",
            "field of view  "
                + (fieldOfView.map { "\(percent(fieldOfViewShare)), at \($0.centerText)" } ?? "whole image"),
        ]
    }
}

extension ManifestImageMeasures.Region {
    /// The center, in per cent of the width and the height.
    fileprivate var centerText: String {
        "\(Int((100 * (x + width / 2)).rounded()))%, \(Int((100 * (y + height / 2)).rounded()))%"
    }
}
