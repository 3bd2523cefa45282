// `unsafe`: reads into uninitialized memory, and poll takes the address of its argument.

package import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Reads a list line by line from a file or a pipe.
package struct LineReader: ~Copyable {
    /// A line without its separator.
    package struct Line {
        package var bytes: [UInt8]
        /// Whether the separator follows. An unterminated last line may be incomplete, because its writer may have been
        /// interrupted.
        package var isTerminated: Bool
    }

    private let path: FilePath
    private let file: FileDescriptor
    private let separator: UInt8
    private var buffer: [UInt8] = []
    private var position = 0
    private var hasReachedEnd = false
    /// Whether reading may wait, as from a pipe or a terminal.
    private let mayWait: Bool

    /// The maximum length of a line, in bytes. The longest manifest lines list a few thousand tracks, which takes far
    /// less.
    private static let maxLineBytes = 16 << 20
    private static let chunkByteCount = 64 << 10

    /// Opens a list.
    ///
    /// - Parameters:
    ///   - path: The file's path, or `-` for standard input.
    ///   - separator: The byte that ends each line.
    /// - Throws: `BatchError` if the file cannot be opened.
    package init(path: FilePath, separator: UInt8 = UInt8(ascii: "\n")) throws(BatchError) {
        self.path = path
        self.separator = separator
        do {
            file = path == "-" ? .standardInput : try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        } catch {
            throw BatchError(.unreadable, message: "\(path) can't be read: \(error)", cause: error)
        }
        mayWait = (try? Stat(file))?.type != .regular
    }

    deinit { if path != "-" { try? file.close() } }

    /// Whether the list is a regular file that the user owns. Standard input never is.
    var isFileOwnedByUser: Bool {
        guard path != "-", let stat = try? Stat(file) else { return false }
        return stat.type == .regular && stat.userID.rawValue == geteuid()
    }

    /// Returns the next line, or `nil` at the end.
    ///
    /// - Throws: `BatchError` if the list cannot be read, or a line is longer than 16 MiB; `CancellationError`, also
    ///   while it waits for a pipe.
    package mutating func nextLine() throws -> Line? {
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: separator) {
                defer { position = end + 1 }
                return Line(bytes: Array(buffer[position..<end]), isTerminated: true)
            }
            if hasReachedEnd {
                defer { position = buffer.count }
                return position < buffer.count ? Line(bytes: Array(buffer[position...]), isTerminated: false) : nil
            }
            searched = buffer.count - position
            try refillBuffer()
        }
    }

    /// Removes the consumed bytes from the buffer, and reads more.
    private mutating func refillBuffer() throws {
        buffer.removeFirst(position)
        position = 0
        guard buffer.count <= Self.maxLineBytes else {
            throw BatchError(
                .invalidInput, message: "\(path) is not a list: it has a line of more than \(Self.maxLineBytes) bytes")
        }
        if mayWait { try waitUntilReadable() }
        do {
            let more = try unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkByteCount) { target, count in
                count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(target))
            }
            hasReachedEnd = more.isEmpty
            buffer += more
        } catch {
            throw BatchError(.unreadable, message: "\(path) can't be read: \(error)", cause: error)
        }
    }

    /// Waits until reading does not block, or the task is cancelled.
    private func waitUntilReadable() throws {
        // Cancelling a task cannot interrupt `poll`, so it waits in parts.
        let milliseconds: CInt = 100
        var request = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
        var readyCount: CInt
        repeat {
            try Task.checkCancellation()
            readyCount = unsafe poll(&request, 1, milliseconds)
        } while readyCount == 0 || readyCount < 0 && errno == EINTR
    }
}
