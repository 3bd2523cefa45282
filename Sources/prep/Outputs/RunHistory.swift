internal import Ledger
internal import MediaPrep
internal import SystemPackage
internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What earlier runs did, and so needn't be done again.
struct RunHistory: Sendable {
    private let ledger: LedgerDatabase
    private let optionsFingerprint: [UInt8]
    /// Those of the same options in all revisions of the pipeline.
    private let equivalentFingerprints: Set<[UInt8]>
    private let access: OutputAccess
    private let ignoresInode: Bool
    private let keepsOutputs: Bool

    /// - Parameters:
    ///   - pipeline: what results depend on besides the inputs, with whether outputs have their dates, and whether
    ///     everyone may read them.
    ///   - ignoresInode: whether a file may have another number than it had, as after a copy. A copy is also new to its
    ///     file system, which the time of the last change of any kind says, whatever date it was given: that then
    ///     counts no more.
    ///   - keepsOutputs: whether outputs stay after the run. If not, all is done again, and only digests are kept.
    init(
        ledger: LedgerDatabase, pipeline: MediaPipeline, keepsDates: Bool, isPublic: Bool, ignoresInode: Bool,
        keepsOutputs: Bool = true
    ) throws {
        self.ledger = ledger
        access = isPublic ? .everyone : .sameAsInputs
        self.ignoresInode = ignoresInode
        self.keepsOutputs = keepsOutputs
        let current = OptionsFingerprint(
            images: pipeline.imagePreparer.options, recordings: pipeline.audioPreparer.options, keepsDates: keepsDates,
            isPublic: isPublic)
        optionsFingerprint = try current.digestBytes()
        equivalentFingerprints = try current.equivalentDigests()
    }

