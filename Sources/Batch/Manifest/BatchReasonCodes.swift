public import Diagnostics

/// The reasons for which a batch rejects or skips an input, or cannot write its output.
extension Diagnostic.Code {
    /// The file is not below the base directory.
    public static let outsideBase = Diagnostic.Code(rawValue: "outside-base")
    /// A file or directory cannot be read.
    public static let unreadable = Diagnostic.Code(rawValue: "unreadable")
    /// Another input of this run or of an earlier one has the same output, or has outputs in a directory of that name.
    /// Or a file in an output directory below an input directory, which no run has recorded, has the output's name.
    public static let nameCollision = Diagnostic.Code(rawValue: "name-collision")
    /// The output would have the name of a file that the run itself writes.
    public static let reservedName = Diagnostic.Code(rawValue: "reserved-name")
    /// The output would replace an input.
    public static let overwritesInput = Diagnostic.Code(rawValue: "overwrites-input")
    /// The output cannot be written.
    public static let unwritable = Diagnostic.Code(rawValue: "unwritable")
    /// The video of a Live Photo, found in a directory. Its image is prepared.
    public static let livePhotoVideo = Diagnostic.Code(rawValue: "live-photo-video")
    /// The file does not have the size that it had when it was planned.
    public static let changedSincePlan = Diagnostic.Code(rawValue: "changed-since-plan")
}
