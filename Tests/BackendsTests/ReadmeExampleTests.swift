import Backends
import Foundation
import MediaPrep
import TestSupport
import Testing
import Uploading

@Suite("The README's library examples")
struct ReadmeExampleTests {
    @Test("The one of images compiles and runs")
    func image() throws {
        let url = Samples.photo("ear-passthrough.jpg")
        // README begin 1
        let preparer = ImagePreparer(maxDimension: 1600, quality: 80)
        let photo = try preparer.prepare(contentsOf: url)
        print(photo.width, photo.height, photo.verdict, photo.data.count)
        for warning in photo.warnings { print(warning.code, warning.message) }
        // README end 1
        #expect(photo.width == 1200)
        #expect(photo.warnings.map(\.code) == ["trailing-bytes"])
    }

    @Test("The one of recordings compiles and runs")
    func recording() throws {
        let url = Samples.recording("visit-note-position.m4a")
        let upload = { (bytes: [UInt8]) in #expect(bytes.count == 13_391) }
        // README begin 2
        let note = try AudioPreparer().prepare(contentsOf: url)
        print(note.report.estimatedDurationSeconds ?? 0, note.report.type.mimeType, note.report.verdict)
        try note.forEachChunk { bytes in upload(bytes) }
        // README end 2
        #expect(note.report.estimatedDurationSeconds == 1.8)
        #expect(note.report.verdict == .cleaned)
    }

    @Test("The one of many files compiles and runs")
    func pipeline() async throws {
        let urls = [Samples.photo("ear-passthrough.jpg"), Samples.recording("visit-note-position.m4a")]
        let inputs = AsyncStream { inputs in
            for url in urls { inputs.yield(MediaInput(url)) }
            inputs.finish()
        }
        var sizes: [Int] = []
        let upload = { (data: Data) in sizes.append(data.count) }
        // README begin 3
        let pipeline = MediaPipeline(jobs: 4, memoryLimit: 512 << 20)
        for try await result in pipeline.results(of: inputs) {
            print(result.index, result.input.name ?? "", result.verdict)
            switch result.outcome {
            case .image(let photo): upload(photo.data)
            case .audio(let note): upload(try note.data())
            case .refusedAudio(let report): for reason in report.reasons { print(reason) }
            case .failure(let error): print(error)
            }
        }
        // README end 3
        #expect(sizes.count == 2 && sizes.contains(13_391))
    }

    @Test("The one of sending compiles and runs")
    func sending() async throws {
        let photo = try await ImagePreparer().prepare(contentsOf: Samples.photo("throat-turned-180.jpg"))
        try await RunningBackend.run { (server) async throws in
            let address = server.url, token = BearerToken("dev-token")
            // README begin 4
            let client = HTTPClient(try CurlTransport(), tokens: token, policy: SymptomSentry.retryPolicy)
            let backend = SymptomSentry(try Endpoint(address), client: client)
            let analysis = try await backend.analyze(UploadItem(photo), type: .throat)
            print(analysis.primaryCondition?.name ?? "nothing found")
            // README end 4
            #expect(analysis.primaryCondition?.name == "Pharyngitis")
        }
    }

    @Test("They are the code above, line by line; their imports are at the head of this file", arguments: [1, 2, 3, 4])
    func areTheCodeAbove(_ number: Int) throws {
        let source = Self.lines(of: try String(contentsOf: URL(filePath: #filePath), encoding: .utf8))
        let begin = try #require(source.firstIndex(of: "// README begin \(number)"))
        let end = try #require(source.firstIndex(of: "// README end \(number)"))
        let readme = try String(contentsOf: Samples.repository.appending(path: "README.md"), encoding: .utf8)
        let examples = Self.examples(in: readme)
        try #require(examples.count == 4)
        let example = examples[number - 1]
        #expect(example.filter { !$0.hasPrefix("import ") } == Array(source[(begin + 1)..<end]))
        #expect(Set(example.filter { $0.hasPrefix("import ") }).isSubset(of: source.prefix(6)))
    }

    /// The lines of the blocks of Swift.
    private static func examples(in readme: String) -> [[String]] {
        readme.components(separatedBy: "```swift\n").dropFirst().map { lines(of: $0.components(separatedBy: "```")[0]) }
    }

    /// Without indentation and empty lines.
    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
