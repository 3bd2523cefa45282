import AudioProbe
import Backends
import Batch
import Diagnostics
import Foundation
import HTTPCalls
import HTTPTypes
import Imaging
import ImageCodecs
import MediaPrep
import SymptomSentryAPI
import SystemPackage
import Testing
import TestSupport
import Uploading

/// The Swift code of the README and of the DocC articles, compiled and run.
///
/// The lines between `// documented` and `// end` are an example. `DocumentationTests` compares them with the
/// documents.
@Suite("The documentation's examples")
struct DocumentationExamples {
    @Test("An image is prepared")
    func image() throws {
        let url = SampleMedia.goodImage(named: "ear-passthrough.jpg")
        // documented
        let preparer = ImagePreparer(maxDimension: 1600, quality: 80)
        let photo = try preparer.prepare(contentsOf: url)
        print(photo.width, photo.height, photo.verdict, photo.data.count)
        for warning in photo.warnings { print(warning.code, warning.message) }
        // end
        #expect(photo.width == 1200)
        #expect(photo.warnings.map(\.code) == [.trailingBytes])
    }

    @Test("HEIC and AVIF are decoded in a process of their own")
    func isolation() throws {
        let url = SampleMedia.goodImage(named: "ear-passthrough.jpg")
        // documented
        var options = ImageOptions()
        options.isolation = DecoderIsolation(executable: "/usr/local/bin/prep")
        let image = try ImagePreparer(options).prepare(contentsOf: url)
        print(image.data.count)
        // end
        #expect(image.width == 1200)
    }

    @Test("Audio is probed")
    func probing() throws {
        let path = SampleMedia.goodAudio(named: "visit-note.opus").path
        // documented
        let recording = try Recording(contentsOf: path)
        print(recording.container, recording.mainTrack.codec, recording.completeness)
        if let duration = recording.duration { print(duration.seconds, duration.method, duration.errorBound) }
        for warning in recording.warnings { print(warning.code, warning.message) }
        // end
        #expect(recording.container == .ogg && recording.mainTrack.codec == .opus)
        #expect(recording.duration?.isExact == true && recording.completeness == .complete)
    }

    @Test("Audio is prepared")
    func audio() throws {
        let url = SampleMedia.goodAudio(named: "visit-note-position.m4a")
        let upload = { (bytes: [UInt8]) in #expect(bytes.count == 13_391) }
        // documented
        let note = try AudioPreparer().prepare(contentsOf: url)
        print(note.report.durationSeconds ?? 0, note.report.mediaType.mimeType, note.report.verdict)
        try note.forEachChunk { bytes in upload(bytes) }
        // end
        #expect(note.report.durationSeconds == 1.8)
        #expect(note.report.verdict == .cleaned)
    }

    @Test("Prepared audio is iterated over in chunks")
    func chunks() async throws {
        let url = SampleMedia.goodAudio(named: "visit-note-position.m4a")
        var byteCount = 0
        func upload(_ bytes: [UInt8]) async throws { byteCount += bytes.count }
        // documented
        let note = try await AudioPreparer().prepare(contentsOf: url)
        for try await bytes in note.chunks(ofSize: 65_536) { try await upload(bytes) }
        // end
        #expect(byteCount == 13_391)
    }

    @Test("Audio is checked against a policy")
    func policy() throws {
        let url = SampleMedia.goodAudio(named: "visit-note.wav")
        // documented
        var options = AudioOptions()
        options.policy.codecs = ["aac", "opus"]
        options.policy.maxSeconds = 600
        let report = try AudioPreparer(options).inspect(contentsOf: url)
        for reason in report.rejectionReasons { print(reason.code, reason.message) }
        // end
        #expect(report.rejectionReasons.map(\.code.rawValue) == ["codec-not-allowed"])
    }

    @Test("Audio is measured, and checked against rules about its measures")
    func audioMeasures() throws {
        let url = SampleMedia.goodAudio(named: "visit-note.wav")
        // documented
        var options = AudioOptions()
        options.policy.measureRules = [
            .clipped: .init(limit: 0.001, action: .reject), .tooNoisy: .init(limit: 10, action: .warn),
        ]
        let report = try AudioPreparer(options).inspect(contentsOf: url)
        print(report.levels?.activeLevelDBFS ?? 0, report.rejectionReasons, report.warnings)
        // end
        #expect(report.levels?.clippedShare == 0 && report.rejectionReasons.isEmpty)
    }

    @Test("A directory is prepared")
    func batch() async throws {
        let directory = try TemporaryDirectory()
        let photos = FilePath(SampleMedia.goodImagesDirectory.path), ready = FilePath(directory.url.path)
        // documented
        var batch = MediaBatch(inputs: BatchInputs(paths: [photos]), outputDirectory: ready)
        batch.pipeline = MediaPipeline(imagePreparer: ImagePreparer(maxDimension: 1024))
        let summary = try await batch.run { event in
            if case .finished(let line) = event { print(line.input, line.kind, line.reasons.map(\.code)) }
        }
        print(summary.inputCount, summary.verdictCounts, summary.hasFailures)
        // end
        #expect(summary.inputCount > 10 && summary.isComplete && !summary.hasFailures)
    }

    @Test("Many files are prepared")
    func pipeline() async throws {
        let urls = [
            SampleMedia.goodImage(named: "ear-passthrough.jpg"),
            SampleMedia.goodAudio(named: "visit-note-position.m4a"),
        ]
        let inputs = AsyncStream { inputs in
            for url in urls { inputs.yield(MediaInput(url: url)) }
            inputs.finish()
        }
        var sizes: [Int] = []
        let upload = { (data: Data) in sizes.append(data.count) }
        // documented
        let pipeline = MediaPipeline(maxConcurrentJobs: 4, memoryLimit: 512 << 20)
        for try await result in pipeline.results(for: inputs) {
            print(result.index, result.input.name ?? "", result.verdict)
            switch result.outcome {
            case .image(let photo): upload(photo.data)
            case .audio(let note): upload(try note.readAllData())
            case .rejectedImage(let assessment): for reason in assessment.rejectionReasons { print(reason) }
            case .rejectedAudio(let report): for reason in report.rejectionReasons { print(reason) }
            case .failure(let error): print(error)
            }
        }
        // end
        #expect(sizes.count == 2 && sizes.contains(13_391))
    }

    @Test("An image is assessed without preparing it")
    func assessment() throws {
        let url = SampleMedia.goodImage(named: "throat-turned-180.jpg")
        // documented
        var options = ImageOptions()
        options.policy = .throat.settingAction(.reject)
        let assessment = try ImagePreparer(options).assess(contentsOf: url)
        print(assessment.measures.sharpness, assessment.rejectionReasons)
        // end
        #expect(assessment.sourceProbe?.storedSize.width == 1803)
    }

    @Test("A prepared image is sent")
    func sending() async throws {
        let photo = try await ImagePreparer().prepare(contentsOf: SampleMedia.goodImage(named: "throat-turned-180.jpg"))
        try await RunningBackend.withBackend { (server) async throws in
            let address = server.url, token = try #require(BearerToken("dev-token"))
            // documented
            let client = HTTPClient(
                transport: try CurlTransport(), session: Session(token: token),
                retryPolicy: SymptomSentryClient.retryPolicy)
            let backend = SymptomSentryClient(baseEndpoint: try Endpoint(address), client: client)
            let analysis = try await backend.analyze(MediaFile(photo), type: .throat)
            print(analysis.primaryCondition?.name ?? "nothing found")
            // end
            #expect(analysis.primaryCondition?.name == "Pharyngitis")
        }
    }
}

/// Compares the documents' blocks of Swift with the examples above.
@Suite("The documentation's blocks of Swift")
struct DocumentationTests {
    /// A block of Swift: its lines without indentation, empty lines and imports.
    private typealias Block = [String]

