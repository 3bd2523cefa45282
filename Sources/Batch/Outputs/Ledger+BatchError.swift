package import Ledger
package import SystemPackage

extension LedgerDatabase {
    /// Limits the memory of SQLite in this process.
    ///
    /// - Throws: `BatchError` if the limit cannot be set.
    package static func limitMemoryThrowingBatchError() throws(BatchError) {
        do throws(LedgerError) { try limitMemory() } catch {
            throw BatchError(.journalFailed, message: "\(error)", cause: error)
        }
    }

    /// Opens a ledger.
    ///
    /// - Parameters:
    ///   - path: The path of the ledger.
    ///   - followsLinks: Whether the file may be a link, because the user named it.
    ///   - access: Who may read a new ledger.
    ///   - adviceIfInUse: The advice in the message if another run has the ledger open.
    /// - Throws: `BatchError` if the ledger cannot be opened, or another run has it open.
    package static func open(
        at path: FilePath, followsLinks: Bool, access: OutputAccess, adviceIfInUse: String
    ) throws(BatchError) -> LedgerDatabase {
        do throws(LedgerError) {
            return try LedgerDatabase(
                path: path.bytes, followsLinks: followsLinks,
                permissions: UInt16(access.auxiliaryFilePermissions.rawValue))
        } catch {
            throw BatchError(
                .journalFailed, message: "\(error)\(error.code == .inUse ? "; \(adviceIfInUse)" : "")", cause: error)
        }
    }

    /// Closes the ledger, and throws a `BatchError` if that fails.
    func closeThrowingBatchError() throws(BatchError) {
        do throws(LedgerError) { try close() } catch {
            throw BatchError(.journalFailed, message: "\(error)", cause: error)
        }
    }
}
