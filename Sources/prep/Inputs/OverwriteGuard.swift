internal import SystemPackage

/// The files that a run reads: what it writes besides outputs must be none of them.
struct OverwriteGuard {
    var inputs: InputList
    /// With what they are called in messages; nil for those that aren't there.
    var otherFiles: [(name: String, path: FilePath?)]

    /// - Throws: if what is to be written at `path` would replace one of them.
    func check(_ path: FilePath, role: String) throws(RunError) {
        guard path != "-", let existing = FileIdentity(path) else { return }
        if inputs.containsFile(existing) { throw RunError("the \(role) \(path) would replace an input") }
        for case (let name, let other?) in otherFiles where other != "-" && FileIdentity(other) == existing {
            throw RunError("the \(role) \(path) would replace the \(name)")
        }
    }
}