    /// Those of the inputs at `positions`, in order, that are to be done.
    ///
    /// - Parameter carryOver: called for each of the others, with what was recorded of it.
    func remainingPositions(
        of inputs: InputList, at positions: [Int], in directory: FilePath, carryOver: (InputRecord) throws -> Void
    ) throws -> [Int] {
        guard keepsOutputs else { return positions }
        var remaining: [Int] = []
        var next = positions.startIndex
        let directory = directory.bytes + [UInt8(ascii: "/")]
        do {
            // Both are in the order of the paths' bytes.
            try ledger.forEachRecord { record in
                while next < positions.endIndex {
                    let path = inputs.pathBytes(at: positions[next])
                    let isSame = path.elementsEqual(record.inputPath)
                    if !isSame && !path.lexicographicallyPrecedes(record.inputPath) { return }
                    if isSame, isUpToDate(record, forInputIn: inputs, at: positions[next], outputDirectory: directory),
                        StoredLineValidator.isLineConsistent(in: record)
                    {
                        try carryOver(record)
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

    /// Records results. Failures are not among them, nor what depends on more than the input and the options: they are
    /// tried again by the next run.
    func recordResults(_ results: some Sequence<(PendingOutput, Data)>) throws(RunError) {
        let records = results.compactMap { finished, line in makeRecord(for: finished, line: line) }
        guard !records.isEmpty else { return }
        do throws(LedgerError) {
            if keepsOutputs {
                try ledger.saveRecords(records, equivalentFingerprints: equivalentFingerprints)
            } else {
                try ledger.saveDigests(of: records, equivalentFingerprints: equivalentFingerprints)
            }
        } catch {
            throw RunError("\(error)")
        }
    }

    private func makeRecord(for finished: PendingOutput, line: Data) -> InputRecord? {
        guard let stamp = finished.inputStamp, let verdict = finished.manifestLine.verdict, verdict != .failed else {
            return nil
        }
        return InputRecord(
            inputPath: EarlierDigests.ledgerKey(for: finished.manifestLine.input, keepsOutputs: keepsOutputs),
            fileStamp: stamp,
            fingerprint: optionsFingerprint,
            output: finished.draft.map {
                InputRecord.OutputFile(
                    path: $0.outputPath.bytes, size: $0.byteCount, modifiedNanoseconds: $0.modificationTime)
            },
            verdict: verdict.rawValue, reasonCode: finished.manifestLine.reasons.first?.code,
            manifestLine: line.dropLast())
    }

    /// Whether what was recorded is what would be done: of the same file, with the same options, to an output that is
    /// there.
    private func isUpToDate(
        _ record: InputRecord, forInputIn inputs: InputList, at position: Int, outputDirectory directory: [UInt8]
    ) -> Bool {
        guard record.fingerprint == optionsFingerprint, var stamp = inputs.fileStamp(at: position),
            !inputs.isRejected(at: position)
        else { return false }
        if ignoresInode {
            (stamp.inode, stamp.changedNanoseconds) = (record.fileStamp.inode, record.fileStamp.changedNanoseconds)
        }
        guard stamp == record.fileStamp else { return false }
        guard let output = record.output else { return wouldBeSkippedAgain(record, input: inputs[position]) }
        guard inputs.possibleOutputNames(at: position).contains(output.path),
            let file = FileSystem.stat(directory + output.path)
        else { return false }
        if ignoresInode {
            // The input may have been given other permissions since.
            guard access.allows(file.permissions, ofOutputFor: inputs.permissions(at: position)) else { return false }
        }
        let written = FileStamp(file)
        return written.size == output.size && written.modifiedNanoseconds == output.modifiedNanoseconds
    }

    /// Whether what was passed over would be again: it is rejected where it is named itself.
    private func wouldBeSkippedAgain(_ record: InputRecord, input: DiscoveredInput) -> Bool {
        guard let reason = record.reasonCode,
            let isSkipped = ManifestLine.isSkipped(input, errorCode: MediaError.Code(rawValue: reason))
        else { return true }
        return (record.verdict == ManifestLine.Verdict.skipped.rawValue) == isSkipped
    }
}

extension LedgerDatabase {
    /// - Parameters:
    ///   - followsLinks: whether the user named the file, so that it may be a link.
    ///   - access: who may read a ledger that does not exist yet.
    /// - Throws: if it can't be opened, or another run has it.
    static func open(
        at path: FilePath, followsLinks: Bool, access: OutputAccess, adviceIfInUse: String
    ) throws(RunError) -> LedgerDatabase {
        do throws(LedgerError) {
            try LedgerDatabase.limitMemory()
            return try LedgerDatabase(
                path: path.bytes, followsLinks: followsLinks,
                permissions: UInt16(access.auxiliaryFilePermissions.rawValue))
        } catch {
            throw RunError("\(error)\(error.code == .inUse ? "; \(adviceIfInUse)" : "")")
        }
    }

    /// Gives it up.
    func closeThrowingRunError() throws(RunError) {
        do throws(LedgerError) { try close() } catch { throw RunError("\(error)") }
    }
}

/// The digests of what inputs were prepared as before.
struct EarlierDigests: Sendable {
    var ledger: LedgerDatabase
    /// Whether it is the ledger of an output directory, which names inputs as they were named.
    var keepsOutputs: Bool
    /// Those that other ledgers have of a digest.
    var digestsFromOtherLedgers: [String: [String]] = [:]

    /// Those of an input that is now prepared as `sha256`.
    func callAsFunction(of input: FilePath, before sha256: String) throws(RunError) -> [String] {
        do throws(LedgerError) {
            let name = Self.ledgerKey(for: input, keepsOutputs: keepsOutputs)
            return try ledger.earlierDigests(forInput: name, currentDigest: sha256)
                + (digestsFromOtherLedgers[sha256] ?? [])
        } catch {
            throw RunError("\(error)")
        }
    }

    /// Reads those of ledgers that the user named.
    ///
    /// - Throws: if there is none of that name, or it can't be read.
    static func all(inNamed ledgers: [FilePath]) throws(RunError) -> [String: [String]] {
        var digests: [String: [String]] = [:]
        for path in ledgers {
            if FileIdentity(path) == nil { throw RunError("there is no ledger \(path)") }
            do throws(LedgerError) {
                let ledger = try LedgerDatabase(path: path.bytes)
                digests.merge(try ledger.earlierDigestsByDigest()) { $0 + $1 }
                try ledger.close()
            } catch {
                throw RunError("\(error)")
            }
        }
        return digests
    }

    /// Reads those of the ledgers of an output directory, but for some that are open or were read.
    ///
    /// - Parameter warn: called for each ledger that can't be read, and for all of them if they can't be found.
    static func readLedgers(
        in output: FilePath, except others: [FilePath], warn: (_ message: String) -> Void
    ) -> [String: [String]] {
        var digests: [String: [String]] = [:]
        let directory = OutputDirectory.stateDirectory(in: output)
        let names: [FilePath.Component]
        do throws(Errno) {
            names = try DirectoryHandle(output).openSubdirectory(named: ".prep").entryNames()
        } catch .noSuchFileOrDirectory {
            return [:]
        } catch {
            warn("\(directory): \(error)")
            return [:]
        }
        for name in names where name.string.hasPrefix("ledger") && name.string.hasSuffix(".sqlite") {
            let path = directory.appending(name)
            if others.contains(where: { FileIdentity(path) == FileIdentity($0) }) { continue }
            do throws(LedgerError) {
                let ledger = try LedgerDatabase(path: path.bytes, followsLinks: false)
                digests.merge(try ledger.earlierDigestsByDigest()) { $0 + $1 }
                try ledger.close()
            } catch {
                warn("\(error)")
            }
        }
        return digests
    }

    /// What the ledger calls an input: the user's ledger serves runs in many directories.
    static func ledgerKey(for input: FilePath, keepsOutputs: Bool) -> [UInt8] {
        if keepsOutputs { return input.bytes }
        return FilePath(FileManager.default.currentDirectoryPath).pushing(input).lexicallyNormalized().bytes
    }
}

/// Stands for all that a result depends on besides its input.
struct OptionsFingerprint: Encodable {
    var images: ImageOptions
    var recordings: AudioOptions
    var keepsDates: Bool
    var isPublic: Bool
    var revision = MediaPipeline.resultRevision

    /// The members of revision 1, whose fingerprints have no other.
    private static let firstRevisionKeys: Set<String> = [
        "images", "recordings", "keepsDates", "revision", "limits", "allowsTruncated",
        "maxDimension", "quality", "chroma", "filter", "maxBytes", "minQuality", "minSavings", "isProgressive",
        "background", "red", "green", "blue", "allowsDamaged", "inputBytes", "pixels", "dimension", "scans",
        "scanPixels", "arithmeticBytes", "iccBytes", "decodedBytes", "segments",
        "policy", "isQuick", "measuresLevels", "verifiesDuration", "containers", "codecs", "min_seconds", "max_seconds",
        "sample_rates", "channels", "max_bytes", "rejects_silence", "nesting", "elements", "tracks", "headerBytes",
        "searchBytes", "decodedSamples",
    ]

    /// A digest of it.
    func digestBytes() throws -> [UInt8] { try Self.digest(of: self) }

    /// The digests of the same options in this revision and in all before it. Neither dates nor permissions change what
    /// outputs hold.
    func equivalentDigests() throws -> Set<[UInt8]> {
        var digests: Set<[UInt8]> = []
        for revision in 1...max(revision, 1) {
            for (keepsDates, isPublic) in [(false, false), (false, true), (true, false), (true, true)] {
                var other = self
                (other.revision, other.keepsDates, other.isPublic) = (revision, keepsDates, isPublic)
                let json = try JSONDecoder().decode(JSONValue.self, from: try Self.sortedJSON(encoding: other))
                digests.insert(
                    try Self.digest(of: revision == 1 ? json.keepingMembers(named: Self.firstRevisionKeys) : json))
            }
        }
        return digests
    }

    private static func sortedJSON(encoding value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
    }

    private static func digest(of value: some Encodable) throws -> [UInt8] {
        var digest = SHA256Hasher()
        digest.update(bytes: Array(try sortedJSON(encoding: value)))
        return Array(digest.hexDigest().utf8.prefix(32))
    }
}

extension JSONValue {
    /// The same without those members of objects, at any depth, that have other names.
    fileprivate func keepingMembers(named names: Set<String>) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { names.contains($0.key) }.mapValues { $0.keepingMembers(named: names) })
    }
}
