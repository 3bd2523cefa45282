// `unsafe`: fchmod, which swift-system does not wrap.

package import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The permissions of the files that a run creates. The process's umask always applies as well.
public enum OutputAccess: Sendable {
    /// An output can be read and written by those who can read and write its input. All other files, such as the
    /// manifest, contain the names of patients' files and are accessible only to their owner.
    case sameAsInputs
    /// All files can be read and written by everyone.
    case everyone

    /// The permissions of a manifest, a ledger, a report or a response.
    package var auxiliaryFilePermissions: FilePermissions { self == .everyone ? Self.readWriteForAll : .ownerReadWrite }

    /// Returns the permissions of an output. Its owner can read and write it whatever the input's permissions are. It
    /// is not executable.
    func outputPermissions(forInput input: FilePermissions) -> FilePermissions {
        self == .everyone ? Self.readWriteForAll : input.intersection(Self.readWriteForAll).union(.ownerReadWrite)
    }

    /// Returns whether the permissions of an existing output allow no more reading and writing than those of its input.
    ///
    /// Execute permissions are ignored, because some file systems grant them to everyone.
    func allows(_ output: FilePermissions, ofOutputFor input: FilePermissions) -> Bool {
        outputPermissions(forInput: input).isSuperset(of: output.intersection(Self.readWriteForAll))
    }

    /// Lets the owner read and write a new file, even if the umask denies it.
    ///
    /// Failure is ignored, because some file systems do not store permissions.
    func restoreOwnerAccess(to file: FileDescriptor) {
        guard self == .sameAsInputs, let permissions = try? Stat(file).permissions,
            !permissions.isSuperset(of: .ownerReadWrite)
        else { return }
        file.setPermissions(permissions.union(.ownerReadWrite))
    }

    private static let readWriteForAll: FilePermissions = [.ownerReadWrite, .groupReadWrite, .otherReadWrite]
}

extension FileDescriptor {
    /// Changes the permissions of an open file, if its file system stores them.
    func setPermissions(_ permissions: FilePermissions) { _ = fchmod(rawValue, permissions.rawValue) }
}
