// `unsafe`: reads into memory that is not initialised first.

internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Reads lists from a file or a pipe, a line at a time.
struct LineReader: ~Copyable {
    /// A line, without what ends it.
    struct Line {
        var bytes: [UInt8]
        /// False for bytes at the end of the file that nothing ends: whoever wrote them may not have come to their end.
        var isTerminated: Bool
    }

    private let path: FilePath
    private let file: FileDescriptor
    private let separator: UInt8
    private var buffer: [UInt8] = []
    private var position = 0
    private var hasReachedEnd = false

    /// A manifest's longest line lists a few thousand tracks; what is longer than this is no list.
    private static let maxLineBytes = 16 << 20
    private static let chunkByteCount = 64 << 10

    /// - Parameter path: a file, or `-` for standard input.
    init(path: FilePath, separator: UInt8 = UInt8(ascii: "\n")) throws(RunError) {
        self.path = path
        self.separator = separator
        do {
            file = path == "-" ? .standardInput : try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        } catch {
            throw RunError("\(path) can't be read: \(error)")
        }
    }

    deinit { if path != "-" { try? file.close() } }

    /// Whether it is a regular file of the user's own, and not standard input.
    var isFileOwnedByUser: Bool {
        guard path != "-", let stat = try? Stat(file) else { return false }
        return stat.type == .regular && stat.userID.rawValue == geteuid()
    }

    /// The next line; nil behind the last.
    mutating func nextLine() throws(RunError) -> Line? {
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

    /// Drops what was read, and reads on.
    private mutating func refillBuffer() throws(RunError) {
        buffer.removeFirst(position)
        position = 0
        guard buffer.count <= Self.maxLineBytes else {
            throw RunError("\(path) is not a list: it has a line of more than \(Self.maxLineBytes) bytes")
        }
        do {
            let more = try unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkByteCount) { target, count in
                count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(target))
            }
            hasReachedEnd = more.isEmpty
            buffer += more
        } catch {
            throw RunError("\(path) can't be read: \(error)")
        }
    }
}
