// `unsafe`: write and unlink, and the buffer between reader and file.

internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension MultipartForm {
    /// Writes the body to a new file that only its owner can read.
    ///
    /// Use it for a consumer that accepts only files, such as a background `URLSession`. The call blocks on the disk
    /// and uses 256 KiB of memory.
    ///
    /// - Parameter path: The path as bytes, which need not be UTF-8, without a terminating zero. An existing file is an
    ///   error and is left unchanged.
    /// - Throws: ``MultipartError/Code/destinationUnwritable``, and the errors of ``MultipartFormReader/read(into:)``.
    ///   The incomplete file is removed.
    /// - Complexity: O(*n*) in the length of the body.
    public func write(toFile path: [UInt8]) throws(MultipartError) {
        let file: CInt
        do throws(SystemCallError) {
            file = try openFile(path: path, flags: O_WRONLY | O_CREAT | O_EXCL)
        } catch {
            throw error.destinationUnwritableError
        }
        defer { close(file) }
        do {
            try write(toDescriptor: file)
        } catch {
            _ = unsafe withNullTerminatedPath(path) { unsafe unlink($0) }
            throw error
        }
    }

    private func write(toDescriptor descriptor: CInt) throws(MultipartError) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { unsafe memory.deallocate() }
        var reader = makeReader()
        while reader.bytesRead < contentLength {
            var output = unsafe OutputRawSpan(buffer: memory, initializedCount: 0)
            try reader.read(into: &output)
            let filled = unsafe output.finalize(for: memory)
            var written = 0
            while written < filled {
                let remaining = unsafe UnsafeRawBufferPointer(rebasing: memory[written..<filled])
                let count = unsafe Self.systemWrite(descriptor: descriptor, bytes: remaining)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw SystemCallError(errnoCode: errno).destinationUnwritableError }
                written += count
            }
        }
    }

    private static func systemWrite(descriptor: CInt, bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            unsafe Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}

extension SystemCallError {
    fileprivate var destinationUnwritableError: MultipartError {
        MultipartError(
            code: .destinationUnwritable, message: "the body's file can't be written: \(message)",
            systemError: errnoCode)
    }
}
