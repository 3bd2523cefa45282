// `unsafe`: open, fstat and read, into memory that is not initialised first.

package import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A file's bytes, read whole: decoding from a map of a file that another program cuts short would end the process.
package struct FileContents {
    /// The file as a path of bytes, which need not be UTF-8, without a final zero.
    private let path: [UInt8]
    /// For messages.
    private let name: String

    /// The file at `path`, which need not be UTF-8.
    package init(path: [UInt8]) {
        self.path = path
        name = String(decoding: path, as: UTF8.self)
    }

    /// The file that a `file:` URL names.
    ///
    /// - Throws: `unreadable` for a URL of another kind.
    package init(_ url: URL) throws(MediaError) {
        guard url.isFileURL else {
            throw MediaError(.unreadable, .failed, .read, file: url.absoluteString, "the URL does not name a file")
        }
        self.init(path: Array(url.path.utf8))
    }

    /// All bytes, or the first `count`.
    ///
    /// - Parameter limit: more than so many bytes are refused before any is read.
    /// - Throws: `unreadable`, `not-a-regular-file`, `input-too-large`.
    package func read(first count: Int = .max, limit: Int) throws(MediaError) -> [UInt8] {
        // Not blocking, so that a pipe without a writer can't hold us up; on a regular file it has no effect.
        let descriptor = unsafe (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
            unsafe $0.baseAddress.map { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) } ?? -1
        }
        guard descriptor >= 0 else { throw failure("can't be opened") }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure("can't be examined") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw MediaError(.notARegularFile, .rejected, .read, file: name, "it is not a regular file")
        }
        let size = Int(status.st_size)
        if size > limit {
            throw MediaError(
                .inputTooLarge, .rejected, .read, file: name, "\(size) bytes are more than the \(limit) allowed")
        }
        return try bytes(of: descriptor, count: min(size, count))
    }

    private func bytes(of descriptor: CInt, count: Int) throws(MediaError) -> [UInt8] {
        var hasFailed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let base = buffer.baseAddress {
                let got = unsafe Self.read(descriptor, base + filled, count - filled)
                if got < 0 { hasFailed = true }
                if got <= 0 { break }
                filled += got
            }
        }
        if hasFailed { throw failure("can't be read") }
        return bytes
    }

    /// `read`, again when a signal interrupts it.
    private static func read(_ descriptor: CInt, _ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
        while true {
            #if canImport(Glibc)
                let got = unsafe Glibc.read(descriptor, target, count)
            #else
                let got = unsafe Darwin.read(descriptor, target, count)
            #endif
            if got >= 0 || errno != EINTR { return got }
        }
    }

    private func failure(_ what: String) -> MediaError {
        let reason = unsafe String(cString: strerror(errno))
        return MediaError(.unreadable, .failed, .read, file: name, "the file \(what): \(reason)")
    }
}
