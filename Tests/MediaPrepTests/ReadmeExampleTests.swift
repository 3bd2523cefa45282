import Foundation
import MediaPrep
import TestSupport
import Testing

@Suite("The README's library example")
struct ReadmeExampleTests {
    @Test("It compiles and runs")
    func runs() throws {
        let url = Samples.photo("ear-passthrough.jpg")
        // README begin
        let preparer = ImagePreparer(maxDimension: 1600, quality: 80)
        let photo = try preparer.prepare(contentsOf: url)
        print(photo.width, photo.height, photo.verdict, photo.data.count)
        for warning in photo.warnings { print(warning.code, warning.message) }
        // README end
        #expect(photo.width == 1200)
        #expect(photo.warnings.map(\.code) == ["trailing-bytes"])
    }

    @Test("It is the code above, line by line; its imports are at the head of this file")
    func isTheCodeAbove() throws {
        let source = Self.lines(of: try String(contentsOf: URL(filePath: #filePath), encoding: .utf8))
        let begin = try #require(source.firstIndex(of: "// README begin"))
        let end = try #require(source.firstIndex(of: "// README end"))
        let readme = try String(contentsOf: Samples.repository.appending(path: "README.md"), encoding: .utf8)
        let example = try #require(Self.example(in: readme))
        #expect(example.filter { !$0.hasPrefix("import ") } == Array(source[(begin + 1)..<end]))
        #expect(Set(example.filter { $0.hasPrefix("import ") }).isSubset(of: source.prefix(4)))
    }

    /// The lines of the first block of Swift that imports the library.
    private static func example(in readme: String) -> [String]? {
        readme.components(separatedBy: "```swift\n").dropFirst()
            .map { lines(of: $0.components(separatedBy: "```")[0]) }
            .first { $0.contains("import MediaPrep") }
    }

    /// Without indentation and empty lines.
    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
