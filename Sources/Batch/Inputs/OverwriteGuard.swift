package import SystemPackage
internal import SystemSupport

/// The files that a run reads, and that it must not overwrite.
package struct OverwriteGuard {
    package var inputs: InputList
    /// Other files that the run reads, with their names in messages. A path is `nil` if the file is not used.
    package var otherFiles: [(name: String, path: FilePath?)]

    package init(inputs: InputList, otherFiles: [(name: String, path: FilePath?)]) {
        self.inputs = inputs
        self.otherFiles = otherFiles
    }

    /// Checks that writing to `path` would not replace a file that the run reads.
    ///
    /// - Parameters:
    ///   - path: The path to write to, or `-` for standard output.
    ///   - role: The name of the file to write, for the message.
    /// - Throws: `BatchError` if a file would be replaced.
    package func check(_ path: FilePath, role: String) throws(BatchError) {
        guard path != "-", let existing = FileIdentity(path) else { return }
        if inputs.containsFile(existing) {
            throw BatchError(.wouldOverwrite, message: "the \(role) \(path) would replace an input")
        }
        for case (let name, let other?) in otherFiles where other != "-" && FileIdentity(other) == existing {
            throw BatchError(.wouldOverwrite, message: "the \(role) \(path) would replace the \(name)")
        }
    }
}
