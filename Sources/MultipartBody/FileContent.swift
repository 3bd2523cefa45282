public import SystemSupport

/// A file in the state in which it was prepared. A file that has changed since then is not sent.
public struct FileContent: Sendable {
    /// The path as bytes, which need not be UTF-8, without a terminating zero.
    public var path: [UInt8]
    /// The version with which the file must still have the same content when it is sent.
    public var version: FileVersion
    /// Makes the verifier of the file's bytes, a new one for each reader; `nil` to compare only `version`.
    ///
    /// `version` alone misses a change that keeps the size and resets the modification time.
    public var makeVerifier: (@Sendable () -> any ContentVerifier)?

    /// Creates the content of the file at `path`. The file is not opened.
    ///
    /// - Parameters:
    ///   - path: The path as bytes, without a terminating zero.
    ///   - version: The version that the file must still have when it is sent.
    ///   - makeVerifier: Makes the verifier of the file's bytes; `nil` to compare only `version`.
    public init(path: [UInt8], version: FileVersion, makeVerifier: (@Sendable () -> any ContentVerifier)? = nil) {
        self.path = path
        self.version = version
        self.makeVerifier = makeVerifier
    }
}

extension FileVersion {
    /// Creates the version that the file at `path` has now. Symbolic links are followed.
    ///
    /// - Parameter path: The path as bytes, without a terminating zero.
    /// - Throws: ``MultipartError/Code/sourceUnreadable`` if the file does not exist or is not a regular file.
    public init(ofFileAt path: [UInt8]) throws(MultipartError) {
        let status: FileStatus
        do {
            status = try FileStatus(path: path)
        } catch {
            throw error.sourceUnreadableError(failedAction: "examined")
        }
        guard status.isRegularFile else {
            throw MultipartError(code: .sourceUnreadable, message: "it is not a regular file")
        }
        self = status.version
    }
}

/// Verifies a file's bytes as they are read, typically by a digest.
public protocol ContentVerifier: Sendable {
    /// Adds the next bytes of the file.
    ///
    /// - Parameter bytes: The bytes that follow those of the previous call.
    mutating func update(bytes: RawSpan)
    /// Returns whether all bytes were the expected ones. Called once, after the last byte.
    ///
    /// - Returns: `false` if the content differs from the content that was prepared.
    mutating func matchesExpectedContent() -> Bool
}
