import Foundation
import TestSupport
import Testing

@Suite("Links planted in an output directory are not followed")
struct PlantedLinkTests {
    enum Link { case symbolic, hard }

    /// A link in the place of a file or directory that a run writes or removes.
    struct Plant: CustomTestStringConvertible {
        var link: Link
        /// The path below the directory of the test.
        var path: String
        /// The target: `victimContents`, a directory, or a file in it.
        var target: String
        /// The exit status, and a part of the error message.
        var status: Int32
        var message: String?

        var testDescription: String { "\(link) link \(path) to \(target)" }
    }

    /// A directory of images, and another whose files must not change. They are named like drafts.
    private func makeWorkspaceWithVictimDirectory() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/a.jpg", "in/sub/b.jpg")
        for name in ["1", "2", "letters.txt", "b.jpg"] {
            try workspace.writeFile(Data("dear \(name)".utf8), at: "victim/\(name)")
        }
        return workspace
    }

    private func plantLink(_ plant: Plant, in workspace: TestWorkspace) throws {
        let place = workspace.fileURL(at: plant.path), target = workspace.fileURL(at: plant.target)
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        switch plant.link {
        case .symbolic: try FileManager.default.createSymbolicLink(at: place, withDestinationURL: target)
        case .hard: try FileManager.default.linkItem(at: target, to: place)
        }
    }

    private func victimContents(_ workspace: TestWorkspace) throws -> [String: String] {
        let names = try workspace.entryNames(in: "victim")
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, String(decoding: try workspace.contents(ofFileAt: "victim/\($0)"), as: UTF8.self))
            })
    }

    private static let symbolicLinkMessage = "symbolic link"

    @Test(
        "A run continues if it can, and otherwise reports why; the link's target is not changed",
        arguments: [
            Plant(link: .symbolic, path: "out/.prep", target: "victim", status: 2, message: symbolicLinkMessage),
            Plant(link: .symbolic, path: "out/.prep/tmp", target: "victim", status: 2, message: symbolicLinkMessage),
            // A run could have given this name to its own directory.
            Plant(link: .symbolic, path: "out/.prep/tmp/zz", target: "victim", status: 0),
            Plant(link: .symbolic, path: "out/.prep/tmp/zz/1", target: "victim/1", status: 0),
            Plant(link: .hard, path: "out/.prep/tmp/zz/1", target: "victim/1", status: 0),
            Plant(
                link: .symbolic, path: "out/manifest.jsonl", target: "victim/letters.txt", status: 2, message: "link"),
            Plant(link: .symbolic, path: "out/manifest.jsonl", target: "victim/new", status: 2, message: "link"),
            Plant(link: .hard, path: "out/manifest.jsonl", target: "victim/letters.txt", status: 0),
            Plant(
                link: .symbolic, path: "out/.prep/ledger.sqlite", target: "victim/letters.txt", status: 2,
                message: symbolicLinkMessage),
            Plant(
                link: .symbolic, path: "out/.prep/ledger.sqlite", target: "victim/new", status: 2,
                message: symbolicLinkMessage),
            Plant(
                link: .hard, path: "out/.prep/ledger.sqlite", target: "victim/letters.txt", status: 2,
                message: "hard link"),
            Plant(
                link: .symbolic, path: "out/.prep/ledger.sqlite-wal", target: "victim/letters.txt", status: 2,
                message: symbolicLinkMessage),
            Plant(
                link: .symbolic, path: "out/.prep/ledger.sqlite-journal", target: "victim/letters.txt", status: 2,
                message: symbolicLinkMessage),
            Plant(
                link: .hard, path: "out/.prep/ledger.sqlite-wal", target: "victim/letters.txt", status: 2,
                message: "hard link"),
            Plant(link: .symbolic, path: "out/sub", target: "victim", status: 1, message: symbolicLinkMessage),
            Plant(link: .symbolic, path: "out/a.jpg", target: "victim/b.jpg", status: 0),
            Plant(link: .hard, path: "out/a.jpg", target: "victim/b.jpg", status: 0),
        ])
    func runNeverWritesThroughPlantedLinks(_ planted: Plant) throws {
        let workspace = try makeWorkspaceWithVictimDirectory()
        let before = try victimContents(workspace)
        try plantLink(planted, in: workspace)
        let run = try workspace.runPrep("in", "--output", "out")
        #expect(run.exitStatus == planted.status, "\(run.standardError)")
        if let message = planted.message { #expect(run.standardError.contains(message), "\(run.standardError)") }
        #expect(try victimContents(workspace) == before)
        if planted.status == 0 {
            #expect(try workspace.manifestLines().map(\.verdict) == ["converted", "converted"])
            #expect(workspace.filePaths(below: "out").filter { !$0.hasPrefix(".prep/tmp") }.count == 3)
        }
    }

    @Test("Other files in the directory of temporary outputs are kept, whatever their names")
    func foreignFilesInDraftDirectoryAreKept() throws {
        let workspace = try makeWorkspaceWithVictimDirectory()
        try workspace.writeFile(Data("a draft".utf8), at: "out/.prep/tmp/3w5e11264sgsf/1")
        try workspace.writeFile(Data("a draft".utf8), at: "out/.prep/tmp/photos/IMG_1.jpg")
        try workspace.writeFile(Data("a draft".utf8), at: "out/.prep/tmp/3w5e11264sgse/01")
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        #expect(
            workspace.filePaths(below: "out/.prep").sorted() == [
                "ledger.sqlite", "tmp/3w5e11264sgse/01", "tmp/photos/IMG_1.jpg",
            ])
    }

    @Test(
        "A report replaces a hard link, but not a symbolic one",
        arguments: [
            Plant(
                link: .symbolic, path: "report.html", target: "victim/letters.txt", status: 2,
                message: symbolicLinkMessage),
            Plant(link: .hard, path: "report.html", target: "victim/letters.txt", status: 0),
        ])
    func reportReplacesHardLinkButNotSymbolicLink(_ planted: Plant) throws {
        let workspace = try makeWorkspaceWithVictimDirectory()
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        let before = try victimContents(workspace)
        try plantLink(planted, in: workspace)
        let report = try workspace.runPrep("report", "out/manifest.jsonl", "--output", "report.html")
        #expect(report.exitStatus == planted.status)
        if let message = planted.message { #expect(report.standardError.contains(message)) }
        #expect(try victimContents(workspace) == before)
    }

    @Test("Files that the user names are written through links, and a device is written in place")
    func explicitlyNamedLinksAndDevicesAreWrittenThrough() throws {
        let workspace = try makeWorkspaceWithVictimDirectory()
        try workspace.createSymbolicLink(at: "lines", to: "elsewhere.jsonl")
        try workspace.createSymbolicLink(at: "state", to: "elsewhere.sqlite")
        try workspace.writeFile(Data("old".utf8), at: "elsewhere.jsonl")
        let run = try workspace.runPrep("in", "--output", "out", "--manifest", "lines", "--state", "state")
        #expect(run.exitStatus == 0, "\(run.standardError)")
        #expect(try workspace.manifestLines(at: "elsewhere.jsonl").count == 2)
        #expect(workspace.fileExists(at: "elsewhere.sqlite"))
        let second = try workspace.runPrep("in", "--output", "out", "--manifest", "/dev/null", "--state", "state")
        #expect(second.exitStatus == 0)
        #expect(
            try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
                == .typeCharacterSpecial)
    }
}
