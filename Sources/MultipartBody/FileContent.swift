/// A file as it was prepared. One that was changed since is not sent.
public struct FileContent: Sendable {
    /// Bytes that need not be UTF-8, without a final zero.
    public var path: [UInt8]
    /// Which file it was.
    public var version: Version
    /// Makes what sees all that is read, and says at the end whether it is what was prepared, for each reader a new one; nil to
    /// go by `version` alone, which a change of the same size with the time set back gets past.
    public var makeCheck: (@Sendable () -> any ContentCheck)?

    /// Which file, and in which state.
    public struct Version: Hashable, Sendable {
        /// Bytes.
        public var size: Int64
        /// When its content was last changed, in nanoseconds since 1970.
        public var modified: Int64
        /// Its number in its file system.
        public var inode: UInt64

        /// A version of these parts.
        public init(size: Int64, modified: Int64, inode: UInt64) {
            self.size = size
            self.modified = modified
            self.inode = inode
        }

        /// The version that the file at `path` has now.
        ///
        /// - Throws: `source-unreadable` if there is none, or it is not a regular file.
        public init(ofFileAt path: [UInt8]) throws(MultipartError) {
            let state: FileState
            do {
                state = try FileState(path: path)
            } catch {
                throw error.unreadable("examined")
            }
            guard state.isRegular else {
                throw MultipartError(code: .sourceUnreadable, message: "it is not a regular file")
            }
            self = state.version
        }
    }

    /// The file at `path`.
    public init(path: [UInt8], version: Version, makeCheck: (@Sendable () -> any ContentCheck)? = nil) {
        self.path = path
        self.version = version
        self.makeCheck = makeCheck
    }
}

/// Sees a file's bytes in order, and says at the end whether they are the right ones: a digest, mostly.
public protocol ContentCheck: Sendable {
    /// Takes the next bytes.
    mutating func add(_ bytes: RawSpan)
    /// Whether all were as expected. Asked once, after the last.
    mutating func isMatch() -> Bool
}
