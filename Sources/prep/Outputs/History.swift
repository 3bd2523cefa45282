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
struct History: Sendable {
    private let ledger: LedgerDatabase
    private let fingerprint: [UInt8]
    /// Those of the same options in all revisions of the pipeline.
    private let equivalents: Set<[UInt8]>
    private let access: OutputAccess
    private let ignoresInode: Bool
    private let keepsOutputs: Bool

    /// - Parameters:
    ///   - pipeline: what results depend on besides the inputs, with whether outputs have their dates, and whether
    ///     everyone may read them.
    ///   - ignoresInode: whether a file may have another number than it had, as after a copy. A copy is also new to its file
    ///     system, which the time of the last change of any kind says, whatever date it was given: that then counts no more.
    ///   - keepsOutputs: whether outputs stay after the run. If not, all is done again, and only digests are kept.
    init(
        _ ledger: LedgerDatabase, of pipeline: MediaPipeline, keepsDates: Bool, isPublic: Bool, ignoresInode: Bool,
        keepsOutputs: Bool = true
    ) throws {
        self.ledger = ledger
        access = isPublic ? .everyone : .likeInputs
        self.ignoresInode = ignoresInode
        self.keepsOutputs = keepsOutputs
        let current = Fingerprint(
            images: pipeline.imagePreparer.options, recordings: pipeline.audioPreparer.options, keepsDates: keepsDates,
            isPublic: isPublic)
        fingerprint = try current.bytes()
        equivalents = try current.equivalents()
    }

    /// Those of the inputs at `positions`, in order, that are to be done.
    ///
    /// - Parameter carry: called for each of the others, with what was recorded of it.
    func remaining(
        of inputs: InputList, at positions: [Int], in directory: FilePath, carry: (InputRecord) throws -> Void
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
            if keepsOutputs {
                try ledger.saveRecords(records, equivalentFingerprints: equivalents)
            } else {
                try ledger.saveDigests(of: records, equivalentFingerprints: equivalents)
            }
        } catch {
            throw RunError("\(error)")
        }
    }

    private func record(of finished: Finished, _ line: Data) -> InputRecord? {
        guard let stamp = finished.stamp, let verdict = finished.line.verdict, verdict != .failed else { return nil }
        return InputRecord(
            inputPath: EarlierDigests.name(of: finished.line.input, keepsOutputs: keepsOutputs), fileStamp: stamp,
            fingerprint: fingerprint,
            output: finished.draft.map {
                InputRecord.OutputFile(path: $0.name.bytes, size: $0.size, modifiedNanoseconds: $0.modified)
            },
            verdict: verdict.rawValue, reasonCode: finished.line.reasons.first?.code, manifestLine: line.dropLast())
    }

    /// Whether what was recorded is what would be done: of the same file, with the same options, to an output that is there.
    private func holds(_ record: InputRecord, of inputs: InputList, at position: Int, in directory: [UInt8]) -> Bool {
        guard record.fingerprint == fingerprint, var stamp = inputs.stamp(at: position), !inputs.isRefused(at: position)
        else { return false }
        if ignoresInode {
            (stamp.inode, stamp.changedNanoseconds) = (record.fileStamp.inode, record.fileStamp.changedNanoseconds)
        }
        guard stamp == record.fileStamp else { return false }
        guard let output = record.output else { return isJudgedAlike(record, inputs[position]) }
        guard inputs.outputs(at: position).contains(output.path),
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
    private func isJudgedAlike(_ record: InputRecord, _ input: Input) -> Bool {
        guard let reason = record.reasonCode,
            let isSkipped = ManifestLine.isSkipped(input, for: MediaError.Code(rawValue: reason))
        else { return true }
        return (record.verdict == ManifestLine.Verdict.skipped.rawValue) == isSkipped
    }
}

extension LedgerDatabase {
    /// - Parameters:
    ///   - isNamed: whether the user named the file, so that it may be a link.
    ///   - access: who may read a ledger that does not exist yet.
    /// - Throws: if it can't be opened, or another run has it.
    static func opened(
        at path: FilePath, isNamed: Bool, access: OutputAccess, advice: String
    ) throws(RunError) -> LedgerDatabase {
        do throws(LedgerError) {
            try LedgerDatabase.limitMemory()
            return try LedgerDatabase(
                path: path.bytes, followsLinks: isNamed, permissions: UInt16(access.permissions.rawValue))
        } catch {
            throw RunError("\(error)\(error.code == .inUse ? "; \(advice)" : "")")
        }
    }

