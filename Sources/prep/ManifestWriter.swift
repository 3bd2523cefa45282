internal import SystemPackage

/// Writes manifest lines as they come. Not for use by two threads at once.
struct ManifestWriter {
    private let file: FileDescriptor

    /// - Parameter path: a file, which is emptied first, or `-` for standard output.
    init(_ path: FilePath) throws(RunError) {
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

    func write(_ line: ManifestLine) throws {
        _ = try file.writeAll(try line.json())
    }
}
