public import MediaPrep
public import SystemPackage

/// What happens during a batch. Events are delivered on threads of the run, which may block.
public enum BatchEvent: Sendable {
    /// A symbolic link to a directory below an input is not followed.
    case unfollowedLink(FilePath)
    /// The inputs are known, and their preparation begins. A dry run has no such event.
    case started(MediaProgress)
    /// An input has a result of this run, which is recorded and written to the manifest.
    case finished(ManifestLine)
    /// The run ended, whether it is complete or not. This is the last event.
    case ended(BatchSummary)
}
