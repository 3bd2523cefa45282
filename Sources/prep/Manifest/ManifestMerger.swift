internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Makes one manifest of several.
struct ManifestMerger {
    private struct Row {
        var input: FilePath
        var output: FilePath?
        var verdict: ManifestLine.Verdict?
        var sha256: String?
        var line: [UInt8]

        /// What is better known comes before what is worse: of an input that was done twice, the first is taken.
        var rank: Int { verdict == .failed ? 2 : verdict == nil ? 1 : 0 }
    }

    private var rows: [FilePath: Row] = [:]
    /// Sentences about what could not be as it is said.
    private(set) var contradictions: [String] = []

    /// The lines in the order of their inputs' bytes, without their ends.
    var lines: [[UInt8]] {
        rows.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }.map(\.value.line)
    }

    /// Takes one line.
    mutating func add(_ entry: ManifestEntry, _ line: [UInt8]) {
        let row = Row(
            input: entry.inputPath, output: entry.outputPath, verdict: entry.verdict, sha256: entry.sha256, line: line)
        guard let known = rows[row.input] else {
            rows[row.input] = row
            return
        }
        if known.rank == 0, row.rank == 0, (known.output, known.sha256) != (row.output, row.sha256) {
            contradictions.append("\(entry.input): it was prepared twice, with different results")
        }
        if row.rank < known.rank { rows[row.input] = row }
    }

    /// Leaves every output to one input, as a single run does.
    mutating func settleCollisions() throws {
        var owners: [OutputName.CollisionKey: FilePath] = [:]
        for path in rows.keys.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            guard let output = rows[path]?.output else { continue }
            let key = OutputName.CollisionKey(output.bytes)
            guard let owner = owners[key] else {
                owners[key] = path
                continue
            }
            var line = ManifestLine(input: path, kind: OutputName.kind(of: path))
            line.verdict = .rejected
            line.reasons = [.nameCollision(with: owner)]
            rows[path]?.output = nil
            rows[path]?.line = Array(try line.json().dropLast())
            contradictions.append("\(output): it was written for \(owner) and for \(path); it may be the latter's")
        }
    }
}
