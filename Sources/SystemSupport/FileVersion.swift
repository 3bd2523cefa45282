/// The state of a file's content, by which a change is detected without reading the file.
public struct FileVersion: Hashable, Sendable {
    /// The size in bytes.
    public var size: Int64
    /// The time of the last change of the content (mtime), in nanoseconds since 1970.
    public var modifiedNanoseconds: Int64
    /// The time of the last change of the content, name, owner or mode (ctime), in nanoseconds since 1970.
    public var changedNanoseconds: Int64
    /// The inode number.
    public var inode: UInt64

    /// Creates a version from its parts.
    ///
    /// - Parameters:
    ///   - size: The size in bytes.
    ///   - modifiedNanoseconds: The time of the last change of the content (mtime), in nanoseconds since 1970.
    ///   - changedNanoseconds: The time of the last change of any kind (ctime), in nanoseconds since 1970.
    ///   - inode: The inode number.
    public init(size: Int64, modifiedNanoseconds: Int64, changedNanoseconds: Int64, inode: UInt64) {
        self.size = size
        self.modifiedNanoseconds = modifiedNanoseconds
        self.changedNanoseconds = changedNanoseconds
        self.inode = inode
    }

    /// Returns whether no change of the file is visible since it had the version `earlier`.
    ///
    /// - Parameters:
    ///   - earlier: An earlier version of the file.
    ///   - ignoresInode: Whether the file may have a different inode, as after a copy. The change time (ctime) is then
    ///     ignored as well, because a copy has a new one even if its modification time is preserved.
    public func isUnchanged(since earlier: FileVersion, ignoringInode ignoresInode: Bool) -> Bool {
        guard ignoresInode else { return self == earlier }
        return size == earlier.size && modifiedNanoseconds == earlier.modifiedNanoseconds
    }

    /// Returns whether the file is the same and its content was not changed since it had the version `prepared`.
    ///
    /// A change of the name, owner or mode is ignored, because none of them is sent.
    ///
    /// - Parameter prepared: The version that the file had when it was prepared.
    public func hasSameContent(as prepared: FileVersion) -> Bool {
        size == prepared.size && modifiedNanoseconds == prepared.modifiedNanoseconds && inode == prepared.inode
    }
}
