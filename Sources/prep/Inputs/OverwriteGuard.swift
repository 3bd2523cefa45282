internal import SystemPackage

/// The files that a run reads, and that it must not overwrite.
struct OverwriteGuard {
    var inputs: InputList
    /// Other files that the run reads, with their names in messages. A path is `nil` if the file is not used.
    var otherFiles: [(name: String, path: FilePath?)]

    /// Checks that writing to `path` would not replace a file that the run reads.
    ///
    /// - Parameters:
    ///   - path: The path to write to, or `-` for standard output.
    ///   - role: The name of the file to write, for the message.
    /// - Throws: `RunError` if a file would be replaced.
    func check(_ path: FilePath, role: String) throws(RunError) {
        guard path != "-", let existing = FileIdentity(path) else { return }
        if inputs.containsFile(existing) { throw RunError("the \(role) \(path) would replace an input") }
        for case (let name, let other?) in otherFiles where other != "-" && FileIdentity(other) == existing {
            throw RunError("the \(role) \(path) would replace the \(name)")
        }
    }
}
