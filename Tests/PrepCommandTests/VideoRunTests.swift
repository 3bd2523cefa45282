import Foundation
import TestSupport
import Testing

@testable import dev_backend

@Suite("Videos are not audio")
struct VideoRunTests {
    /// An image and two videos of other names.
    private func makeVideoWorkspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/IMG_2.JPG")
        try workspace.writeFile(makeQuickTimeMovie(), at: "in/IMG_1.MOV")
        try workspace.writeFile(makeQuickTimeMovie(hasAudio: false), at: "in/muted.mov")
        return workspace
    }

    @Test("Videos in a directory are skipped, also by the second run") func videoInDirectoryIsSkippedAgain() throws {
        let workspace = try makeVideoWorkspace()
        for _ in 0..<2 {
            #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
            #expect(
                try workspace.manifestLines().verdictsByInput == [
                    "in/IMG_2.JPG": "converted", "in/IMG_1.MOV": "skipped has-video",
                    "in/muted.mov": "skipped video-only",
                ])
            #expect(workspace.filePaths(below: "out") == ["IMG_2.JPG", "manifest.jsonl"])
        }
        #expect(try workspace.runPrep("in", "--output", "out").standardError.contains("nothing to do"))
    }

    @Test("Videos that are named, also in a list, are rejected, whatever the ledger says")
    func explicitlyNamedVideoIsRejected() throws {
        let workspace = try makeVideoWorkspace()
        for _ in 0..<2 {
            #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
            #expect(try workspace.runPrep("in/IMG_1.MOV", "in/muted.mov", "--output", "out").exitStatus == 1)
            #expect(
                try workspace.manifestLines().verdictsByInput == [
                    "in/IMG_1.MOV": "rejected has-video", "in/muted.mov": "rejected video-only",
                ])
            let list = try workspace.runShellScript("ls in/*.MOV | $PREP run --files-from - --output out")
            #expect(list.exitStatus == 1)
            #expect(try workspace.manifestLines().verdictsByInput == ["in/IMG_1.MOV": "rejected has-video"])
        }
    }

    @Test("With a policy that allows videos they are copied; without it they are skipped again")
    func policyAllowsVideo()
        throws
    {
        let workspace = try makeVideoWorkspace()
        try workspace.writeFile(Data(#"{"allows_video": true, "max_seconds": 2}"#.utf8), at: "policy.json")
        let run = try workspace.runPrep("in", "--output", "out", "--audio-policy", "policy.json")
        #expect(run.exitStatus == 0)
        #expect(try workspace.manifestLines().verdictsByInput["in/IMG_1.MOV"] == "accepted")
        #expect(try workspace.contents(ofFileAt: "out/IMG_1.MOV") == makeQuickTimeMovie())
        #expect(try workspace.runPrep("in", "--output", "out").exitStatus == 0)
        #expect(try workspace.manifestLines().verdictsByInput["in/IMG_1.MOV"] == "skipped has-video")
    }

    @Test("A dry run has the same result") func dryRunSkipsVideo() throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(makeQuickTimeMovie(), at: "in/IMG_1.MOV")
        let met = try workspace.runPrep("in", "--output", "out", "--dry-run")
        #expect(
            try ManifestLineFixture.parseManifest(met.standardOutput).verdictsByInput == [
                "in/IMG_1.MOV": "skipped has-video"
            ])
        let named = try workspace.runPrep("in/IMG_1.MOV", "--output", "out", "--dry-run")
        #expect(
            try ManifestLineFixture.parseManifest(named.standardOutput).verdictsByInput == [
                "in/IMG_1.MOV": "rejected has-video"
            ])
    }

    @Test("`inspect` reports the duration of their audio") func inspectStatesVideoAudioDuration() throws {
        let workspace = try makeVideoWorkspace()
        let run = try workspace.runPrep("inspect", "in/IMG_1.MOV", "--json")
        #expect(run.exitStatus == 0)
        #expect(
            try ManifestLineFixture.parseManifest(run.standardOutput).verdictsByInput == [
                "in/IMG_1.MOV": "rejected has-video"
            ])
        #expect(run.standardOutput.contains("\"duration_seconds\":1,"))
        #expect(try workspace.runPrep("inspect", "in/IMG_1.MOV").standardOutput.contains("1.000 s"))
    }

    @Test("For an endpoint that accepts only audio, videos are rejected; for others they are skipped in directories")
    func videoUploadDependsOnEndpointMediaKinds() async throws {
        let workspace = try TestWorkspace()
        try workspace.writeFile(makeQuickTimeMovie(), at: "in/IMG_1.MOV")
        try workspace.writeShortAudioFiles(count: 1, in: "in")
        try await DevBackend.withRunningBackend { backend in
            let visits = [
                "in", "--to", "pet-visits", "--base-url", backend.url, "--appointment", "ABC123", "--pet", "Pet1",
                "--output", "out",
            ]
            let forms = ["in", "--to", backend.uploadURL, "--output", "out"]
            for _ in 0..<2 {
                #expect(try await workspace.runUpload(visits).exitStatus == 1)
                let lines = try workspace.manifestLines()
                #expect(lines.verdictsByInput == ["in/0.wav": "accepted", "in/IMG_1.MOV": "rejected has-video"])
                #expect(lines.uploadOutcomesByInput == ["in/0.wav": "acknowledged"])
                #expect(try await workspace.runUpload(forms).exitStatus == 0)
                #expect(try workspace.manifestLines().verdictsByInput["in/IMG_1.MOV"] == "skipped has-video")
            }
            #expect(try backend.storedFiles().count == 2)
        }
    }
}
