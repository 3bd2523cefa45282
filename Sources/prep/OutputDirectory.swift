// `unsafe`: hands the address of the bytes to write to the system.

internal import MediaPrep
internal import Synchronization
internal import SystemPackage

/// The directory of results. Every file in it is whole: it is written beside, in `.prep/tmp`, and then renamed.
final class OutputDirectory: Sendable {
    let path: FilePath
    private let temporary: FilePath
    /// Tells the drafts of this run from those of others, whose process may have the same number in a container of its own.
    private let token = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    private let counter = Atomic(0)

    /// - Throws: if the directories can't be made.
    init(_ path: FilePath) throws(RunError) {
        self.path = path
        temporary = path.appending(".prep").appending("tmp")
        do {
            try FileSystem.createDirectory(path)
        } catch {
            throw RunError("the output directory \(path) can't be made: \(error)")
        }
    }

    /// Writes what `content` hands over, a chunk at a time, to `name`, a path relative to the directory.
    ///
    /// - Parameter inputs: files that must not be replaced.
    /// - Returns: the SHA-256 of what was written.
    /// - Throws: a reason; nothing of the file is then there.
    func write(
        to name: FilePath, sparing inputs: Set<FileIdentity>,
        _ content: (_ write: ([UInt8]) throws -> Void) throws -> Void
    ) throws(Reason) -> String {
        let target = path.pushing(name)
        if let existing = FileIdentity(target), inputs.contains(existing) {
            throw Reason(code: "overwrites-input", message: "the output \(target) is one of the inputs")
        }
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        let draft = temporary.appending("\(token)-\(number)")
        do {
            let digest = try write(content, to: draft)
            try FileSystem.createDirectory(target.removingLastComponent())
            try FileSystem.rename(draft, to: target)
            return digest
        } catch let error as MediaError {
            FileSystem.remove(draft)
            throw Reason(error)
        } catch {
            FileSystem.remove(draft)
            throw Reason(code: "unwritable", message: "the output \(target) can't be written: \(error)")
        }
    }

    /// Removes what only a run in progress needs.
    func close() {
        FileSystem.removeEmptyDirectory(temporary)
        FileSystem.removeEmptyDirectory(temporary.removingLastComponent())
    }

    private func write(
        _ content: (_ write: ([UInt8]) throws -> Void) throws -> Void, to draft: FilePath
    ) throws -> String {
        var digest = Digest()
        let file = try create(draft)
        try file.closeAfter {
            try content { bytes in
                _ = unsafe try bytes.withUnsafeBytes { unsafe try file.writeAll($0) }
                digest.add(bytes)
            }
        }
        return digest.hexadecimal()
    }

    /// Another run into the same directory may end, and take the empty `.prep` away, between any two steps: then again.
    private func create(_ draft: FilePath) throws -> FileDescriptor {
        for _ in 1..<10 {
            try FileSystem.createDirectory(temporary)
            do { return try open(draft) } catch Errno.noSuchFileOrDirectory {}
        }
        return try open(draft)
    }

    private func open(_ draft: FilePath) throws -> FileDescriptor {
        try FileDescriptor.open(
            draft, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .init(rawValue: 0o666))
    }
}
