import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("Videos are not recordings")
struct VideoRunTests {
    /// A photo and its Live Photo's video.
    private func livePhoto() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.writePhotos("in/IMG_1.JPG")
        try workspace.write(movie(), "in/IMG_1.MOV")
        try workspace.write(movie(hasSound: false), "in/muted.mov")
        return workspace
    }

    @Test("Met in a directory they are skipped, and the second run agrees") func met() throws {
        let workspace = try livePhoto()
        for _ in 0..<2 {
            #expect(try workspace.prep("in", "--output", "out").status == 0)
            #expect(
                try workspace.manifest().outcomes == [
                    "in/IMG_1.JPG": "converted", "in/IMG_1.MOV": "skipped has-video",
                    "in/muted.mov": "skipped video-only",
                ])
            #expect(workspace.files(below: "out") == ["IMG_1.JPG", "manifest.jsonl"])
        }
        #expect(try workspace.prep("in", "--output", "out").errors.contains("nothing to do"))
    }

    @Test("Named, or a line of a list, they are rejected, whatever was recorded of them") func named() throws {
        let workspace = try livePhoto()
        for _ in 0..<2 {
            #expect(try workspace.prep("in", "--output", "out").status == 0)
            #expect(try workspace.prep("in/IMG_1.MOV", "in/muted.mov", "--output", "out").status == 1)
            #expect(
                try workspace.manifest().outcomes == [
                    "in/IMG_1.MOV": "rejected has-video", "in/muted.mov": "rejected video-only",
                ])
            let list = try workspace.shell("ls in/*.MOV | $PREP run --files-from - --output out")
            #expect(list.status == 1)
            #expect(try workspace.manifest().outcomes == ["in/IMG_1.MOV": "rejected has-video"])
        }
    }

    @Test("A policy that allows them has them copied; without it they are skipped again") func allowed() throws {
        let workspace = try livePhoto()
        try workspace.write(Data(#"{"allows_video": true, "max_seconds": 2}"#.utf8), "policy.json")
        let run = try workspace.prep("in", "--output", "out", "--audio-policy", "policy.json")
        #expect(run.status == 0)
        #expect(try workspace.manifest().outcomes["in/IMG_1.MOV"] == "accepted")
        #expect(try workspace.contents("out/IMG_1.MOV") == movie())
        #expect(try workspace.prep("in", "--output", "out").status == 0)
        #expect(try workspace.manifest().outcomes["in/IMG_1.MOV"] == "skipped has-video")
    }

    @Test("A dry run says the same") func planned() throws {
        let workspace = try Workspace()
        try workspace.write(movie(), "in/IMG_1.MOV")
        let met = try workspace.prep("in", "--output", "out", "--dry-run")
        #expect(try Line.all(in: met.output).outcomes == ["in/IMG_1.MOV": "skipped has-video"])
        let named = try workspace.prep("in/IMG_1.MOV", "--output", "out", "--dry-run")
        #expect(try Line.all(in: named.output).outcomes == ["in/IMG_1.MOV": "rejected has-video"])
    }

    @Test("Inspecting states how long their sound lasts") func inspected() throws {
        let workspace = try livePhoto()
        let run = try workspace.prep("inspect", "in/IMG_1.MOV", "--json")
        #expect(run.status == 0)
        #expect(try Line.all(in: run.output).outcomes == ["in/IMG_1.MOV": "rejected has-video"])
        #expect(run.output.contains("\"duration_seconds\":1,"))
        #expect(try workspace.prep("inspect", "in/IMG_1.MOV").output.contains("1.000 s"))
    }

    @Test("An endpoint that takes recordings alone has them rejected wherever they are, one that takes all skips them")
    func sent() async throws {
        let workspace = try Workspace()
        try workspace.write(movie(), "in/IMG_1.MOV")
        try workspace.writeBeeps(1, in: "in")
        try await DevBackend.withRunningBackend { backend in
            let visits = [
                "in", "--to", "pet-visits", "--base-url", backend.url, "--appointment", "ABC123", "--pet", "Pet1",
                "--output", "out",
            ]
            let forms = ["in", "--to", backend.endpoint, "--output", "out"]
            for _ in 0..<2 {
                #expect(try await workspace.upload(visits).status == 1)
                let lines = try workspace.manifest()
                #expect(lines.outcomes == ["in/0.wav": "accepted", "in/IMG_1.MOV": "rejected has-video"])
                #expect(lines.uploads == ["in/0.wav": "acknowledged"])
                #expect(try await workspace.upload(forms).status == 0)
                #expect(try workspace.manifest().outcomes["in/IMG_1.MOV"] == "skipped has-video")
            }
            #expect(try backend.files().count == 2)
        }
    }
}