    /// Gives it up.
    func end() throws(RunError) {
        do throws(LedgerError) { try close() } catch { throw RunError("\(error)") }
    }
}

/// The digests of what inputs were prepared as before.
struct EarlierDigests: Sendable {
    var ledger: LedgerDatabase
    /// Whether it is the ledger of an output directory, which names inputs as they were named.
    var keepsOutputs: Bool
    /// Those that other ledgers have of a digest.
    var others: [String: [String]] = [:]

    /// Those of an input that is now prepared as `sha256`.
    func callAsFunction(of input: FilePath, before sha256: String) throws(RunError) -> [String] {
        do throws(LedgerError) {
            let name = Self.name(of: input, keepsOutputs: keepsOutputs)
            return try ledger.earlierDigests(forInput: name, currentDigest: sha256) + (others[sha256] ?? [])
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
    static func all(
        in output: FilePath, except others: [FilePath], warn: (_ message: String) -> Void
    ) -> [String: [String]] {
        var digests: [String: [String]] = [:]
        let directory = OutputDirectory.privatePath(in: output)
        let names: [FilePath.Component]
        do throws(Errno) {
            names = try DirectoryHandle(output).subdirectory(".prep").names()
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
    static func name(of input: FilePath, keepsOutputs: Bool) -> [UInt8] {
        if keepsOutputs { return input.bytes }
        return FilePath(FileManager.default.currentDirectoryPath).pushing(input).lexicallyNormalized().bytes
    }
}

/// Stands for all that a result depends on besides its input.
struct Fingerprint: Encodable {
    var images: ImageOptions
    var recordings: AudioOptions
    var keepsDates: Bool
    var isPublic: Bool
    var revision = MediaPipeline.resultRevision

    /// The members of revision 1, whose fingerprints have no other.
    private static let firstMembers: Set<String> = [
        "images", "recordings", "keepsDates", "revision", "limits", "allowsTruncated",
        "maxDimension", "quality", "chroma", "filter", "maxBytes", "minQuality", "minSavings", "isProgressive",
        "background", "red", "green", "blue", "allowsDamaged", "inputBytes", "pixels", "dimension", "scans",
        "scanPixels", "arithmeticBytes", "iccBytes", "decodedBytes", "segments",
        "policy", "isQuick", "measuresLevels", "verifiesDuration", "containers", "codecs", "min_seconds", "max_seconds",
        "sample_rates", "channels", "max_bytes", "rejects_silence", "nesting", "elements", "tracks", "headerBytes",
        "searchBytes", "decodedSamples",
    ]

    /// A digest of it.
    func bytes() throws -> [UInt8] { try Self.digest(of: self) }

    /// The digests of the same options in this revision and in all before it. Neither dates nor permissions change what
    /// outputs hold.
    func equivalents() throws -> Set<[UInt8]> {
        var digests: Set<[UInt8]> = []
        for revision in 1...max(revision, 1) {
            for (keepsDates, isPublic) in [(false, false), (false, true), (true, false), (true, true)] {
                var other = self
                (other.revision, other.keepsDates, other.isPublic) = (revision, keepsDates, isPublic)
                let json = try JSONDecoder().decode(JSONValue.self, from: try Self.json(other))
                digests.insert(try Self.digest(of: revision == 1 ? json.keeping(Self.firstMembers) : json))
            }
        }
        return digests
    }

    private static func json(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
    }

    private static func digest(of value: some Encodable) throws -> [UInt8] {
        var digest = SHA256Hasher()
        digest.update(bytes: Array(try json(value)))
        return Array(digest.hexDigest().utf8.prefix(32))
    }
}

extension JSONValue {
    /// The same without those members of objects, at any depth, that have other names.
    fileprivate func keeping(_ names: Set<String>) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { names.contains($0.key) }.mapValues { $0.keeping(names) })
    }
}
