import Diagnostics
import Foundation
import MediaPrep
import SystemPackage
import TestSupport
import Testing

@testable import Batch

@Suite("Lists and manifests are read line by line")
struct LineReaderTests {
    private func readLines(_ bytes: [UInt8], separator: UInt8 = 10) throws -> [(bytes: [UInt8], isWhole: Bool)] {
        let directory = try TemporaryDirectory()
        var reader = try LineReader(
            path: FilePath(try directory.writeFile(Data(bytes), named: "list").path), separator: separator)
        var lines: [(bytes: [UInt8], isWhole: Bool)] = []
        while let line = try reader.nextLine() { lines.append((line.bytes, line.isTerminated)) }
        return lines
    }

    @Test(
        "Lines of any length are complete",
        arguments: [[], [0], [1, 0, 2], [65_535, 1], [65_536, 65_536], [200_000, 3, 131_072]])
    func linesOfAnyLengthAreReadWhole(_ lengths: [Int]) throws {
        let written = lengths.enumerated().map { [UInt8](repeating: UInt8(65 + $0), count: $1) }
        let read = try readLines(written.flatMap { $0 + [10] })
        #expect(read.map(\.bytes) == written)
        #expect(!read.map(\.isWhole).contains(false))
    }

    @Test("Bytes after the last line end are distinguished from a complete line")
    func unterminatedLastLineIsMarked() throws {
        let read = try readLines(Array("one\ntwo".utf8))
        #expect(read.map(\.bytes) == [Array("one".utf8), Array("two".utf8)])
        #expect(read.map(\.isWhole) == [true, false])
    }

    @Test("If zero bytes separate the lines, a line feed is part of a line")
    func zeroSeparatedListKeepsLineFeeds() throws {
        #expect(
            try readLines(Array("a\nb\0c\0".utf8), separator: 0).map(\.bytes) == [Array("a\nb".utf8), Array("c".utf8)])
    }

    @Test("A line that exceeds the limit is an error")
    func overlongLineThrows() throws {
        #expect(throws: BatchError.self) { try readLines([UInt8](repeating: 65, count: (17 << 20))) }
    }

    @Test(
        "An invalid manifest is rejected with the line number",
        arguments: ["text\n", "{}\n", "[]\n", "\n", "{\"input\":1}\n"])
    func invalidManifestLineIsRejectedWithItsNumber(_ text: String) throws {
        let directory = try TemporaryDirectory()
        var reader = try ManifestReader(path: FilePath(try directory.writeFile(Data(text.utf8), named: "m").path))
        do {
            _ = try reader.nextEntry()
            Issue.record("it was taken")
        } catch {
            #expect("\(error)".hasPrefix("line 1 of "))
        }
    }

    @Test("Cancelling ends the wait for a pipe", .timeLimit(.minutes(5)))
    func cancellationEndsWait() async throws {
        let pipe = try FileDescriptor.pipe()
        defer { for end in [pipe.readEnd, pipe.writeEnd] { try? end.close() } }
        try pipe.writeEnd.writeAll("one\nhalf".utf8)
        let (firstLineRead, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            // Reading blocks, so it must not run on Swift's cooperative threads.
            try await BlockingThreadPool(threadCount: 1).run { () throws in
                var reader = try LineReader(path: FilePath("/dev/fd/\(pipe.readEnd.rawValue)"))
                #expect(try reader.nextLine()?.bytes == Array("one".utf8))
                continuation.yield()
                _ = try reader.nextLine()
            }
        }
        for await _ in firstLineRead { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Manifest lines are read with the exact bytes of their names, and an incomplete last line is left out")
    func manifestReaderKeepsNameBytesAndDropsIncompleteLine() throws {
        let directory = try TemporaryDirectory()
        var line = ManifestLine(input: try #require(FilePath(bytes: [0x61, 0xE9])), kind: .image)
        line.verdict = .rejected
        line.reasons = [Diagnostic(.truncated, offset: 3, message: "m")]
        let json = try line.jsonLine()
        var reader = try ManifestReader(
            path: FilePath(try directory.writeFile(json + json.dropLast(2), named: "m").path))
        let first = try #require(try reader.nextEntry())
        #expect(first.entry.inputPath.bytes == [0x61, 0xE9])
        #expect(first.entry.outputPath == nil)
        #expect(first.entry.reasons == line.reasons)
        #expect(first.bytes == Array(json.dropLast()))
        let end = try reader.nextEntry()
        #expect(end == nil)
    }

    @Test("A last line without a line end is read if it is whole, as editors and scripts may write it")
    func wholeUnterminatedLineIsRead() throws {
        let directory = try TemporaryDirectory()
        let json = try ManifestLine(input: "a", kind: .image).jsonLine()
        var reader = try ManifestReader(
            path: FilePath(try directory.writeFile(json + json.dropLast(), named: "m").path),
            allowsIncompleteLastLine: false)
        for _ in 1...2 { #expect(try reader.nextEntry()?.bytes == Array(json.dropLast())) }
    }
}
