// `unsafe`: open, with a path as a C string.

internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Opens a file with mode 0600 if it is created, and close-on-exec.
///
/// - Returns: The file descriptor.
func openFile(path: [UInt8], flags: CInt) throws(SystemCallError) -> CInt {
    let descriptor = unsafe withNullTerminatedPath(path) { unsafe open($0, flags | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw SystemCallError(errnoCode: errno) }
    return descriptor
}

extension SystemCallError {
    /// Returns the error for a source file on which a system call failed.
    ///
    /// - Parameters:
    ///   - failedAction: The failed action as a participle: opened, examined, read.
    ///   - offset: The offset in the file, in bytes; `nil` if it does not apply.
    func sourceUnreadableError(failedAction: String, at offset: Int64? = nil) -> MultipartError {
        MultipartError(
            code: .sourceUnreadable, message: "the file can't be \(failedAction): \(message)", offset: offset,
            systemError: errnoCode)
    }
}
