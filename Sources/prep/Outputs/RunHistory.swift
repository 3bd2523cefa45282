internal import Ledger
internal import MediaPrep
internal import SystemPackage
internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The results of earlier runs that need not be repeated.
struct RunHistory: Sendable {
    private let ledger: LedgerDatabase
    private let optionsFingerprint: [UInt8]
    /// The fingerprints of the same options in all revisions of the pipeline.
    private let equivalentFingerprints: Set<[UInt8]>
    private let access: OutputAccess
    private let ignoresInode: Bool
    private let keepsOutputs: Bool

    /// Creates the history for a run.
    ///
    /// - Parameters:
    ///   - ledger: The ledger of earlier runs.
    ///   - pipeline: The pipeline. Its options are part of the options' fingerprint.
    ///   - keepsDates: Whether outputs get the modification times of their inputs. This is part of the fingerprint.
    ///   - isPublic: Whether everyone may read the outputs. This is part of the fingerprint.
    ///   - ignoresInode: Whether a file may have a different inode, as after a copy. The change time (ctime) is then
    ///     ignored as well, because a copy has a new one even if its modification time is preserved.
    ///   - keepsOutputs: Whether outputs are kept after the run. If not, all inputs are prepared again, and only
    ///     digests are recorded.
    /// - Throws: An error if the options cannot be encoded.
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

    /// Returns the positions of the inputs that are not up to date, in ascending order.
    ///
    /// - Parameters:
    ///   - inputs: The inputs of the run.
    ///   - positions: The positions to consider, in ascending order.
    ///   - directory: The output directory.
    ///   - carryOver: Called with the record of each input that is up to date.
    /// - Throws: `RunError` if the ledger cannot be read; the error of `carryOver`.
    func remainingPositions(
        of inputs: InputList, at positions: [Int], in directory: FilePath, carryOver: (InputRecord) throws -> Void
    ) throws -> [Int] {
        guard keepsOutputs else { return positions }
        var remaining: [Int] = []
        var next = positions.startIndex
        let directory = directory.bytes + [UInt8(ascii: "/")]
        do {
            // The records and the inputs are both in byte order of their paths, so one pass merges them.
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

    /// Records results in the ledger.
    ///
    /// Failures, and results that depend on more than the input and the options, are not recorded. The next run tries
    /// them again.
    ///
    /// - Throws: `RunError` if the ledger cannot be written.
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

    /// Returns whether the recorded result is still valid: the input and the options are unchanged, and the output
    /// exists.
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
            // The permissions of the input may have changed, which the change time (ctime) would otherwise reveal.
            guard access.allows(file.permissions, ofOutputFor: inputs.permissions(at: position)) else { return false }
        }
        let written = FileStamp(file)
        return written.size == output.size && written.modifiedNanoseconds == output.modifiedNanoseconds
    }

    /// Returns whether an input without an output would be skipped or rejected as recorded. An input that was skipped
    /// in a directory is rejected if it is named itself.
    private func wouldBeSkippedAgain(_ record: InputRecord, input: DiscoveredInput) -> Bool {
        guard let reason = record.reasonCode,
            let isSkipped = ManifestLine.isSkipped(input, errorCode: MediaError.Code(rawValue: reason))
        else { return true }
        return (record.verdict == ManifestLine.Verdict.skipped.rawValue) == isSkipped
    }
}

extension LedgerDatabase {
    /// Opens a ledger.
    ///
    /// - Parameters:
    ///   - path: The path of the ledger.
    ///   - followsLinks: Whether the file may be a link, because the user named it.
    ///   - access: Who may read a new ledger.
    ///   - adviceIfInUse: The advice in the message if another run has the ledger open.
    /// - Throws: `RunError` if the ledger cannot be opened, or another run has it open.
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

    /// Closes the ledger, and throws a `RunError` if that fails.
    func closeThrowingRunError() throws(RunError) {
        do throws(LedgerError) { try close() } catch { throw RunError("\(error)") }
    }
}

/// Looks up the digests of the files that were prepared earlier from an input.
struct EarlierDigests: Sendable {
    var ledger: LedgerDatabase
    /// Whether the ledger belongs to an output directory. Such a ledger stores input paths as they were given.
    var keepsOutputs: Bool
    var digestsFromOtherLedgers = DigestGroups()

