import Foundation
import MediaPrep
import TestSupport

/// A temporary directory for one test, which is removed with this object.
final class TestWorkspace: Sendable {
    private let directory: TemporaryDirectory
    var url: URL { directory.url }

    init() throws { directory = try TemporaryDirectory() }

    func fileURL(at path: String) -> URL { directory.fileURL(named: path) }

    /// Writes a file, and creates its parent directories.
    @discardableResult
    func writeFile(_ data: Data, at path: String) throws -> URL {
        let file = fileURL(at: path)
        try createParentDirectory(of: file)
        try data.write(to: file)
        return file
    }

    /// Writes the same small image under each of the given names.
    func writeSmallImage(at paths: String...) throws {
        for path in paths { try writeFile(try SmallImage.ear.get(), at: path) }
    }

    func createSymbolicLink(at path: String, to target: String) throws {
        try createParentDirectory(of: fileURL(at: path))
        try FileManager.default.createSymbolicLink(atPath: fileURL(at: path).path, withDestinationPath: target)
    }

    func contents(ofFileAt path: String) throws -> Data { try Data(contentsOf: fileURL(at: path)) }

    func fileExists(at path: String) -> Bool { FileManager.default.fileExists(atPath: fileURL(at: path).path) }

    /// The sorted paths of all files below `path`, including links and hidden files, but without the ledgers of runs
    /// and the records of responses.
    func filePaths(below path: String = "") -> [String] {
        let all = FileManager.default.enumerator(atPath: fileURL(at: path).path)?.compactMap { $0 as? String } ?? []
        return all.filter { name in
            if name.contains(/\.prep\/(ledger(-\d+-of-\d+)?\.sqlite|responses\/[0-9a-f]{64})$/) { return false }
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: fileURL(at: path).appending(path: name).path)
            return attributes?[.type] as? FileAttributeType != .typeDirectory
        }.sorted()
    }

    /// The sorted names of the entries of a directory.
    func entryNames(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fileURL(at: path).path).sorted()
    }

    /// Runs `prep` in this directory.
    func runPrep(_ arguments: String..., environment: [String: String?] = [:]) throws -> PrepProcess {
        try PrepProcess(arguments: arguments, in: url, environment: environment)
    }

    /// Runs a shell script in this directory. In it, `$PREP` is the command.
    @discardableResult
    func runShellScript(_ script: String) throws -> PrepProcess { try PrepProcess(script: script, in: url) }

    /// The lines of the manifest in the directory `output`.
    func manifestLines(inOutput output: String = "out") throws -> [ManifestLineFixture] {
        try manifestLines(at: "\(output)/manifest.jsonl")
    }

    /// The lines of a manifest.
    func manifestLines(at path: String) throws -> [ManifestLineFixture] {
        try ManifestLineFixture.parseManifest(String(decoding: try contents(ofFileAt: path), as: UTF8.self))
    }

    private func createParentDirectory(of file: URL) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
}

/// Small images, whose preparation takes a few milliseconds.
enum SmallImage {
    static let ear = prepared(from: "ear-444.jpg", maxDimension: 96)
    static let throat = prepared(from: "throat-turned-180.jpg", maxDimension: 110)
    static let gray = prepared(from: "ear-gray.jpg", maxDimension: 80)

    /// With the quality of its sample (90 for `ear`), the image is converted at the default options.
    private static func prepared(from sample: String, maxDimension: Int) -> Result<Data, any Error> {
        Result {
            try ImagePreparer(maxDimension: maxDimension, quality: 95).prepare(
                contentsOf: SampleMedia.goodImage(named: sample)
            ).data
        }
    }
}
