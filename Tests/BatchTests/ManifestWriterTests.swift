import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

@Suite("A manifest in an output directory has one writer")
struct ManifestWriterTests {
    private static func openError(of directory: FilePath) -> BatchError? {
        do throws(BatchError) {
            _ = try ManifestWriter(creating: "manifest.jsonl", in: directory, access: .sameAsInputs)
            return nil
        } catch {
            return error
        }
    }

    @Test func openManifestIsNotReplaced() throws {
        let temporary = try TemporaryDirectory(), directory = FilePath(temporary.url.path)
        let file = temporary.fileURL(named: "manifest.jsonl")
        var writer = try ManifestWriter(creating: "manifest.jsonl", in: directory, access: .sameAsInputs)
        try writer.writeLine(Array("1\n".utf8))
        let error = Self.openError(of: directory)
        #expect(error?.code == .unwritable)
        #expect(
            error?.message
                == "another run is writing the manifest \(file.path): wait for it, or name another manifest")
        try writer.writeLine(Array("2\n".utf8))
        try writer.close()
        #expect(try String(contentsOf: file, encoding: .utf8) == "1\n2\n")
        #expect(Self.openError(of: directory) == nil)
        #expect(try Data(contentsOf: file).isEmpty)
    }

    @Test("A manifest that the user named has one writer, and is not truncated by another")
    func namedManifestIsLocked() throws {
        let temporary = try TemporaryDirectory(), file = temporary.fileURL(named: "lines"), path = FilePath(file.path)
        try Data("earlier".utf8).write(to: file)
        var writer = try ManifestWriter(path: path, access: .sameAsInputs)
        try writer.writeLine(Array("1\n".utf8))
        try writer.flush()
        do throws(BatchError) {
            _ = try ManifestWriter(path: path, access: .sameAsInputs)
            Issue.record("it was opened twice")
        } catch {
            #expect(error.message.hasPrefix("another run is writing the manifest "))
        }
        try writer.close()
        #expect(try String(contentsOf: file, encoding: .utf8) == "1\n")
        _ = try ManifestWriter(path: path, access: .sameAsInputs)
        #expect(try Data(contentsOf: file).isEmpty)
    }

    @Test("A writer that is destroyed without being closed releases the manifest")
    func destroyedWriterReleasesManifest() throws {
        let temporary = try TemporaryDirectory(), directory = FilePath(temporary.url.path)
        for _ in 0..<2 { #expect(Self.openError(of: directory) == nil) }
    }
}
