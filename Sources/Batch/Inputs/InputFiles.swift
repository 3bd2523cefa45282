internal import Synchronization
internal import SystemSupport

/// The identities of a run's input files, whatever their paths.
final class InputFiles: Sendable {
    private let inputs: InputList
    /// The sorted identities, or `nil` until they are first needed.
    private let sorted = Mutex<[FileIdentity]?>(nil)

    init(_ inputs: InputList) { self.inputs = inputs }

    /// Returns whether `file` is one of the inputs.
    ///
    /// - Complexity: O(log *n*) in the number of inputs. The first call sorts them in O(*n* log *n*).
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
