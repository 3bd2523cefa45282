internal import SystemPackage

/// What was found of files, for a person to read: a row for each, and under it what is odd.
struct InspectionTable {
    private struct Row {
        var cells: [String]
        var diagnosticLines: [String]
    }

    private var rows = [Row(cells: ["FILE", "FORMAT", "LENGTH OR SIZE", "DETAILS"], diagnosticLines: [])]

    mutating func appendRow(for line: ManifestLine) {
        let notes =
            line.reasons.map {
                "\(line.verdict.map { "\($0)" } ?? "") (\($0.code)): \($0.message)\(Self.offsetSuffix(for: $0))"
            }
            + (line.verdict == .cleaned ? ["cleaned: run blanks its positions and XMP, and nothing else"] : [])
            + line.warnings.map { "warning (\($0.code)): \($0.message)\(Self.offsetSuffix(for: $0))" }
        let facts = line.audio.map(\.tableCells) ?? line.image.map(\.tableCells) ?? ["-", "-"]
        let format = [line.format, line.audio?.codec].compactMap { $0 }.joined(separator: " ")
        // Before columns are measured.
        let cells = ([line.input.string, format.isEmpty ? "-" : format] + facts).map(\.escapingInvisibleScalars)
        rows.append(Row(cells: cells, diagnosticLines: notes))
    }

    /// The whole table; columns are as wide as their widest cell.
    var formattedLines: [String] {
        let widths = rows[0].cells.indices.map { column in rows.map { $0.cells[column].count }.max() ?? 0 }
        return rows.flatMap { row in
            let cells = zip(row.cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            var line = cells.joined(separator: "  ")
            while line.hasSuffix(" ") { line.removeLast() }
            return [line] + row.diagnosticLines.map { "    " + $0 }
        }
    }

    private static func offsetSuffix(for reason: ManifestDiagnostic) -> String {
        reason.offset.map { " (at byte \($0))" } ?? ""
    }
}

extension ManifestImageFields {
    /// Its size as it is seen, and how it is stored if that differs.
    fileprivate var tableCells: [String] {
        [
            "\(width)x\(height)",
            orientation == 1 ? "upright" : "stored as \(sourceWidth)x\(sourceHeight), orientation \(orientation)",
        ]
    }
}
