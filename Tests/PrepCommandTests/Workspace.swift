import Foundation
import MediaPrep
import TestSupport

/// A directory for one test, removed with this object.
final class Workspace {
    private let directory: TemporaryDirectory
    var url: URL { directory.url }

    init() throws { directory = try TemporaryDirectory() }

    func file(_ path: String) -> URL { directory.file(path) }

    /// Writes a file, with the directories above it.
    @discardableResult
    func write(_ data: Data, _ path: String) throws -> URL {
        let file = file(path)
        try makeDirectory(for: file)
        try data.write(to: file)
        return file
    }

    /// Writes the same small photo under each of these names.
    func writePhotos(_ paths: String...) throws {
        for path in paths { try write(try SmallPhoto.ear.get(), path) }
    }

    func link(_ path: String, to target: String) throws {
        try makeDirectory(for: file(path))
        try FileManager.default.createSymbolicLink(atPath: file(path).path, withDestinationPath: target)
    }

    func contents(_ path: String) throws -> Data { try Data(contentsOf: file(path)) }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: file(path).path) }

    /// Paths of all files below `path`, links and hidden ones included, sorted; but for the ledgers of runs.
    func files(below path: String = "") -> [String] {
        let all = FileManager.default.enumerator(atPath: file(path).path)?.compactMap { $0 as? String } ?? []
        return all.filter { name in
            if name.contains(/\.prep\/ledger(-\d+-of-\d+)?\.sqlite$/) { return false }
            let attributes = try? FileManager.default.attributesOfItem(atPath: file(path).appending(path: name).path)
            return attributes?[.type] as? FileAttributeType != .typeDirectory
        }.sorted()
    }

    /// Names of what is in a directory, sorted.
    func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file(path).path).sorted()
    }

    /// Runs `prep` here.
    func prep(_ arguments: String..., environment: [String: String?] = [:]) throws -> PrepProcess {
        try PrepProcess(arguments, in: url, environment: environment)
    }

    /// Runs a script of the shell here, in which `$PREP` is the command.
    @discardableResult
    func shell(_ script: String) throws -> PrepProcess { try PrepProcess(script: script, in: url) }

    /// The lines of the manifest that a run into `output` leaves.
    func manifest(_ output: String = "out") throws -> [Line] { try lines("\(output)/manifest.jsonl") }

    /// The lines of a manifest.
    func lines(_ path: String) throws -> [Line] {
        try Line.all(in: String(decoding: try contents(path), as: UTF8.self))
    }

    private func makeDirectory(for file: URL) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
}

/// Photos so small that preparing one takes a few milliseconds.
enum SmallPhoto {
    static let ear = made(from: "ear-444.jpg", maxDimension: 96)
    static let throat = made(from: "throat-turned-180.jpg", maxDimension: 110)
    static let gray = made(from: "ear-gray.jpg", maxDimension: 80)

    /// With the quality of its sample, for `ear` 90: enough for preparing it again at the defaults to convert it.
    private static func made(from sample: String, maxDimension: Int) -> Result<Data, any Error> {
        Result {
            try ImagePreparer(maxDimension: maxDimension, quality: 95).prepare(contentsOf: Samples.photo(sample)).data
        }
    }
}
