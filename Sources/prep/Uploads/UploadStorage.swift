// `unsafe`: getenv.

internal import SystemPackage
internal import Uploading

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Where an upload keeps its files and its record.
struct UploadStorage {
    /// The directory of prepared files.
    let preparedFilesDirectory: FilePath
    let ledgerPath: FilePath
    /// Whether prepared files are only there until they are sent.
    private let isTemporary: Bool

    /// - Parameters:
    ///   - output: nil for the user's state directory, in which each destination has a place of its own.
    ///   - endpoint: where everything goes.
    /// - Throws: if there is no place.
    init(outputDirectory output: FilePath?, for endpoint: Endpoint) throws(RunError) {
        isTemporary = output == nil
        if let output {
            preparedFilesDirectory = output
            let directory = OutputDirectory.stateDirectory(in: output)
            ledgerPath = directory.appending("ledger.sqlite")
            try Self.createDirectory(at: output, permissions: 0o777)
            try Self.createDirectory(at: directory, permissions: 0o700)
            return
        }
        var digest = SHA256Hasher()
        digest.update(bytes: Array(endpoint.description.utf8))
        let place = try Self.stateHomeDirectory().appending("prep").appending("upload-\(digest.hexDigest().prefix(16))")
        try Self.createDirectory(at: place.removingLastComponent(), permissions: 0o700)
        try Self.createDirectory(at: place, permissions: 0o700)
        preparedFilesDirectory = place.appending("outbox")
        ledgerPath = place.appending("ledger.sqlite")
    }

    /// Removes prepared files that nobody is to keep: this run's, and what one that was killed left. To be called by
    /// who has the ledger.
    func removeTemporaryFiles() throws(RunError) {
        guard isTemporary, FileIdentity(preparedFilesDirectory) != nil else { return }
        do { try FileManager.default.removeItem(atPath: preparedFilesDirectory.string) } catch {
            throw RunError("\(preparedFilesDirectory) can't be emptied: remove it")
        }
    }

    /// `XDG_STATE_HOME`, or what the XDG Base Directory Specification 0.8 names where that isn't set.
    private static func stateHomeDirectory() throws(RunError) -> FilePath {
        if let path = environmentPath(named: "XDG_STATE_HOME"), path.isAbsolute { return path }
        guard let home = environmentPath(named: "HOME"), home.isAbsolute else {
            throw RunError("there is no home directory for the record of what was sent: name a directory with --output")
        }
        return home.appending(".local").appending("state")
    }

    private static func environmentPath(named name: String) -> FilePath? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe FilePath(platformString: value)
    }

    private static func createDirectory(at path: FilePath, permissions: mode_t) throws(RunError) {
        do { try FileSystem.createDirectory(at: path, permissions: permissions) } catch {
            throw RunError("the directory \(path) can't be made: \(error)")
        }
    }
}
