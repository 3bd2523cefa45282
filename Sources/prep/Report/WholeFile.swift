internal import SystemPackage

/// A file that appears whole or not at all: it is written beside its place, and then given its name.
struct WholeFile: ~Copyable {
    private let target: FilePath
    private let draft: FilePath
    private let file: FileDescriptor
    private var isPlaced = false

    /// - Throws: if nothing can be written beside `target`.
    init(_ target: FilePath) throws(RunError) {
        self.target = target
        let token = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        draft = target.removingLastComponent().appending(".prep-draft-\(token)")
        do {
            file = try FileDescriptor.open(
                draft, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .init(rawValue: 0o666))
        } catch {
            throw RunError("\(target) can't be written: \(error)")
        }
    }

    deinit {
        try? file.close()
        if !isPlaced { FileSystem.remove(draft) }
    }

    func write(_ bytes: [UInt8]) throws(RunError) {
        do { _ = try file.writeAll(bytes) } catch { throw RunError("\(target) can't be written: \(error)") }
    }

    /// Puts it in its place.
    consuming func place() throws(RunError) {
        do {
            try FileSystem.rename(draft, to: target)
            isPlaced = true
        } catch {
            throw RunError("\(target) can't be written: \(error)")
        }
    }
}
