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

    @Test("A writer that is destroyed without being closed releases the manifest")
    func destroyedWriterReleasesManifest() throws {
        let temporary = try TemporaryDirectory(), directory = FilePath(temporary.url.path)
        for _ in 0..<2 { #expect(Self.openError(of: directory) == nil) }
    }
}
