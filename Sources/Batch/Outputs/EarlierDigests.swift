package import Ledger
internal import MediaPrep
package import SystemPackage
internal import SystemSupport

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Looks up the digests of the files that were prepared earlier from an input.
package struct EarlierDigests: Sendable {
    var ledger: LedgerDatabase
    /// Whether the ledger belongs to an output directory. Such a ledger stores input paths as they were given.
    var keepsOutputs: Bool
    package var digestsFromOtherLedgers = DigestGroups()

    package init(ledger: LedgerDatabase, keepsOutputs: Bool) {
        self.ledger = ledger
        self.keepsOutputs = keepsOutputs
    }

    /// Returns the earlier digests of an input that is now prepared as the file with the digest `sha256`.
    ///
    /// - Throws: `BatchError` if the ledger cannot be read.
    package func digests(forInput input: FilePath, currentDigest sha256: String) throws(BatchError) -> [String] {
        do throws(LedgerError) {
            let name = Self.ledgerKey(for: input, keepsOutputs: keepsOutputs)
            return try ledger.earlierDigests(forInput: name, currentDigest: sha256)
                + digestsFromOtherLedgers.otherDigests(for: sha256)
        } catch {
            throw BatchError(.journalFailed, message: "\(error)", cause: error)
        }
    }

    /// Reads all earlier digests from ledgers.
    ///
    /// - Throws: `BatchError` if a ledger does not exist or cannot be read.
    package static func readLedgers(at ledgers: [FilePath]) throws(BatchError) -> DigestGroups {
        var digests = DigestGroups()
        for path in ledgers {
            if FileIdentity(path) == nil { throw BatchError(.journalFailed, message: "there is no ledger \(path)") }
            do throws(LedgerError) {
                let ledger = try LedgerDatabase(path: path.bytes)
                try ledger.addDigestGroups(to: &digests)
                try ledger.close()
            } catch {
                throw BatchError(.journalFailed, message: "\(error)", cause: error)
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
    package static func readLedgers(
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