    @Test("Every block is one of the examples, and every example is in a document")
    func blocksAreExamples() throws {
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let examples = Self.blocks(in: source, from: "// documented", to: "// end").map(\.code)
        let documents = try Self.documents()
        try #require(documents.count > 20)
        var documented: Set<Block> = []
        for document in documents {
            let text = try String(contentsOf: document, encoding: .utf8)
            for (code, imports) in Self.blocks(in: text, from: "```swift", to: "```") {
                #expect(examples.contains(code), "\(document.path): the block is not one of the examples: \(code)")
                #expect(Set(imports).isSubset(of: Self.imports(of: source)), "\(document.path): \(imports)")
                documented.insert(code)
            }
        }
        for example in examples { #expect(documented.contains(example), "no document has the example \(example)") }
    }

    @Test("The README has at most 150 lines, and its links lead to files")
    func readme() throws {
        let text = try String(contentsOf: SampleMedia.repositoryURL.appending(path: "README.md"), encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
        let links = text.components(separatedBy: "](").dropFirst().map { $0.prefix { $0 != ")" } }
        try #require(links.count > 10)
        for link in links where !link.contains("://") {
            let file = SampleMedia.repositoryURL.appending(path: String(link))
            #expect(FileManager.default.fileExists(atPath: file.path), "\(link)")
        }
    }

    /// The README, and the pages of all DocC catalogs.
    private static func documents() throws -> [URL] {
        let root = SampleMedia.repositoryURL
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Sources").path)
        return [root.appending(path: "README.md")]
            + paths.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
            .map { root.appending(path: "Sources/\($0)") }
    }

    private static func imports(of source: String) -> Set<String> {
        Set(source.split(separator: "\n").map(String.init).filter { $0.hasPrefix("import ") })
    }

    /// The blocks between a line `begin` and the next line `end`, each with its imports.
    private static func blocks(
        in text: String, from begin: String, to end: String
    ) -> [(code: Block, imports: Block)] {
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return lines.indices.filter { lines[$0] == begin }.map { start in
            let block = lines[(start + 1)...].prefix { $0 != end }.filter { !$0.isEmpty }
            return (block.filter { !$0.hasPrefix("import ") }, block.filter { $0.hasPrefix("import ") })
        }
    }
}
