/// A file as it was prepared. One that was changed since is not sent.
public struct FileContent: Sendable {
    /// Bytes that need not be UTF-8, without a final zero.
    public var path: [UInt8]
    /// Which file it was.
    public var version: FileVersion
    /// Makes what sees all that is read, and says at the end whether it is what was prepared, for each reader a new
    /// one; nil to go by `version` alone, which a change of the same size with the time set back gets past.
    public var makeVerifier: (@Sendable () -> any ContentVerifier)?

    /// Which file, and in which state.
    public struct FileVersion: Hashable, Sendable {
        /// Bytes.
        public var size: Int64
        /// When its content was last changed, in nanoseconds since 1970.
        public var modifiedNanoseconds: Int64
        /// Its number in its file system.
        public var inode: UInt64

        /// A version of these parts.
        public init(size: Int64, modifiedNanoseconds: Int64, inode: UInt64) {
            self.size = size
            self.modifiedNanoseconds = modifiedNanoseconds
            self.inode = inode
        }

        /// The version that the file at `path` has now.
        ///
        /// - Throws: `source-unreadable` if there is none, or it is not a regular file.
        public init(ofFileAt path: [UInt8]) throws(MultipartError) {
            let state: FileStatus
            do {
                state = try FileStatus(path: path)
            } catch {
                throw error.sourceUnreadableError(failedAction: "examined")
            }
            guard state.isRegularFile else {
                throw MultipartError(code: .sourceUnreadable, message: "it is not a regular file")
            }
            self = state.version
        }
    }

    /// The file at `path`.
    public init(path: [UInt8], version: FileVersion, makeVerifier: (@Sendable () -> any ContentVerifier)? = nil) {
        self.path = path
        self.version = version
        self.makeVerifier = makeVerifier
    }
}

/// Sees a file's bytes in order, and says at the end whether they are the right ones: a digest, mostly.
public protocol ContentVerifier: Sendable {
    /// Takes the next bytes.
    mutating func update(bytes: RawSpan)
    /// Whether all were as expected. Asked once, after the last.
    mutating func matchesExpectedContent() -> Bool
}
