internal import FoundationEssentials
internal import Ledger
internal import MediaPrep
internal import SystemPackage
internal import Uploading

/// What earlier runs did, and so needn't be done again.
struct History: Sendable {
    private let ledger: Ledger
    private let fingerprint: [UInt8]
    private let ignoresInode: Bool

    /// - Parameters:
    ///   - pipeline: what results depend on besides the inputs, with whether outputs have their dates, and whether everyone
    ///     may read them.
    ///   - ignoresInode: whether a file may have another number than it had, as after a copy. A copy is also new to its file
    ///     system, which the time of the last change of any kind says, whatever date it was given: that then counts no more.
    init(_ ledger: Ledger, of pipeline: MediaPipeline, keepsDates: Bool, isPublic: Bool, ignoresInode: Bool) throws {
        self.ledger = ledger
        self.ignoresInode = ignoresInode
        fingerprint = try Fingerprint(
            images: pipeline.images.options, recordings: pipeline.recordings.options, keepsDates: keepsDates,
            isPublic: isPublic
        ).bytes()
    }

    /// Those of the inputs at `positions`, in order, that are to be done.
    ///
    /// - Parameter carry: called for each of the others, with what was recorded of it.
    func remaining(
        of inputs: InputList, at positions: [Int], in directory: FilePath, carry: (Record) throws -> Void
    ) throws -> [Int] {
        var remaining: [Int] = []
        var next = positions.startIndex
        let directory = directory.bytes + [UInt8(ascii: "/")]
        do {
            // Both are in the order of the paths' bytes.
            try ledger.forEachRecord { record in
                while next < positions.endIndex {
                    let path = inputs.pathBytes(at: positions[next])
                    let isSame = path.elementsEqual(record.input)
                    if !isSame && !path.lexicographicallyPrecedes(record.input) { return }
                    if isSame, holds(record, of: inputs, at: positions[next], in: directory),
                        StoredLine.isIntact(record)
                    {
                        try carry(record)
                    } else {
                        remaining.append(positions[next])
                    }
                    next += 1
                    if isSame { return }
                }
            }
        } catch let error as LedgerError {
            throw RunError("\(error)")
        }
        return remaining + positions[next...]
    }

    /// Records results. Failures are not among them, nor what depends on more than the input and the options: they are tried
    /// again by the next run.
    func keep(_ results: some Sequence<(Finished, Data)>) throws(RunError) {
        let records = results.compactMap { finished, line in record(of: finished, line) }
        guard !records.isEmpty else { return }
        do throws(LedgerError) {
            try ledger.keep(records)
        } catch {
            throw RunError("\(error)")
        }
    }

    private func record(of finished: Finished, _ line: Data) -> Record? {
        guard let stamp = finished.stamp, let verdict = finished.line.verdict, verdict != .failed else { return nil }
        return Record(
            input: finished.line.input.bytes, stamp: stamp, fingerprint: fingerprint,
            output: finished.draft.map { Record.Output(path: $0.name.bytes, size: $0.size, modified: $0.modified) },
            verdict: verdict.rawValue, reason: finished.line.reasons.first?.code, line: line.dropLast())
    }

    /// Whether what was recorded is what would be done: of the same file, with the same options, to an output that is there.
    private func holds(_ record: Record, of inputs: InputList, at position: Int, in directory: [UInt8]) -> Bool {
        guard record.fingerprint == fingerprint, var stamp = inputs.stamp(at: position), !inputs.isRefused(at: position)
        else { return false }
        if ignoresInode { (stamp.inode, stamp.changed) = (record.stamp.inode, record.stamp.changed) }
        guard stamp == record.stamp else { return false }
        guard let output = record.output else { return isJudgedAlike(record, inputs[position]) }
        guard inputs.outputs(at: position).contains(output.path),
            let written = FileSystem.stamp(of: directory + output.path)
        else { return false }
        return written.size == output.size && written.modified == output.modified
    }

    /// Whether what was passed over would be again: it is rejected where it is named itself.
    private func isJudgedAlike(_ record: Record, _ input: Input) -> Bool {
        guard let reason = record.reason,
            let isSkipped = ManifestLine.isSkipped(input, for: MediaError.Code(rawValue: reason))
        else { return true }
        return (record.verdict == ManifestLine.Verdict.skipped.rawValue) == isSkipped
    }
}

extension Ledger {
    /// - Parameters:
    ///   - isNamed: whether the user named the file, so that it may be a link.
    ///   - access: who may read a ledger that does not exist yet.
    /// - Throws: if it can't be opened, or another run has it.
    static func opened(
        at path: FilePath, isNamed: Bool, access: OutputAccess, advice: String
    ) throws(RunError) -> Ledger {
        do throws(LedgerError) {
            return try Ledger(path: path.bytes, followsLinks: isNamed, permissions: UInt16(access.permissions.rawValue))
        } catch {
            throw RunError("\(error)\(error.code == .inUse ? "; \(advice)" : "")")
        }
    }

    /// Gives it up.
    func end() throws(RunError) {
        do throws(LedgerError) { try close() } catch { throw RunError("\(error)") }
    }
}

/// Stands for all that a result depends on besides its input.
struct Fingerprint: Encodable {
    var images: ImageOptions
    var recordings: AudioOptions
    var keepsDates: Bool
    var isPublic: Bool
    var revision = MediaPipeline.revision

    /// A digest of it.
    func bytes() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var digest = Digest()
        digest.add(Array(try encoder.encode(self)))
        return Array(digest.hexadecimal().utf8.prefix(32))
    }
}
