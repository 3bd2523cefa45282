internal import Diagnostics
package import Ledger
package import MediaPrep
internal import SystemPackage
internal import SystemSupport

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The results of earlier runs that need not be repeated.
package struct RunHistory: Sendable {
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
    package init(
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
    /// Among them, inputs that would replace the output of an input that is not part of the run are rejected. If the
    /// output directory is below an input directory, files in it that no run has recorded are protected from the
    /// outputs of the others.
    ///
    /// - Parameters:
    ///   - inputs: The inputs of the run.
    ///   - positions: The positions to consider, in ascending order.
    ///   - directory: The output directory.
    ///   - carryOver: Called with the record of each input that is up to date.
    /// - Throws: `BatchError` if the ledger cannot be read; `CancellationError`; the error of `carryOver`.
    func remainingPositions(
        of inputs: inout InputList, at positions: [Int], in directory: FilePath,
        carryOver: (InputRecord) throws -> Void
    ) throws -> [Int] {
        guard keepsOutputs else { return positions }
        let directory = directory.bytes + [UInt8(ascii: "/")]
        var otherOutputs = OtherInputsOutputs(inputs: inputs, inputPositions: positions, outputDirectory: directory)
        let protectsFiles = inputs.surroundOutputDirectory
        var recordedNames: Set<OutputNaming.CollisionKey> = []
        func insertName(of record: InputRecord) {
            guard protectsFiles, let output = record.output else { return }
            recordedNames.insert(OutputNaming.CollisionKey(output.path))
        }
        do {
            let remaining = try mergeRecords(with: inputs, at: positions) { (record, position) in
                insertName(of: record)
                guard isUpToDate(record, forInputIn: inputs, at: position, outputDirectory: directory),
                    StoredLineValidator.lineMatchesRecord(record)
                else { return false }
                try carryOver(record)
                return true
            } onOtherRecord: { record in
                insertName(of: record)
                otherOutputs.insertOutput(of: record)
            }
            for position in remaining {
                try Task.checkCancellation()
                let reason = try otherOutputs.rejectionReason(at: position, findRecord: ledger.record)
                if let reason {
                    inputs.reject(at: position, reason: reason)
                } else if protectsFiles,
                    try isUnrecordedFile(
                        atOutputOf: position, in: inputs, outputDirectory: directory, recordedNames: recordedNames)
                {
                    inputs.protectExistingOutput(at: position)
                }
            }
            return remaining
        } catch let error as LedgerError {
            throw BatchError(.journalFailed, message: "\(error)", cause: error)
        }
    }

    /// Finds the records of inputs in the ledger.
    ///
    /// - Parameters:
    ///   - inputs: The inputs of the run.
    ///   - positions: The positions to consider, in ascending order.
    ///   - isDone: Takes the record of an input and its position. Returns whether nothing remains to be done for it.
    ///   - onOtherRecord: Called with each record of an input that is not part of the run, in no shard of it.
    /// - Returns: Those of `positions` that have no record, or for which `isDone` returned `false`.
    /// - Throws: `LedgerError`; the error of `isDone`.
    private func mergeRecords(
        with inputs: InputList, at positions: [Int], isDone: (_ record: InputRecord, _ position: Int) throws -> Bool,
        onOtherRecord: (InputRecord) -> Void
    ) throws -> [Int] {
        var remaining: [Int] = []
        var next = 0
        var unvisited = positions[...]
        /// Moves on to the next input. Returns whether the one before is to be considered.
        func passInput() -> Bool {
            defer { next += 1 }
            return unvisited.first == next && unvisited.popFirst() != nil
        }
        // The records and the inputs are both in byte order of their paths, so one pass merges them.
        try ledger.forEachRecord { record in
            while next < inputs.count {
                let position = next, path = inputs.pathBytes(at: position)
                if path.elementsEqual(record.inputPath) {
                    if passInput(), try !isDone(record, position) { remaining.append(position) }
                    return
                }
                guard path.lexicographicallyPrecedes(record.inputPath) else { break }
                if passInput() { remaining.append(position) }
            }
            onOtherRecord(record)
        }
        return remaining + unvisited
    }

    /// Returns whether a file that no run has recorded may have the name of the output of the input at `position`.
    private func isUnrecordedFile(
        atOutputOf position: Int, in inputs: InputList, outputDirectory directory: [UInt8],
        recordedNames: Set<OutputNaming.CollisionKey>
    ) throws(LedgerError) -> Bool {
        let names = inputs.possibleOutputNames(at: position).filter { FileSystem.stat(directory + $0) != nil }
        if names.isEmpty || names.contains(where: { recordedNames.contains(OutputNaming.CollisionKey($0)) }) {
            return false
        }
        // Of a preliminary output only the digest is recorded.
        return try !ledger.hasDigests(ofInput: Array(inputs.pathBytes(at: position)))
    }

    /// Records results in the ledger.
    ///
    /// Failures, and results that depend on more than the input and the options, are not recorded. The next run tries
    /// them again. Of preliminary results, and of outputs that are not kept, only the digests are recorded.
    ///
    /// - Throws: `BatchError` if the ledger cannot be written; `EncodingError` if a line cannot be encoded.
    func recordResults(_ outputs: inout [PendingOutput]) throws {
        var records: [InputRecord] = [], digestRecords: [InputRecord] = []
        for index in outputs.indices {
            guard let record = try makeRecord(for: &outputs[index]) else { continue }
            if keepsOutputs && !outputs[index].isPreliminary {
                records.append(record)
            } else {
                digestRecords.append(record)
            }
        }
        do throws(LedgerError) {
            if !records.isEmpty {
                try ledger.saveRecords(records, equivalentFingerprints: equivalentFingerprints)
            }
            if !digestRecords.isEmpty {
                try ledger.saveDigests(of: digestRecords, equivalentFingerprints: equivalentFingerprints)
            }
        } catch {
            throw BatchError(.journalFailed, message: "\(error)", cause: error)
        }
    }

    /// Returns the record of a result, or `nil` if the result is not recorded.
    private func makeRecord(for finished: inout PendingOutput) throws -> InputRecord? {
        guard let version = finished.inputVersion, let verdict = finished.manifestLine.verdict, verdict != .failed
        else {
            return nil
        }
        return InputRecord(
            inputPath: EarlierDigests.ledgerKey(for: finished.manifestLine.input, keepsOutputs: keepsOutputs),
            fileVersion: version,
            fingerprint: optionsFingerprint,
            output: finished.draft.map {
                InputRecord.OutputFile(
                    path: $0.outputPath.bytes, size: $0.byteCount, modifiedNanoseconds: $0.modificationTime)
            },
            verdict: verdict.rawValue, reasonCode: finished.manifestLine.reasons.first?.code.rawValue,
            manifestLine: try finished.encodeLine().dropLast())
    }

    /// Returns whether the recorded result is still valid: the input and the options are unchanged, and the output
    /// exists.
    private func isUpToDate(
        _ record: InputRecord, forInputIn inputs: InputList, at position: Int, outputDirectory directory: [UInt8]
    ) -> Bool {
        guard record.fingerprint == optionsFingerprint, let version = inputs.fileVersion(at: position),
            version.isUnchanged(since: record.fileVersion, ignoringInode: ignoresInode),
            !inputs.isRejected(at: position),
            // The image of a Live Photo may have been added or removed since.
            inputs.isLivePhotoVideo(at: position) == (record.reasonCode == Diagnostic.Code.livePhotoVideo.rawValue)
        else { return false }
        guard let output = record.output else { return wouldBeSkippedAgain(record, input: inputs[position]) }
        guard inputs.possibleOutputNames(at: position).contains(output.path),
            let file = FileSystem.stat(directory + output.path)
        else { return false }
        if ignoresInode {
            // The permissions of the input may have changed, which the change time (ctime) would otherwise reveal.
            guard access.allows(file.permissions, ofOutputFor: inputs.permissions(at: position)) else { return false }
        }
        return output.isUnchanged(file)
    }

    /// Returns whether an input without an output would be skipped or rejected as recorded. An input that was skipped
    /// in a directory is rejected if it is named itself.
    private func wouldBeSkippedAgain(_ record: InputRecord, input: DiscoveredInput) -> Bool {
        guard let reason = record.reasonCode,
            let isSkipped = ManifestLine.isSkipped(input, errorCode: MediaError.Code(rawValue: reason))
        else { return true }
        return (record.verdict == Verdict.skipped.rawValue) == isSkipped
    }
}
