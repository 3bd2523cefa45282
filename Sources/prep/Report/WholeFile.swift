internal import SystemPackage

/// A file that appears whole or not at all: it is written beside its place, and then given its name. Where a pipe or a device has
/// that name it is written to, and not replaced.
struct WholeFile: ~Copyable {
    /// As it was named, for messages.
    private let name: FilePath
    private let target: FilePath
    private let draft: FilePath
    private let file: FileDescriptor
    private var isPlaced: Bool

    /// - Throws: if nothing can be written beside it.
    init(_ name: FilePath) throws(RunError) {
        self.name = name
        // A link is followed, and stays: /dev/stdout is one.
        target = FileSystem.realPath(name) ?? name
        let type = (try? name.stat())?.type
        isPlaced = type == .characterSpecial || type == .fifo
        let token = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        draft = target.removingLastComponent().appending(".prep-draft-\(token)")
        do {
            file =
                isPlaced
                ? try FileDescriptor.open(name, .writeOnly, options: .closeOnExec)
                : try FileDescriptor.open(
                    draft, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                    permissions: .init(rawValue: 0o666))
        } catch {
            throw RunError("\(name) can't be written: \(error)")
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
