import Diagnostics
import Foundation
import SystemPackage
import SystemSupport
import TestSupport
import Testing

@testable import Batch

@Suite("The list of inputs is compact and sorted, and returns its entries")
struct InputListTests {
    private func makeInputList(_ paths: [(path: String, relative: String)]) throws -> InputList {
        var list = InputList()
        for (path, relative) in paths {
            try list.add(
                path: Array(path.utf8), relativePath: Array(relative.utf8), stat: nil, isExplicitlyNamed: false)
        }
        list.sortAndRemoveDuplicates()
        return list
    }

    @Test("Inputs are in the byte order of their paths, without duplicates")
    func inputsAreSortedAndUnique() throws {
        let list = try makeInputList([
            ("b", "b"), ("a/b", "b"), ("a.jpg", "x"), ("a/b", "other"), ("a", ""), ("B", "B"),
        ])
        #expect((0..<list.count).map { list[$0].path.string } == ["B", "a", "a.jpg", "a/b", "b"])
        #expect((0..<list.count).map { list[$0].relativePath.string } == ["B", "", "x", "b", "b"])
    }

    @Test("A rejection stays with its input")
    func rejectionStaysWithItsInput() throws {
        var list = InputList()
        let reason = Diagnostic(.outsideBase, message: "m")
        try list.add(path: [3], relativePath: [3], stat: nil, isExplicitlyNamed: true, rejectionReason: reason)
        for byte: UInt8 in [1, 5, 2, 4] {
            try list.add(path: [byte], relativePath: [byte], stat: nil, isExplicitlyNamed: true)
        }
        list.sortAndRemoveDuplicates()
        list.reject(at: 4, reason: reason)
        #expect((0..<5).map { list[$0].rejectionReason == reason } == [false, false, true, false, true])
        #expect((0..<5).map { list.isRejected(at: $0) } == [false, false, true, false, true])
    }

    @Test("Files are recognized by any path")
    func filesAreIdentifiedByAnyPath() throws {
        let directory = try TemporaryDirectory()
        var list = InputList()
        for number in 0..<100 {
            let file = try directory.writeFile(Data("\(number)".utf8), named: "\(number)")
            if number % 2 == 0 {
                try list.add(
                    path: Array(file.path.utf8), relativePath: [], stat: try FilePath(file.path).stat(),
                    isExplicitlyNamed: true)
            }
        }
        try FileManager.default.createSymbolicLink(
            atPath: directory.fileURL(named: "link").path, withDestinationPath: "8")
        list.sortAndRemoveDuplicates()
        for number in 0..<100 {
            let identity = try #require(FileIdentity(FilePath(directory.fileURL(named: "\(number)").path)))
            #expect(list.containsFile(identity) == (number % 2 == 0))
        }
        let link = try #require(FileIdentity(FilePath(directory.fileURL(named: "link").path)))
        #expect(list.containsFile(link))
        #expect(!InputList().containsFile(FileIdentity(device: 0, inode: 0)))
    }

    @Test(
        "An image's output has the whole name of its input, followed by .jpg",
        arguments: [
            ("a.png", "a.png.jpg"), ("a.jpg", "a.jpg"), ("b/a.JPEG", "b/a.JPEG"), ("a.Jpg", "a.Jpg"), ("a", "a.jpg"),
            ("jpg", "jpg.jpg"), (".jpg", ".jpg.jpg"), ("b/.jpeg", "b/.jpeg.jpg"), ("a.jpg.png", "a.jpg.png.jpg"),
            ("a.", "a..jpg"),
            ("b.jpg/a", "b.jpg/a.jpg"),
        ])
    func imageOutputNameAppendsJPG(_ relative: String, _ output: String) {
        #expect(String(decoding: OutputNaming.imageOutputName(for: Array(relative.utf8)), as: UTF8.self) == output)
    }

    @Test(
        "No output has a reserved name",
        arguments: [
            ("manifest.jsonl", true), ("manifest-1-of-2.jsonl", true), ("b/manifest.jsonl", false),
            (".prep/a.jpg", true),
            (".preparation/a.jpg", false), ("manifest.jpg", false), (".prep", true), ("a.jsonl", false),
        ])
    func reservedOutputNamesAreRejected(_ relative: String, _ isReserved: Bool) {
        #expect((OutputNaming.reservedNameRejection(for: Array(relative.utf8)) != nil) == isReserved)
    }
}
