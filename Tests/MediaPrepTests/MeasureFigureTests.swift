import Diagnostics
import Foundation
import Imaging
import MediaPrep
import TestSupport
import Testing

@Suite("The figures of the article on measures")
struct MeasureFigureTests {
    private static let catalogURL = SampleMedia.repositoryURL.appending(path: "Sources/MediaPrep/MediaPrep.docc")

    /// A row of the article's table: the file of the image, and the cells after it.
    private static func rows() throws -> [String: [String]] {
        let article = try String(contentsOf: catalogURL.appending(path: "Measures.md"), encoding: .utf8)
        let rows = article.matches(of: /\| !\[[^\]]+\]\(([a-z-]+\.jpg)\) \|(.*)\|/).map { row in
            (String(row.1), row.2.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) })
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    @Test("Each image is in the article with its measures, and breaks the rule of its fault")
    func articleStatesTheMeasures() throws {
        let rows = try Self.rows()
        let folder = Self.catalogURL.appending(path: "Resources")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(files) == Set(rows.keys) && rows.count == 10)
        for (file, cells) in rows {
            var options = ImageOptions()
            options.policy = .ear
            // The figures are small for the page.
            options.policy.rules[.tooSmall] = nil
            let assessment = try ImagePreparer(options).assess(contentsOf: folder.appending(path: file))
            let measures = assessment.measures
            let shown = cells.compactMap { Double($0.replacing("%", with: "")) }
            let measured = [
                measures.sharpness, measures.mean, measures.contrast, 100 * measures.glare, measures.noise,
                measures.blocking, 100 * measures.detail,
            ]
            // The command rounds to four decimals, and then to two, or to one of a percentage.
            #expect(shown.count == measured.count && cells[3].hasSuffix("%") && cells[6].hasSuffix("%"))
            for (index, (shown, measured)) in zip(shown, measured).enumerated() {
                #expect(abs(shown - measured) <= ([3, 6].contains(index) ? 0.0551 : 0.0051), "\(file), \(index)")
            }
            let codes = assessment.warnings.map { "`\($0.code)`" }.joined(separator: ", ")
            #expect(cells.last == (codes.isEmpty ? "none" : codes))
        }
    }
}
