// `unsafe`: fchmod, which swift-system doesn't wrap.

internal import ArgumentParser
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Who may read the files that a run creates. The process's umask always applies as well.
enum OutputAccess: Sendable {
    /// An output may be read and written by those who may read and write its input. All other files, such as the
    /// manifest, name patients' files and belong to their owner alone.
    case sameAsInputs
    /// All files may be read and written by everyone.
    case everyone

    /// The permissions of a manifest, a ledger, a report or a response.
    var auxiliaryFilePermissions: FilePermissions { self == .everyone ? Self.readWriteForAll : .ownerReadWrite }

    /// The permissions of an output. Its owner may read and write it whatever the input's are, and no one may execute
    /// it.
    func outputPermissions(forInput input: FilePermissions) -> FilePermissions {
        self == .everyone ? Self.readWriteForAll : input.intersection(Self.readWriteForAll).union(.ownerReadWrite)
    }

    /// Whether no more may read or write an output than may do so with its input. Who may execute it is not asked: some
    /// file systems let everyone.
    func allows(_ output: FilePermissions, ofOutputFor input: FilePermissions) -> Bool {
        outputPermissions(forInput: input).isSuperset(of: output.intersection(Self.readWriteForAll))
    }

    /// Lets the owner read and write a file that was just created, even where the umask says otherwise.
    ///
    /// A failure is ignored: some file systems keep no permissions.
    func restoreOwnerAccess(to file: FileDescriptor) {
        guard self == .sameAsInputs, let permissions = try? Stat(file).permissions,
            !permissions.isSuperset(of: .ownerReadWrite)
        else { return }
        file.setPermissions(permissions.union(.ownerReadWrite))
    }

    private static let readWriteForAll: FilePermissions = [.ownerReadWrite, .groupReadWrite, .otherReadWrite]
}

extension FileDescriptor {
    /// Changes the permissions of an open file where its file system keeps some.
    func setPermissions(_ permissions: FilePermissions) { _ = fchmod(rawValue, permissions.rawValue) }
}

/// The option that says who may read what a command writes.
struct OutputAccessArguments: ParsableArguments {
    @Flag(
        name: .customLong("public-outputs"),
        help: ArgumentHelp(
            "Let everyone whom the umask allows read and write all created files. Default: an output has the "
                + "permissions "
                + "of its input, and only the owner can read manifests, ledgers, reports and responses."))
    var isPublic = false

    var outputAccess: OutputAccess { isPublic ? .everyone : .sameAsInputs }
}
