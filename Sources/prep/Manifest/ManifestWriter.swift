internal import FoundationEssentials
internal import SystemPackage

/// Writes manifest lines as they come. Not for use by two threads at once.
struct ManifestWriter {
    private let path: FilePath
    private let file: FileDescriptor
    private var buffer: [UInt8] = []

    /// - Parameter path: a file, which is emptied first, or `-` for standard output.
    init(_ path: FilePath) throws(RunError) {
        self.path = path
        do {
            file =
                path == "-"
                ? .standardOutput
                : try FileDescriptor.open(
                    path, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .init(rawValue: 0o666))
        } catch {
            throw RunError("the manifest \(path) can't be written: \(error)")
        }
    }

    /// Takes a line, its end included.
    mutating func write(_ line: some Sequence<UInt8>) throws(RunError) {
        buffer += line
        if buffer.count >= 64 << 10 { try flush() }
    }

    /// Writes what was taken. What fails is not tried again: a part of it may be written, and a line in the middle of another
    /// would follow.
    mutating func flush() throws(RunError) {
        defer { buffer.removeAll(keepingCapacity: true) }
        do {
            _ = try file.writeAll(buffer)
        } catch {
            throw RunError("the manifest \(path) can't be written: \(error)")
        }
    }
}
