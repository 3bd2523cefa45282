internal import Synchronization

/// The inputs of a run as files, by whatever path they are reached.
final class InputFiles: Sendable {
    private let inputs: InputList
    /// In order; made when it is first needed.
    private let sorted = Mutex<[FileIdentity]?>(nil)

    init(_ inputs: InputList) { self.inputs = inputs }

    /// Whether one of the inputs is this file.
    ///
    /// - Complexity: logarithmic in the number of inputs, after the first time.
    func contains(_ file: FileIdentity) -> Bool {
        let files = sorted.withLock { files in
            if files == nil { files = inputs.fileIdentities }
            return files ?? []
        }
        var low = 0, high = files.count
        while low < high {
            let middle = (low + high) / 2
            if files[middle] < file { low = middle + 1 } else { high = middle }
        }
        return low < files.count && files[low] == file
    }
}
