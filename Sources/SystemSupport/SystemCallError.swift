// `unsafe`: strerror returns a C string.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The `errno` of a failed system call.
package struct SystemCallError: Error {
    package let errnoCode: CInt

    package init(errnoCode: CInt) { self.errnoCode = errnoCode }

    /// Whether the file does not exist, as opposed to being inaccessible.
    package var isFileMissing: Bool { [ENOENT, ENOTDIR].contains(errnoCode) }
    /// Whether the path leads to something other than a file: the `errno` with which Linux and Darwin refuse to open a
    /// socket.
    package var isNotRegularFile: Bool { [ENXIO, EOPNOTSUPP].contains(errnoCode) }

    /// The system's text for `errnoCode`.
    package var message: String { unsafe String(cString: strerror(errnoCode)) }
}
