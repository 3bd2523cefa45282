// `unsafe`: memory to read into, and times of files.

import Foundation
import MultipartBody
import SystemSupport
import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension MultipartFormReader {
    /// Returns the next bytes, read into a buffer of `capacity` bytes.
    mutating func readNext(capacity: Int) throws(MultipartError) -> [UInt8] {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
        defer { unsafe memory.deallocate() }
        var output = unsafe OutputRawSpan(buffer: memory, initializedCount: 0)
        try read(into: &output)
        return unsafe Array(memory[..<output.finalize(for: memory)])
    }

    /// Returns the rest of the body, read into buffers of `capacity` bytes, of which only the last may not be full.
    mutating func readRest(capacity: Int) throws(MultipartError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let chunk = try readNext(capacity: capacity)
            bytes += chunk
            if chunk.count < capacity { return bytes }
        }
    }
}

extension MultipartForm {
    func allBytes(capacity: Int = 4096) throws(MultipartError) -> [UInt8] {
        var reader = makeReader()
        return try reader.readRest(capacity: capacity)
    }

    /// The body as text. It must be UTF-8.
    func text() throws(MultipartError) -> String? { String(validating: try allBytes(), as: UTF8.self) }
}

/// A verifier that accepts only the given bytes.
struct ExpectedBytes: ContentVerifier {
    let expected: [UInt8]
    private var seen: [UInt8] = []

    init(_ expected: [UInt8]) { self.expected = expected }

    mutating func update(bytes: RawSpan) { unsafe bytes.withUnsafeBytes { unsafe seen.append(contentsOf: $0) } }
    mutating func matchesExpectedContent() -> Bool { seen == expected }
}

extension TemporaryDirectory {
    func writeBytes(_ bytes: [UInt8], named name: String = "patient.jpg") throws -> URL {
        try writeFile(Data(bytes), named: name)
    }
}

extension URL {
    var pathBytes: [UInt8] { Array(path.utf8) }

    /// Returns the content of the file in its current version.
    func fileContent(check: (@Sendable () -> any ContentVerifier)? = nil) throws -> FileContent {
        FileContent(path: pathBytes, version: try FileVersion(ofFileAt: pathBytes), makeVerifier: check)
    }

    /// Overwrites bytes from the offset on, also beyond the end.
    func overwrite(at offset: Int, with bytes: [UInt8]) throws {
        let file = try FileHandle(forWritingTo: self)
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    /// Sets the modification time.
    func setModificationTime(_ nanoseconds: Int64) {
        let time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        precondition(unsafe utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    }
}

/// Bytes without repetitions, with CR, LF and hyphens among them.
func patternBytes(count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }
