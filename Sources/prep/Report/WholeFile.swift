internal import SystemPackage

/// A file that appears whole or not at all: it is written beside its place, and then given its name. A link that the
/// user named is followed, and stays. Where it leads nowhere, or anything but a regular file has the name, such as a
/// pipe or a device, the file is written in place.
struct WholeFile: ~Copyable {
    /// As it was named, for messages.
    private let name: FilePath
    private let target: FilePath
    private let draft: FilePath
    private let file: FileDescriptor
    private var isPlaced: Bool

    /// - Parameter access: who may read a file that does not exist yet. One that exists keeps its permissions.
    /// - Throws: if nothing can be written beside it.
    init(_ name: FilePath, access: OutputAccess) throws(RunError) {
        self.name = name
        // A link is followed, and stays: /dev/stdout is one.
        target = FileSystem.realPath(name) ?? name
        let existing = try? name.stat()
        isPlaced = (existing ?? (try? name.stat(followTargetSymlink: false))).map { $0.type != .regular } ?? false
        let token = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        draft = target.removingLastComponent().appending(".prep-draft-\(token)")
        do {
            file =
                isPlaced
                ? try FileDescriptor.open(
                    name, .writeOnly, options: [.create, .closeOnExec], permissions: access.permissions)
                : try FileDescriptor.open(
                    draft, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                    permissions: access.permissions)
        } catch {
            throw RunError("\(name) can't be written: \(error)")
        }
        if !isPlaced, let existing {
            file.setPermissions(existing.permissions.intersection(FilePermissions(rawValue: 0o777)))
        }
    }

    deinit {
        try? file.close()
        if !isPlaced { FileSystem.remove(draft) }
    }

    func write(_ bytes: [UInt8]) throws(RunError) {
        do { _ = try file.writeAll(bytes) } catch { throw RunError("\(name) can't be written: \(error)") }
    }

    /// Puts it in its place.
    consuming func place() throws(RunError) {
        if isPlaced { return }
        do {
            try FileSystem.rename(draft, to: target)
            isPlaced = true
        } catch {
            throw RunError("\(name) can't be written: \(error)")
        }
    }
}
