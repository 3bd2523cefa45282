import Diagnostics
import Foundation
import HTTPCalls
import HTTPTypes
import MediaPrep
import SHA256
import Testing
import TestSupport
import Uploading

@Suite("A run over the sample images")
struct SampleRunTests {
    private struct SampleRun: Sendable {
        let status: Int32
        let output: String
        let errors: String
        let manifest: String
        /// The files in the output directory, and the digests of all but the manifest.
        let digests: [String: String]
    }

    /// One run for all tests.
    private static let sharedRun = Result<SampleRun, any Error> {
        let workspace = try TestWorkspace()
        let run = try workspace.runPrep(SampleMedia.goodImagesDirectory.path, "--output", "ready")
        let names = workspace.filePaths(below: "ready")
        return SampleRun(
            status: run.exitStatus, output: run.standardOutput, errors: run.standardError,
            manifest: String(decoding: try workspace.contents(ofFileAt: "ready/manifest.jsonl"), as: UTF8.self),
            digests: try Dictionary(
                uniqueKeysWithValues: names.filter { $0 != "manifest.jsonl" }.map { name in
                    (name, sha256Digest(of: try workspace.contents(ofFileAt: "ready/\(name)")))
                }))
    }

    @Test("It succeeds, with a summary on standard error and nothing on standard output")
    func runPrintsSummaryToStandardErrorOnly() throws {
        let run = try Self.sharedRun.get()
        #expect(run.status == 0)
        #expect(run.output == "")
        let summary =
            #/
            (?:prep:\ \d+\/12\ files,\ .*\n)*
            12\ inputs:\ 10\ converted,\ 2\ passed\ through;\ \d+\.\d\ MB\ became\ \d+\.\d\ MB\ in\ \d+\.\d\d\ s\n
            /#
        #expect(run.errors.wholeMatch(of: summary) != nil, "\(run.errors)")
    }

    @Test("Its outputs have the expected bytes", arguments: sampleDigests)
    func outputsMatchRecordedDigests(_ expected: SampleDigest) throws {
        let lines = try ManifestLineFixture.parseManifest(try Self.sharedRun.get().manifest)
        let line = try #require(lines.first { $0.input == SampleMedia.goodImage(named: expected.input).path })
        #expect(line.output == expected.output)
        #expect(line.verdict == expected.verdict)
        #expect(line.image?.width == expected.width)
        #expect(line.image?.height == expected.height)
        #expect(line.outputBytes == expected.bytes)
        #expect(line.sha256 == expected.sha256)
        #expect(line.reasons == [])
    }

    @Test("All samples have an expected output, and the output directory contains nothing else")
    func recordCoversAllSamplesAndOutputs() throws {
        #expect(try SampleMedia.goodImageNames() == sampleDigests.map(\.input))
        let digests = Dictionary(uniqueKeysWithValues: sampleDigests.map { ($0.output, $0.sha256) })
        #expect(try Self.sharedRun.get().digests == digests)
    }

    @Test(
        "The manifest has the same result as the library for each sample",
        arguments: ["ear-turned-left.jpg", "ear-passthrough.jpg"])
    func manifestAgreesWithLibrary(_ name: String) throws {
        let url = SampleMedia.goodImage(named: name)
        let image = try ImagePreparer().prepare(contentsOf: url)
        let line = try #require(
            try ManifestLineFixture.parseManifest(try Self.sharedRun.get().manifest).first { $0.input == url.path })
        #expect(line.sha256 == sha256Digest(of: image.data))
        #expect(line.verdict == image.verdict.rawValue)
        #expect(line.warnings.map(\.code) == image.warnings.map(\.code.rawValue))
        #expect(line.warnings.map(\.offset) == image.warnings.map(\.offset))
        #expect(line.image?.quality == image.quality)
        #expect(line.image?.chroma == (image.quality == nil ? nil : "420"))
    }

    @Test("The color profile of a converted image is reported")
    func convertedColorProfileIsRecorded() throws {
        let lines = try ManifestLineFixture.parseManifest(try Self.sharedRun.get().manifest)
        let tagged = lines.filter { $0.image?.color != nil }
        #expect(tagged.map(\.input) == [SampleMedia.goodImage(named: "throat-display-p3.jpg").path])
        let colors = tagged.compactMap { $0.image?.color }
        #expect(colors == [ManifestLineFixture.Image.Color(profile: "Display P3 (MediaPrep sample)", converted: true)])
        #expect(!lines.contains { $0.image?.icc == true })
    }

    @Test(
        "Digests are SHA-256, as in the standard's examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ])
    func digestMatchesSHA256TestVectors(_ text: String, _ expected: String) {
        #expect(sha256Digest(of: Data(text.utf8)) == expected)
    }
}

func sha256Digest(of data: Data) -> String {
    var digest = SHA256Hasher()
    digest.update(bytes: [UInt8](data))
    return digest.hexDigest()
}
