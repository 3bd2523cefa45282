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
        var preference: Int { verdict == .failed ? 2 : verdict == nil ? 1 : 0 }
    }

    private var rowsByInput: [FilePath: Row] = [:]
    /// Sentences about what could not be as it is said.
    private(set) var contradictions: [String] = []

    /// The lines in the order of their inputs' bytes, without their ends.
    var sortedLines: [[UInt8]] {
        rowsByInput.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }.map(\.value.line)
    }

    /// Takes one line.
    mutating func addEntry(_ entry: ManifestEntry, line: [UInt8]) {
        let row = Row(
            input: entry.inputPath, output: entry.outputPath, verdict: entry.verdict, sha256: entry.sha256, line: line)
        guard let known = rowsByInput[row.input] else {
            rowsByInput[row.input] = row
            return
        }
        if known.preference == 0, row.preference == 0, (known.output, known.sha256) != (row.output, row.sha256) {
            contradictions.append("\(entry.inputName): it was prepared twice, with different results")
        }
        if row.preference < known.preference { rowsByInput[row.input] = row }
    }

    /// Leaves every output to one input, as a single run does.
    mutating func resolveOutputCollisions() throws {
        var owners: [OutputNaming.CollisionKey: FilePath] = [:]
        for path in rowsByInput.keys.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            guard let output = rowsByInput[path]?.output else { continue }
            let key = OutputNaming.CollisionKey(output.bytes)
            guard let owner = owners[key] else {
                owners[key] = path
                continue
            }
            var line = ManifestLine(input: path, kind: OutputNaming.expectedMediaKind(of: path))
            line.verdict = .rejected
            line.reasons = [.outputNameCollision(with: owner)]
            rowsByInput[path]?.output = nil
            rowsByInput[path]?.line = Array(try line.jsonLine().dropLast())
            contradictions.append("\(output): it was written for \(owner) and for \(path); it may be the latter's")
        }
    }
}
