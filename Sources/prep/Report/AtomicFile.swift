internal import SystemPackage

/// A file that appears whole or not at all: it is written beside its place, and then given its name. A link that the
/// user named is followed, and stays. Where it leads nowhere, or anything but a regular file has the name, such as a
/// pipe or a device, the file is written in place.
struct AtomicFile: ~Copyable {
    /// As it was named, for messages.
    private let givenPath: FilePath
    private let targetPath: FilePath
    private let draftPath: FilePath
    private let descriptor: FileDescriptor
    private var isInPlace: Bool

    /// - Parameter access: who may read a file that does not exist yet. One that exists keeps its permissions.
    /// - Throws: if nothing can be written beside it.
    init(path name: FilePath, access: OutputAccess) throws(RunError) {
        self.givenPath = name
        // A link is followed, and stays: /dev/stdout is one.
        targetPath = FileSystem.realPath(of: name) ?? name
        let existing = try? name.stat()
        isInPlace = (existing ?? (try? name.stat(followTargetSymlink: false))).map { $0.type != .regular } ?? false
        let token = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        draftPath = targetPath.removingLastComponent().appending(".prep-draft-\(token)")
        do {
            descriptor =
                isInPlace
                ? try FileDescriptor.open(
                    name, .writeOnly, options: [.create, .closeOnExec], permissions: access.auxiliaryFilePermissions)
                : try FileDescriptor.open(
                    draftPath, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                    permissions: access.auxiliaryFilePermissions)
        } catch {
            throw RunError("\(name) can't be written: \(error)")
        }
        if !isInPlace, let existing {
            descriptor.setPermissions(existing.permissions.intersection(FilePermissions(rawValue: 0o777)))
        }
    }

    deinit {
        try? descriptor.close()
        if !isInPlace { FileSystem.removeFile(at: draftPath) }
    }

    func write(_ bytes: [UInt8]) throws(RunError) {
        do { _ = try descriptor.writeAll(bytes) } catch { throw RunError("\(givenPath) can't be written: \(error)") }
    }

    /// Puts it in its place.
    consuming func moveIntoPlace() throws(RunError) {
        if isInPlace { return }
        do {
            try FileSystem.rename(draftPath, to: targetPath)
            isInPlace = true
        } catch {
            throw RunError("\(givenPath) can't be written: \(error)")
        }
    }
}
