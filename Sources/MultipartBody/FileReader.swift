// `unsafe`: pread, into the caller's buffer.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Reads a part's file from its beginning to its end, and sees to it that it is the file that was prepared.
struct FileReader: ~Copyable, Sendable {
    private let content: FileContent
    private let descriptor: CInt
    private var check: (any ContentCheck)?
    private var position: Int64 = 0

    /// What one call asks for at most: Darwin refuses 2 GiB.
    private static let largest = 1 << 30

    /// Opens the file.
    ///
    /// - Throws: `source-changed` if it is another than it was, or none; `source-unreadable`.
    init(_ content: FileContent) throws(MultipartError) {
        let opened: CInt
        do throws(SystemError) {
            // Not blocking, so that a pipe without a writer can't hold us up; on a regular file it has no effect.
            opened = try openFile(content.path, O_RDONLY | O_NONBLOCK)
        } catch {
            if error.isMissing { throw Self.changed("there is no such file any more", at: 0) }
            if error.isNotRegular { throw Self.changed("it is not a regular file any more", at: 0) }
            throw error.unreadable("opened")
        }
        do {
            try Self.examine(opened, content, at: 0)
        } catch {
            close(opened)
            throw error
        }
        self.content = content
        descriptor = opened
        check = content.makeCheck?()
    }

    deinit { close(descriptor) }

    /// Appends the next bytes, as many as there is room for.
    ///
    /// - Returns: whether the last is among them.
    /// - Throws: `source-changed`, `source-unreadable`. What the buffer then has more is not to be given out.
    mutating func read(into buffer: inout OutputRawSpan) throws(MultipartError) -> Bool {
        let start = buffer.byteCount
        let wanted = Int(min(Int64(min(buffer.freeCapacity, Self.largest)), content.version.size - position))
        try fill(&buffer, wanted)
        check?.add(buffer.bytes.extracting(start..<start + wanted))
        try Self.examine(descriptor, content, at: position)
        if position == content.version.size { try examineAtEnd() }
        return position == content.version.size
    }

    /// Appends `count` bytes, for which there is room.
    private mutating func fill(_ buffer: inout OutputRawSpan, _ count: Int) throws(MultipartError) {
        var left = count
        while left > 0 {
            let got = unsafe buffer.withUnsafeMutableBytes { [descriptor, position] bytes, filled in
                let got = unsafe bytes.baseAddress.map {
                    unsafe pread(descriptor, $0 + filled, left, off_t(position))
                }
                filled += max(got ?? 0, 0)
                return got ?? 0
            }
            if got < 0, errno == EINTR { continue }
            if got < 0 { throw SystemError(number: errno).unreadable("read", at: position) }
            if got == 0 { throw Self.changed("it became shorter", at: position) }
            position += Int64(got)
            left -= got
        }
    }

    /// Finds out whether the open file is still what was prepared. With each read, though the end would do: 0.6 µs each, and a
    /// long upload that can't succeed ends early.
    private static func examine(_ descriptor: CInt, _ content: FileContent, at offset: Int64) throws(MultipartError) {
        let state: FileState
        do throws(SystemError) {
            state = try FileState(descriptor: descriptor)
        } catch {
            throw error.unreadable("examined", at: offset)
        }
        guard state.isRegular else { throw changed("it is not a regular file any more", at: offset) }
        guard state.version.inode == content.version.inode else { throw changed("it was replaced", at: offset) }
        guard state.version == content.version else { throw changed("it was written to", at: offset) }
    }

    /// Finds out whether the path still leads to the open file, and whether what was read is what was prepared.
    private mutating func examineAtEnd() throws(MultipartError) {
        let open: FileState
        let named: FileState
        do throws(SystemError) {
            open = try FileState(descriptor: descriptor)
            named = try FileState(path: content.path)
        } catch {
            if error.isMissing { throw Self.changed("it was removed", at: position) }
            throw error.unreadable("examined", at: position)
        }
        guard named.device == open.device, named.version == content.version else {
            throw Self.changed("it was replaced", at: position)
        }
        guard check?.isMatch() != false else { throw Self.changed("its content was changed", at: position) }
    }

    private static func changed(_ how: String, at offset: Int64) -> MultipartError {
        MultipartError(
            code: .sourceChanged, message: "the file is not the one that was prepared: \(how)", offset: offset)
    }
}
