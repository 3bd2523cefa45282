import Foundation
import TestSupport
import Testing

@Suite("Links planted in an output directory lead nowhere")
struct PlantedLinkTests {
    enum Link { case symbolic, hard }

    /// A link in the place of what a run writes or removes.
    struct Plant: CustomTestStringConvertible {
        var link: Link
        /// Below the directory of the test.
        var path: String
        /// `victim`, a directory, or a file in it.
        var target: String
        /// The exit status, and a part of the message that says why the run could not go on.
        var status: Int32
        var message: String?

        var testDescription: String { "\(link) link \(path) to \(target)" }
    }

    /// A directory of photos, and one whose files nothing may change: they have the names that drafts have.
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.writePhotos("in/a.jpg", "in/sub/b.jpg")
        for name in ["1", "2", "letters.txt", "b.jpg"] {
            try workspace.write(Data("dear \(name)".utf8), "victim/\(name)")
        }
        return workspace
    }

    private func plant(_ plant: Plant, in workspace: Workspace) throws {
        let place = workspace.file(plant.path), target = workspace.file(plant.target)
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        switch plant.link {
        case .symbolic: try FileManager.default.createSymbolicLink(at: place, withDestinationURL: target)
        case .hard: try FileManager.default.linkItem(at: target, to: place)
        }
    }

    private func victim(_ workspace: Workspace) throws -> [String: String] {
        let names = try workspace.names(in: "victim")
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, String(decoding: try workspace.contents("victim/\($0)"), as: UTF8.self))
            })
    }

    private static let linked = "symbolic link"

    @Test(
        "A run goes on where it can, and otherwise says why; the target stays as it was",
        arguments: [
            Plant(link: .symbolic, path: "out/.prep", target: "victim", status: 2, message: linked),
            Plant(link: .symbolic, path: "out/.prep/tmp", target: "victim", status: 2, message: linked),
            // The name is one that a run could have given its own directory.
            Plant(link: .symbolic, path: "out/.prep/tmp/zz", target: "victim", status: 0),
            Plant(link: .symbolic, path: "out/.prep/tmp/zz/1", target: "victim/1", status: 0),
            Plant(link: .hard, path: "out/.prep/tmp/zz/1", target: "victim/1", status: 0),
            Plant(
                link: .symbolic, path: "out/manifest.jsonl", target: "victim/letters.txt", status: 2, message: "link"),
            Plant(link: .symbolic, path: "out/manifest.jsonl", target: "victim/new", status: 2, message: "link"),
            Plant(link: .hard, path: "out/manifest.jsonl", target: "victim/letters.txt", status: 0),
            Plant(
                link: .symbolic, path: "out/.prep/ledger.sqlite", target: "victim/letters.txt", status: 2,
                message: linked),
            Plant(link: .symbolic, path: "out/.prep/ledger.sqlite", target: "victim/new", status: 2, message: linked),
            Plant(
                link: .hard, path: "out/.prep/ledger.sqlite", target: "victim/letters.txt", status: 2,
                message: "hard link"),
            Plant(
                link: .symbolic, path: "out/.prep/ledger.sqlite-wal", target: "victim/letters.txt", status: 2,
                message: linked),
            Plant(
                link: .symbolic, path: "out/.prep/ledger.sqlite-journal", target: "victim/letters.txt", status: 2,
                message: linked),
            Plant(
                link: .hard, path: "out/.prep/ledger.sqlite-wal", target: "victim/letters.txt", status: 2,
                message: "hard link"),
            Plant(link: .symbolic, path: "out/sub", target: "victim", status: 1, message: linked),
            Plant(link: .symbolic, path: "out/a.jpg", target: "victim/b.jpg", status: 0),
            Plant(link: .hard, path: "out/a.jpg", target: "victim/b.jpg", status: 0),
        ])
    func run(_ planted: Plant) throws {
        let workspace = try workspace()
        let before = try victim(workspace)
        try plant(planted, in: workspace)
        let run = try workspace.prep("in", "--output", "out")
        #expect(run.status == planted.status, "\(run.errors)")
        if let message = planted.message { #expect(run.errors.contains(message), "\(run.errors)") }
        #expect(try victim(workspace) == before)
        if planted.status == 0 {
            #expect(try workspace.manifest().map(\.verdict) == ["converted", "converted"])
            #expect(workspace.files(below: "out").filter { !$0.hasPrefix(".prep/tmp") }.count == 3)
        }
    }

    @Test("What is not a run's own stays in its directory of drafts, whatever name it has")
    func foreignDrafts() throws {
        let workspace = try workspace()
        try workspace.write(Data("a draft".utf8), "out/.prep/tmp/3w5e11264sgsf/1")
        try workspace.write(Data("a draft".utf8), "out/.prep/tmp/photos/IMG_1.jpg")
        try workspace.write(Data("a draft".utf8), "out/.prep/tmp/3w5e11264sgse/01")
        #expect(try workspace.prep("in", "--output", "out").status == 0)
        #expect(
            workspace.files(below: "out/.prep").sorted() == [
                "ledger.sqlite", "tmp/3w5e11264sgse/01", "tmp/photos/IMG_1.jpg",
            ])
    }

    @Test(
        "A report takes the place of a hard link, and not that of a symbolic one",
        arguments: [
            Plant(link: .symbolic, path: "report.html", target: "victim/letters.txt", status: 2, message: linked),
            Plant(link: .hard, path: "report.html", target: "victim/letters.txt", status: 0),
        ])
    func report(_ planted: Plant) throws {
        let workspace = try workspace()
        #expect(try workspace.prep("in", "--output", "out").status == 0)
        let before = try victim(workspace)
        try plant(planted, in: workspace)
        let report = try workspace.prep("report", "out/manifest.jsonl", "--output", "report.html")
        #expect(report.status == planted.status)
        if let message = planted.message { #expect(report.errors.contains(message)) }
        #expect(try victim(workspace) == before)
    }

    @Test("Files that the user names are written through links, and a device is written in place")
    func named() throws {
        let workspace = try workspace()
        try workspace.link("lines", to: "elsewhere.jsonl")
        try workspace.link("state", to: "elsewhere.sqlite")
        try workspace.write(Data("old".utf8), "elsewhere.jsonl")
        let run = try workspace.prep("in", "--output", "out", "--manifest", "lines", "--state", "state")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try workspace.lines("elsewhere.jsonl").count == 2)
        #expect(workspace.exists("elsewhere.sqlite"))
        let second = try workspace.prep("in", "--output", "out", "--manifest", "/dev/null", "--state", "state")
        #expect(second.status == 0)
        #expect(
            try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
                == .typeCharacterSpecial)
    }
}
