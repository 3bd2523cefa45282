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
struct UploadPlace {
    /// The directory of prepared files.
    let files: FilePath
    let ledger: FilePath
    /// Whether prepared files are only there until they are sent.
    private let isTemporary: Bool

    /// - Parameters:
    ///   - output: nil for the user's state directory, in which each destination has a place of its own.
    ///   - endpoint: where everything goes.
    /// - Throws: if there is no place.
    init(_ output: FilePath?, for endpoint: Endpoint) throws(RunError) {
        isTemporary = output == nil
        if let output {
            files = output
            let directory = OutputDirectory.privatePath(in: output)
            ledger = directory.appending("ledger.sqlite")
            try Self.create(output, permissions: 0o777)
            try Self.create(directory, permissions: 0o700)
            return
        }
        var digest = SHA256Hasher()
        digest.update(bytes: Array(endpoint.description.utf8))
        let place = try Self.stateHome().appending("prep").appending("upload-\(digest.hexDigest().prefix(16))")
        try Self.create(place.removingLastComponent(), permissions: 0o700)
        try Self.create(place, permissions: 0o700)
        files = place.appending("outbox")
        ledger = place.appending("ledger.sqlite")
    }

    /// Removes prepared files that nobody is to keep: this run's, and what one that was killed left. To be called by who has the
    /// ledger.
    func clear() throws(RunError) {
        guard isTemporary, FileIdentity(files) != nil else { return }
        do { try FileManager.default.removeItem(atPath: files.string) } catch {
            throw RunError("\(files) can't be emptied: remove it")
        }
    }

    /// `XDG_STATE_HOME`, or what the XDG Base Directory Specification 0.8 names where that isn't set.
    private static func stateHome() throws(RunError) -> FilePath {
        if let path = variable("XDG_STATE_HOME"), path.isAbsolute { return path }
        guard let home = variable("HOME"), home.isAbsolute else {
            throw RunError("there is no home directory for the record of what was sent: name a directory with --output")
        }
        return home.appending(".local").appending("state")
    }

    private static func variable(_ name: String) -> FilePath? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe FilePath(platformString: value)
    }

    private static func create(_ path: FilePath, permissions: mode_t) throws(RunError) {
        do { try FileSystem.createDirectory(path, permissions: permissions) } catch {
            throw RunError("the directory \(path) can't be made: \(error)")
        }
    }
}
