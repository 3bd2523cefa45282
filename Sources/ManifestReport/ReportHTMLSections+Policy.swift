internal import MediaPrep

// The parts of the page that only a policy has.
extension ReportHTMLSections {
    /// Returns the headline of a page about a policy.
    static func policyHeadline(for summary: ReportSummary) -> String {
        let accepted = summary.totalsByOutcome[.accepted]?.fileCount ?? 0
        return "The policy accepts \(QuantityFormat.count(accepted)) of "
            + "\(QuantityFormat.count(summary.measuredImageCount)) images"
    }

    /// Returns a table of the rules, with the number of images that break each of them.
    static func policySection(for policy: ImagePolicy, summary: ReportSummary) -> String {
        let counts = summary.diagnosticCounts(of: .rejected, areWarnings: false)
        let rows = ImageFault.allCases.compactMap { fault in
            policy.rules[fault].map { rule in
                """
                <tr><th scope="row"><code>\(fault.rawValue)</code></th>\
                <td>\(fault.isMinimum ? "at least" : "at most") \(rule.limit)</td>\
                <td>\(QuantityFormat.count(counts.first { $0.code == fault.rawValue }?.count ?? 0))</td></tr>
                """
            }
        }
        return section(
            id: "policy", title: "Limits",
            content: """
                <table class="outcomes limits">
                <thead><tr><th scope="col">Rule</th><th scope="col">Limit</th>\
                <th scope="col">Broken by</th></tr></thead>
                <tbody>
                \(rows.joined(separator: "\n"))
                </tbody>
                </table>
                """)
    }
}
