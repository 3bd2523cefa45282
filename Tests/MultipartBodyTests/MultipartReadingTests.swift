// `unsafe`: a buffer that already contains bytes.

import Foundation
import MultipartBody
import TestSupport
import Testing

@Suite("A body is the same bytes however it is read")
struct MultipartReadingTests {
    private static let capacities = [1, 2, 3, 7, 4096, 1 << 20]

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func makeFilePart(name: String, content: MultipartContent) -> MultipartPart {
        .file(name: name, filename: name + ".bin", mediaType: "application/octet-stream", content: content)
    }

    /// Returns a part with `bytes` in a file whose content is verified.
    private func makeFilePartOnDisk(name: String, bytes: [UInt8]) throws -> MultipartPart {
        let content = try directory.writeBytes(bytes, named: name).fileContent { ExpectedBytes(bytes) }
        return makeFilePart(name: name, content: .file(content))
    }

    @Test("Files on disk give the same body as files in memory", arguments: capacities, [0, 1, 2, 4095, 4096, 10_000])
    func filesOnDiskEqualFilesInMemory(through capacity: Int, size: Int) throws {
        let content = patternBytes(count: size)
        let streamed = try MultipartForm(
            parts: [
                makeFilePartOnDisk(name: "a", bytes: content), .field(name: "f", value: "v"),
                makeFilePartOnDisk(name: "b", bytes: content),
            ], boundary: "b")
        let inMemory = try MultipartForm(
            parts: [
                .field(name: "f", value: "v"), makeFilePart(name: "a", content: .bytes(content)),
                makeFilePart(name: "b", content: .bytes(content)),
            ], boundary: "b")
        let bytes = try streamed.allBytes(capacity: capacity)
        #expect(try bytes == inMemory.allBytes(capacity: 1 << 20))
        #expect(bytes.count == streamed.contentLength)
        #expect(streamed.contentLength == inMemory.contentLength)
    }

    @Test("40 parts, every third of them empty", arguments: capacities)
    func manyPartsAreReadAtAnyCapacity(capacity: Int) throws {
        let parts = try (0..<40).map { number in
            let content = number.isMultiple(of: 3) ? [] : patternBytes(count: number * 17)
            return switch number % 4 {
            case 0: MultipartPart.field(name: "n\(number)", value: String(repeating: "ø", count: number))
            case 1: makeFilePart(name: "n\(number)", content: .bytes(content))
            default: try makeFilePartOnDisk(name: "n\(number)", bytes: content)
            }
        }
        let body = try MultipartForm(parts: parts)
        let bytes = try body.allBytes(capacity: capacity)
        #expect(bytes.count == body.contentLength)
        #expect(try bytes == body.allBytes(capacity: 100))
        #expect(
            Data(bytes).split(separator: Data("\r\n".utf8)).filter { $0 == Data("--\(body.boundary)".utf8) }.count == 40
        )
    }

    @Test("It can be read again, and by several readers concurrently")
    func bodyCanBeReadAgainAndConcurrently() throws {
        let body = try MultipartForm(parts: [
            makeFilePartOnDisk(name: "a", bytes: patternBytes(count: 5000)), .field(name: "f", value: "v"),
            makeFilePartOnDisk(name: "b", bytes: []),
        ])
        let whole = try body.allBytes()
        var one = body.makeReader()
        var other = body.makeReader()
        var ones: [UInt8] = []
        var others: [UInt8] = []
        while ones.count < whole.count || others.count < whole.count {
            ones += try one.readNext(capacity: 300)
            others += try other.readNext(capacity: 701)
        }
        #expect(ones == whole)
        #expect(others == whole)
        #expect(try body.allBytes(capacity: 9) == whole)
    }

    @Test("The offset counts the bytes read, and reading after the end returns nothing")
    func offsetCountsBytesRead() throws {
        let body = try MultipartForm(parts: [makeFilePartOnDisk(name: "a", bytes: patternBytes(count: 5000))])
        var reader = body.makeReader()
        var count = 0
        while reader.bytesRead < body.contentLength {
            count += try reader.readNext(capacity: 613).count
            #expect(reader.bytesRead == count)
        }
        #expect(reader.bytesRead == body.contentLength)
        #expect(try reader.readNext(capacity: 10).isEmpty)
        #expect(reader.bytesRead == body.contentLength)
    }

    @Test("Bytes are appended to the buffer, and a full buffer stays unchanged")
    func readAppendsToBuffer() throws {
        let body = try MultipartForm(parts: [], boundary: "b")
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 6, alignment: 1)
        defer { unsafe memory.deallocate() }
        var output = unsafe OutputRawSpan(buffer: memory, initializedCount: 0)
        output.append(0x3E)
        var reader = body.makeReader()
        try reader.read(into: &output)
        try reader.read(into: &output)
        let filled = unsafe output.finalize(for: memory)
        #expect(unsafe Array(memory[..<filled]) == Array(">--b--".utf8))
        #expect(reader.bytesRead == 5)
        #expect(try reader.readNext(capacity: 10) == Array("\r\n".utf8))
    }

    #if os(Linux)
        @Test("A file is open from its first byte to its last", arguments: [0, 1, 5000])
        func fileIsOpenOnlyWhileRead(size: Int) throws {
            let part = try makeFilePartOnDisk(name: "a", bytes: patternBytes(count: size))
            let path = directory.url.appending(path: "a").path
            let isOpen = {
                let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                return descriptors.contains {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
                }
            }
            let body = try MultipartForm(parts: [part], boundary: "b")
            let end = "\r\n--b--\r\n".utf8.count
            var reader = body.makeReader()
            _ = try reader.readNext(capacity: Int(body.contentLength) - end - size)
            #expect(try !isOpen())
            if size > 1 {
                _ = try reader.readNext(capacity: 1)
                #expect(try isOpen())
                // A reader that is discarded also closes it.
                do {
                    var second = body.makeReader()
                    _ = try second.readNext(capacity: Int(body.contentLength) - end - 1)
                }
                _ = try reader.readNext(capacity: size - 1)
            } else {
                _ = try reader.readNext(capacity: size)
            }
            #expect(try !isOpen())
            #expect(try reader.readRest(capacity: 100).count == end)
        }
    #endif
}
