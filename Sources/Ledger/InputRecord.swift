/// Which file an input was, and in which state.
public struct FileStamp: Hashable, Sendable {
    /// Bytes.
    public var size: Int64
    /// When its content was last changed, in nanoseconds since 1970.
    public var modifiedNanoseconds: Int64
    /// When its content, name, owner or mode was last changed, in nanoseconds since 1970.
    public var changedNanoseconds: Int64
    /// Its number in its file system.
    public var inode: UInt64

    /// A stamp of these parts.
    public init(size: Int64, modifiedNanoseconds: Int64, changedNanoseconds: Int64, inode: UInt64) {
        self.size = size
        self.modifiedNanoseconds = modifiedNanoseconds
        self.changedNanoseconds = changedNanoseconds
        self.inode = inode
    }
}

/// What became of one input in an earlier run.
public struct InputRecord: Hashable, Sendable {
    /// A file that was written.
    public struct OutputFile: Hashable, Sendable {
        /// Relative to the output directory; bytes that need not be UTF-8.
        public var path: [UInt8]
        /// Bytes.
        public var size: Int64
        /// When its content was last changed, in nanoseconds since 1970.
        public var modifiedNanoseconds: Int64

        /// An output of these parts.
        public init(path: [UInt8], size: Int64, modifiedNanoseconds: Int64) {
            self.path = path
            self.size = size
            self.modifiedNanoseconds = modifiedNanoseconds
        }
    }

    /// The input as it was named; bytes that need not be UTF-8.
    public var inputPath: [UInt8]
    /// Which file it was when it was read.
    public var fileStamp: FileStamp
    /// Stands for all that the result depends on besides the input: options, and the program's own revision.
    public var fingerprint: [UInt8]
    /// What was written; nil for nothing.
    public var output: OutputFile?
    /// The verdict, as the manifest says it.
    public var verdict: String
    /// The code of its first reason; nil for none.
    public var reasonCode: String?
    /// The manifest's line, without its end.
    public var manifestLine: [UInt8]

    /// A record of these parts.
    public init(
        inputPath: [UInt8], fileStamp: FileStamp, fingerprint: [UInt8], output: OutputFile?, verdict: String,
        reasonCode: String?,
        manifestLine: [UInt8]
    ) {
        self.inputPath = inputPath
        self.fileStamp = fileStamp
        self.fingerprint = fingerprint
        self.output = output
        self.verdict = verdict
        self.reasonCode = reasonCode
        self.manifestLine = manifestLine
    }
}
