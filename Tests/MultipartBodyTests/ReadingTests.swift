// `unsafe`: a buffer that has bytes already.

import Foundation
import MultipartBody
import TestSupport
import Testing

@Suite("A body is the same bytes however it is read")
struct ReadingTests {
    private static let capacities = [1, 2, 3, 7, 4096, 1 << 20]

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func file(_ name: String, _ content: MultipartContent) -> MultipartPart {
        .file(name, filename: name + ".bin", type: "application/octet-stream", content: content)
    }

    /// A part of `bytes` in a file, whose content is checked.
    private func onDisk(_ name: String, _ bytes: [UInt8]) throws -> MultipartPart {
        let content = try directory.write(bytes, name).content { ExpectedBytes(bytes) }
        return file(name, .file(content))
    }

    @Test("Files from the disk are as files from memory", arguments: capacities, [0, 1, 2, 4095, 4096, 10_000])
    func streamed(through capacity: Int, size: Int) throws {
        let content = pattern(size)
        let streamed = try MultipartBody([onDisk("a", content), .field("f", "v"), onDisk("b", content)], boundary: "b")
        let inMemory = try MultipartBody(
            [.field("f", "v"), file("a", .bytes(content)), file("b", .bytes(content))], boundary: "b")
        let bytes = try streamed.bytes(through: capacity)
        #expect(try bytes == inMemory.bytes(through: 1 << 20))
        #expect(bytes.count == streamed.length)
        #expect(streamed.length == inMemory.length)
    }

    @Test("40 parts, every third of them empty", arguments: capacities)
    func manyParts(capacity: Int) throws {
        let parts = try (0..<40).map { number in
            let content = number.isMultiple(of: 3) ? [] : pattern(number * 17)
            return switch number % 4 {
            case 0: MultipartPart.field("n\(number)", String(repeating: "ø", count: number))
            case 1: file("n\(number)", .bytes(content))
            default: try onDisk("n\(number)", content)
            }
        }
        let body = try MultipartBody(parts)
        let bytes = try body.bytes(through: capacity)
        #expect(bytes.count == body.length)
        #expect(try bytes == body.bytes(through: 100))
        #expect(
            Data(bytes).split(separator: Data("\r\n".utf8)).filter { $0 == Data("--\(body.boundary)".utf8) }.count == 40
        )
    }

    @Test("It can be read again, and by several at once")
    func replay() throws {
        let body = try MultipartBody([onDisk("a", pattern(5000)), .field("f", "v"), onDisk("b", [])])
        let whole = try body.bytes()
        var one = body.makeReader()
        var other = body.makeReader()
        var ones: [UInt8] = []
        var others: [UInt8] = []
        while ones.count < whole.count || others.count < whole.count {
            ones += try one.next(300)
            others += try other.next(701)
        }
        #expect(ones == whole)
        #expect(others == whole)
        #expect(try body.bytes(through: 9) == whole)
    }

    @Test("The offset is what was read, and after the end there is nothing")
    func offset() throws {
        let body = try MultipartBody([onDisk("a", pattern(5000))])
        var reader = body.makeReader()
        var count = 0
        while reader.offset < body.length {
            count += try reader.next(613).count
            #expect(reader.offset == count)
        }
        #expect(reader.offset == body.length)
        #expect(try reader.next(10).isEmpty)
        #expect(reader.offset == body.length)
    }

    @Test("It is appended to what the buffer has, and to a full one nothing")
    func appends() throws {
        let body = try MultipartBody([], boundary: "b")
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 6, alignment: 1)
        defer { unsafe memory.deallocate() }
        var output = unsafe OutputRawSpan(buffer: memory, initializedCount: 0)
        output.append(0x3E)
        var reader = body.makeReader()
        try reader.read(into: &output)
        try reader.read(into: &output)
        let filled = unsafe output.finalize(for: memory)
        #expect(unsafe Array(memory[..<filled]) == Array(">--b--".utf8))
        #expect(reader.offset == 5)
        #expect(try reader.next(10) == Array("\r\n".utf8))
    }

    #if os(Linux)
        @Test("A file is open from its first byte to its last", arguments: [0, 1, 5000])
        func closes(size: Int) throws {
            let part = try onDisk("a", pattern(size))
            let path = directory.url.appending(path: "a").path
            let isOpen = {
                let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                return descriptors.contains {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
                }
            }
            let body = try MultipartBody([part], boundary: "b")
            let end = "\r\n--b--\r\n".utf8.count
            var reader = body.makeReader()
            _ = try reader.next(Int(body.length) - end - size)
            #expect(try !isOpen())
            if size > 1 {
                _ = try reader.next(1)
                #expect(try isOpen())
                // One that is given up closes it too.
                do {
                    var second = body.makeReader()
                    _ = try second.next(Int(body.length) - end - 1)
                }
                _ = try reader.next(size - 1)
            } else {
                _ = try reader.next(size)
            }
            #expect(try !isOpen())
            #expect(try reader.rest(100).count == end)
        }
    #endif
}
