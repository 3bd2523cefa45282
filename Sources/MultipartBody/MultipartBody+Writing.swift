// `unsafe`: write and unlink, and the memory between.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension MultipartBody {
    /// Writes the body to a new file, readable by its owner alone: for what takes no other source, such as a background session.
    ///
    /// It takes 256 KiB of memory and waits for the disk.
    ///
    /// - Parameter path: bytes that need not be UTF-8. Where there is something already, it is left alone.
    /// - Throws: `destination-unwritable`; what reading throws. There is then no file.
    public func write(toFile path: [UInt8]) throws(MultipartError) {
        let file: CInt
        do throws(SystemError) {
            file = try openFile(path, O_WRONLY | O_CREAT | O_EXCL)
        } catch {
            throw error.unwritable
        }
        defer { close(file) }
        do {
            try write(to: file)
        } catch {
            _ = unsafe withTerminated(path) { unsafe unlink($0) }
            throw error
        }
    }

    private func write(to file: CInt) throws(MultipartError) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { unsafe memory.deallocate() }
        var reader = makeReader()
        while reader.offset < length {
            var output = unsafe OutputRawSpan(buffer: memory, initializedCount: 0)
            try reader.read(into: &output)
            let filled = unsafe output.finalize(for: memory)
            var written = 0
            while written < filled {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: memory[written..<filled])
                let count = unsafe Self.system(file, rest)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw SystemError(number: errno).unwritable }
                written += count
            }
        }
    }

    private static func system(_ file: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            unsafe Glibc.write(file, bytes.baseAddress, bytes.count)
        #else
            unsafe Darwin.write(file, bytes.baseAddress, bytes.count)
        #endif
    }
}

extension SystemError {
    fileprivate var unwritable: MultipartError {
        MultipartError(
            code: .destinationUnwritable, message: "the body's file can't be written: \(text)", systemError: number)
    }
}