    /// Returns the earlier digests of an input that is now prepared as the file with the digest `sha256`.
    ///
    /// - Throws: `RunError` if the ledger cannot be read.
    func callAsFunction(of input: FilePath, before sha256: String) throws(RunError) -> [String] {
        do throws(LedgerError) {
            let name = Self.ledgerKey(for: input, keepsOutputs: keepsOutputs)
            return try ledger.earlierDigests(forInput: name, currentDigest: sha256)
                + digestsFromOtherLedgers.otherDigests(for: sha256)
        } catch {
            throw RunError("\(error)")
        }
    }

    /// Reads all earlier digests from ledgers that the user named.
    ///
    /// - Throws: `RunError` if a ledger does not exist or cannot be read.
    static func all(inNamed ledgers: [FilePath]) throws(RunError) -> DigestGroups {
        var digests = DigestGroups()
        for path in ledgers {
            if FileIdentity(path) == nil { throw RunError("there is no ledger \(path)") }
            do throws(LedgerError) {
                let ledger = try LedgerDatabase(path: path.bytes)
                try ledger.addDigestGroups(to: &digests)
                try ledger.close()
            } catch {
                throw RunError("\(error)")
            }
        }
        return digests
    }

    /// Reads all earlier digests from the ledgers of an output directory.
    ///
    /// - Parameters:
    ///   - output: The output directory.
    ///   - others: Ledgers to leave out because they are open or were already read.
    ///   - digests: Receives the digests.
    ///   - warn: Called for each ledger that cannot be read, or once if the directory cannot be read.
    static func readLedgers(
        in output: FilePath, except others: [FilePath], into digests: inout DigestGroups,
        warn: (_ message: String) -> Void
    ) {
        let directory = OutputDirectory.stateDirectory(in: output)
        let names: [FilePath.Component]
        do throws(Errno) {
            names = try DirectoryHandle(output).openSubdirectory(named: ".prep").entryNames()
        } catch .noSuchFileOrDirectory {
            return
        } catch {
            warn("\(directory): \(error)")
            return
        }
        for name in names where name.string.hasPrefix("ledger") && name.string.hasSuffix(".sqlite") {
            let path = directory.appending(name)
            if others.contains(where: { FileIdentity(path) == FileIdentity($0) }) { continue }
            do throws(LedgerError) {
                let ledger = try LedgerDatabase(path: path.bytes, followsLinks: false)
                try ledger.addDigestGroups(to: &digests)
                try ledger.close()
            } catch {
                warn("\(error)")
            }
        }
    }

    /// Returns the path under which a ledger stores an input. The user's own ledger stores absolute paths, because it
    /// serves runs in many directories.
    static func ledgerKey(for input: FilePath, keepsOutputs: Bool) -> [UInt8] {
        if keepsOutputs { return input.bytes }
        return FilePath(FileManager.default.currentDirectoryPath).pushing(input).lexicallyNormalized().bytes
    }
}

/// Everything that a result depends on besides its input.
struct OptionsFingerprint: Encodable {
    var images: ImageOptions
    var recordings: AudioOptions
    var keepsDates: Bool
    var isPublic: Bool
    var revision = MediaPipeline.resultRevision

    /// The members of revision 1. Its fingerprints include no other members.
    private static let firstRevisionKeys: Set<String> = [
        "images", "recordings", "keepsDates", "revision", "limits", "allowsTruncated",
        "maxDimension", "quality", "chroma", "filter", "maxBytes", "minQuality", "minSavings", "isProgressive",
        "background", "red", "green", "blue", "allowsDamaged", "inputBytes", "pixels", "dimension", "scans",
        "scanPixels", "arithmeticBytes", "iccBytes", "decodedBytes", "segments",
        "policy", "isQuick", "measuresLevels", "verifiesDuration", "containers", "codecs", "min_seconds", "max_seconds",
        "sample_rates", "channels", "max_bytes", "rejects_silence", "nesting", "elements", "tracks", "headerBytes",
        "searchBytes", "decodedSamples",
    ]

    /// Returns a digest of the options.
    func digestBytes() throws -> [UInt8] { try Self.digest(of: self) }

    /// Returns the digests of the same options in this revision and all earlier ones, with any handling of dates and
    /// permissions. These two options do not affect the content of outputs.
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
        let json = Array(try sortedJSON(encoding: value))
        return Array(SHA256Hasher(hashing: json).hexDigest().utf8.prefix(32))
    }
}

extension JSONValue {
    /// Returns the value without object members of other names, at any depth.
    fileprivate func keepingMembers(named names: Set<String>) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { names.contains($0.key) }.mapValues { $0.keepingMembers(named: names) })
    }
}
