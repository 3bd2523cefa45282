public import MediaPrep
public import SystemPackage

/// An event of a batch. Events are delivered on threads of the run, which may block.
///
/// A run that cannot begin has no ``ended(_:)`` event.
public enum BatchEvent: Sendable {
    /// A symbolic link to a directory below an input is not followed.
    case unfollowedLink(FilePath)
    /// All inputs are found. Nothing was created or opened for writing before.
    case inputsFound(count: Int)
    /// The preparation begins: it is known which inputs are up to date. A dry run has no such event.
    case started(MediaProgress)
    /// An input has a result of this run, which is recorded and written to the manifest.
    case finished(ManifestLine)
    /// The run ended, whether it is complete or not. This is the last event, and comes before an error is thrown.
    case ended(BatchSummary)
}
