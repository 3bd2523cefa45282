/// The identity of a file, regardless of the path that leads to it.
package struct FileIdentity: Hashable, Comparable, Sendable {
    /// The ID of the device that contains the file (`st_dev`).
    package let device: UInt64
    /// The inode number (`st_ino`).
    package let inode: UInt64

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }

    package static func < (a: Self, b: Self) -> Bool { (a.inode, a.device) < (b.inode, b.device) }
}
