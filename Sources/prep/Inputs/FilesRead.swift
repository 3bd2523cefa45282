internal import SystemPackage

/// The files that a run reads: what it writes besides outputs must be none of them.
struct FilesRead {
    var inputs: InputList
    /// With what they are called in messages; nil for those that aren't there.
    var others: [(name: String, path: FilePath?)]

    /// - Throws: if what is to be written at `path` would replace one of them.
    func spare(_ path: FilePath, _ role: String) throws(RunError) {
        guard path != "-", let existing = FileIdentity(path) else { return }
        if inputs.contains(existing) { throw RunError("the \(role) \(path) would replace an input") }
        for case (let name, let other?) in others where other != "-" && FileIdentity(other) == existing {
            throw RunError("the \(role) \(path) would replace the \(name)")
        }
    }
}
