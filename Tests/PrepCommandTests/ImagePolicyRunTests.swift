import Foundation
import TestSupport
import Testing

@Suite("Rules for images in the command")
struct ImagePolicyRunTests {
    private func makeWorkspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.writeFile(
            Data(contentsOf: SampleMedia.goodImage(named: "ear-passthrough.jpg")), at: "in/ear.jpg")
        return workspace
    }

    @Test("A rule that rejects keeps the measures, and one that warns does not reject")
    func rulesRejectOrWarn() throws {
        let workspace = try makeWorkspace()
        try workspace.writeFile(
            Data(
                #"{"too-small": {"limit": 5000, "action": "reject"}, "too-dark": {"limit": 255, "action": "warn"}}"#
                    .utf8), at: "policy.json")
        #expect(try workspace.runPrep("in", "--output", "out", "--image-policy", "policy.json").exitStatus == 1)
        let line = try #require(try workspace.manifestLines().first)
        #expect(line.verdict == "rejected" && line.reasons.map(\.code) == ["too-small"])
        #expect(line.reasons[0].message == "the shorter side in pixels is too low: 900.0 (at least 5000.0)")
        #expect(line.warnings.map(\.code).contains("too-dark"))
        #expect((1...254).contains(try #require(line.image?.measures).mean))
        #expect(workspace.filePaths(below: "out") == ["manifest.jsonl"])
    }

    @Test("The built-in policies warn, and reject with --strict; their measures are those of a run without a policy")
    func builtInPoliciesWarnUnlessStrict() throws {
        let workspace = try TestWorkspace()
        try workspace.writeSmallImage(at: "in/small.jpg")
        #expect(try workspace.runPrep("in", "--output", "out", "--image-policy", "ear").exitStatus == 0)
        let warned = try #require(try workspace.manifestLines().first)
        #expect(warned.warnings.map(\.code).contains("too-small") && warned.verdict != "rejected")
        #expect(try workspace.runPrep("in", "--output", "strict", "--image-policy", "ear", "--strict").exitStatus == 1)
        let rejected = try #require(try workspace.manifestLines(inOutput: "strict").first)
        #expect(rejected.reasons == warned.warnings)
        #expect(try workspace.runPrep("in", "--output", "plain").exitStatus == 0)
        let plain = try #require(try workspace.manifestLines(inOutput: "plain").first)
        #expect(plain.image?.measures == rejected.image?.measures && plain.warnings.isEmpty)
    }

    @Test(
        "A policy that cannot be used stops the run",
        arguments: [
            (#"{"blurry": 1}"#, "unknown rule: blurry"), ("[]", "policy.json is invalid"),
            (#"{"glare": {"limit": 1}}"#, "the policy policy.json is invalid: glare: 'action' is missing\n"),
        ])
    func invalidPolicyStopsTheRun(_ json: String, _ message: String) throws {
        let workspace = try makeWorkspace()
        try workspace.writeFile(Data(json.utf8), at: "policy.json")
        let run = try workspace.runPrep("in", "--output", "out", "--image-policy", "policy.json")
        #expect(run.exitStatus == 2 && run.standardError.contains(message))
        #expect(try workspace.runPrep("in", "--output", "out", "--image-policy", "none.json").exitStatus == 2)
    }

    @Test("inspect prints a line for each measure")
    func inspectPrintsMeasures() throws {
        let workspace = try makeWorkspace()
        let plain = try PrepProcess(arguments: ["inspect", "in/ear.jpg"], in: workspace.url)
        #expect(!plain.standardOutput.contains("sharpness"))
        let measured = try PrepProcess(arguments: ["inspect", "--measures", "in/ear.jpg"], in: workspace.url)
        for name in ["sharpness", "brightness", "clipped", "glare", "contrast", "noise", "color cast", "detail"] {
            #expect(measured.standardOutput.contains("    \(name) "), "\(name)")
        }
        try workspace.writeFile(try workspace.contents(ofFileAt: "in/ear.jpg"), at: "in/ear.png")
        let misnamed = try PrepProcess(arguments: ["inspect", "--measures", "in/ear.png"], in: workspace.url)
        #expect(misnamed.standardOutput.contains("name-mismatch"))
        let judged = try PrepProcess(
            arguments: ["inspect", "--image-policy", "throat", "--strict", "--json", "in/ear.jpg"], in: workspace.url)
        #expect(judged.exitStatus == 0 && judged.standardOutput.contains("\"measures\""))
    }
}
