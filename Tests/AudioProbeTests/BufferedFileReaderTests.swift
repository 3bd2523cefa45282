import AudioProbe
import Foundation
import TestSupport
import Testing

@Suite("A buffered reader")
struct BufferedFileReaderTests {
    /// Sizes around those at which the reader changes its behavior.
    static let sizes = [0, 1, 227, 4095, 4096, 4097, 32_767, 32_768, 32_769, 40_000, 300_000, 700_000]

    /// Calls `body` with the path of a file of `bytes`.
    private func withTemporaryFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(bytes).write(to: url)
        try body(url.path)
    }

    @Test("Bytes are read correctly in any order", arguments: sizes)
    func bytesAreReadInAnyOrder(size: Int) throws {
        var random = SplitMix64(seed: UInt64(size))
        let bytes = random.bytes(count: size)
        try withTemporaryFile(bytes) { path in
            var window = try BufferedFileReader(path: path)
            #expect(window.byteCount == size)
            var offset = 0
            for _ in 0..<2000 {
                let length = random.number(in: 0...(random.number(in: 0...9) == 0 ? 70_000 : 300))
                // Anywhere, near the end, or after the previous bytes.
                switch random.number(in: 0...3) {
                case 0: offset = random.number(in: 0...size)
                case 1: offset = max(0, size - random.number(in: 0...300))
                default: break
                }
                let isThere = offset + length <= size
                let found = try window.bytes(at: offset, count: length)
                guard found == (isThere ? Array(bytes[offset..<offset + length]) : nil) else {
                    Issue.record("\(length) bytes at \(offset) are others")
                    return
                }
                if isThere { offset += length }
            }
            #expect(try window.bytes(at: -1, count: 1) == nil)
            #expect(try window.readContents() == bytes)
            #expect(try window.readContents(upTo: 100) == Array(bytes.prefix(100)))
        }
    }

    @Test("A file that became shorter is reported at the offset of its end", arguments: sizes.filter { $0 > 300 })
    func fileShortenedWhileReadIsReported(size: Int) throws {
        try withTemporaryFile([UInt8](repeating: 7, count: size)) { path in
            var window = try BufferedFileReader(path: path)
            try FileHandle(forUpdating: URL(filePath: path)).truncate(atOffset: UInt64(size - 200))
            let error = #expect(throws: AudioError.self) { try window.bytes(at: size - 100, count: 100) }
            #expect(error?.code == .changedWhileRead && error?.offset == size - 200)
        }
    }

    @Test("Byte and text paths open the same file, and errors state the reason")
    func byteAndTextPathsOpenSameFile() throws {
        try withTemporaryFile([1, 2, 3]) { path in
            let counts = [
                try BufferedFileReader(path: Array(path.utf8)).byteCount, try BufferedFileReader(path: path).byteCount,
            ]
            #expect(counts == [3, 3])
            for missing in [path + "-none", ""] {
                let error = #expect(throws: AudioError.self) { _ = try BufferedFileReader(path: missing) }
                let other = #expect(throws: AudioError.self) { _ = try BufferedFileReader(path: Array(missing.utf8)) }
                #expect(error?.code == .unreadable && error == other)
                #expect(error?.message == "the file cannot be opened: No such file or directory")
            }
        }
        let error = #expect(throws: AudioError.self) { _ = try BufferedFileReader(path: "/dev/null") }
        #expect(error?.code == .notARegularFile)
    }
}
