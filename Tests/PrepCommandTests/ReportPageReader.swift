import Foundation
import Testing

/// The parts of a report's page.
struct ReportPageReader {
    struct Row: Equatable {
        var name: String
        var outcome: String
        var kind: String
        var inputBytes: Int?
        var outputBytes: Int?
        var seconds: Double?
        /// The codes of the reasons, then of the warnings.
        var diagnosticCodes: [String]
    }

    let html: String
    /// The rows that the page's script lists, in their order.
    let rows: [Row]
    /// The images in the page.
    let embeddedImages: [Data]

    init(_ data: Data) throws {
        html = try #require(String(data: data, encoding: .utf8))
        let start = try #require(html.range(of: "id=\"data\">")).upperBound
        let end = try #require(html.range(of: "</script>", range: start..<html.endIndex)).lowerBound
        let json = try JSONSerialization.jsonObject(with: Data(html[start..<end].utf8))
        rows = try Self.parseRows(in: try #require(json as? [String: Any]))
        embeddedImages = try html.matches(of: #/src="data:image/jpeg;base64,([^"]*)"/#).map {
            try #require(Data(base64Encoded: String($0.1)))
        }
    }

    private static func parseRows(in json: [String: Any]) throws -> [Row] {
        let outcomes = try #require(json["outcomes"] as? [String]), kinds = try #require(json["kinds"] as? [String])
        return try #require(json["rows"] as? [[Any]]).map { row in
            Row(
                name: try #require(row[0] as? String), outcome: outcomes[try #require(row[1] as? Int)],
                kind: kinds[try #require(row[2] as? Int)], inputBytes: row[3] as? Int, outputBytes: row[4] as? Int,
                seconds: row[5] as? Double,
                diagnosticCodes: try #require(row[6] as? [[Any]]).map { try #require($0[1] as? String) })
        }
    }

    /// The text between `<h1>` and its end.
    var headline: String? { html.firstMatch(of: #/<h1>(.*?)<\/h1>/#).map { String($0.1) } }
}
