internal import MediaPrep
internal import SystemPackage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Merges several manifests into one.
package struct ManifestMerger {
    private struct Row {
        var input: FilePath
        var output: FilePath?
        var verdict: Verdict?
        var sha256: String?
        var upload: ManifestEntry.Upload?
        var line: [UInt8]

        /// The rank of the verdict among lines of the same input. The line with the lowest rank is kept; among equals,
        /// that with the lowest rank of the upload, or the first.
        var preference: Int { verdict == .failed ? 2 : verdict == nil ? 1 : 0 }

        /// A file that a server has must not be sent again.
        var uploadPreference: Int { upload?.isWithServer == true ? 0 : upload?.isUnconfirmed == true ? 1 : 2 }
    }

    private var rowsByInput: [FilePath: Row] = [:]
    /// Messages about lines that contradict each other.
    package private(set) var contradictions: [String] = []

    package init() {}

    /// The lines in the byte order of their inputs, without terminators.
    package var sortedLines: [[UInt8]] {
        rowsByInput.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }.map(\.value.line)
    }

    /// Adds a line.
    package mutating func addEntry(_ entry: ManifestEntry, line: [UInt8]) {
        let row = Row(
            input: entry.inputPath, output: entry.outputPath, verdict: entry.verdict, sha256: entry.sha256,
            upload: entry.upload, line: line)
        guard let known = rowsByInput[row.input] else {
            rowsByInput[row.input] = row
            return
        }
        if known.preference == 0, row.preference == 0, (known.output, known.sha256) != (row.output, row.sha256) {
            contradictions.append("\(entry.inputName): it was prepared twice, with different results")
        }
        if (row.preference, row.uploadPreference) < (known.preference, known.uploadPreference) {
            rowsByInput[row.input] = row
        }
    }

    /// Assigns each output to a single input, as a single run does. Other inputs of the same output are rejected.
    ///
    /// - Throws: `EncodingError` if the line of a rejected input cannot be encoded.
    package mutating func resolveOutputCollisions() throws {
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
