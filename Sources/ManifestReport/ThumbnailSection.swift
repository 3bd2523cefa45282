internal import Batch

/// The section of the page with images before and after preparation.
enum ThumbnailSection {
    /// Returns the section, or an empty string without images.
    ///
    /// - Parameters:
    ///   - pairs: The images.
    ///   - isOfRun: Whether the images were prepared, or could not be. Others have no "after".
    static func html(for pairs: [ThumbnailPair], isOfRun: Bool) -> String {
        guard !pairs.isEmpty else { return "" }
        let items = pairs.map { "<li>\(button(for: $0, showsOutput: isOfRun))</li>" }
        return ReportHTMLSections.section(
            id: "pictures", title: isOfRun ? "Before and after" : "Images",
            content: """
                <p class="quiet">\(caption(for: pairs, readyDescription: isOfRun ? "that saved most" : "accepted"))</p>
                <ul class="pairs">
                \(items.joined(separator: "\n"))
                </ul>
                """)
    }

    private static func caption(for pairs: [ThumbnailPair], readyDescription: String) -> String {
        let unready = pairs.count { $0.candidate.outcome.needsAttention }, ready = pairs.count - unready
        let parts = [
            unready > 0 ? "\(unready) with problems" : nil, ready > 0 ? "\(ready) \(readyDescription)" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: ", then ") + ". Select one to enlarge it."
    }

    /// Returns the button for a pair. The script reads the content of the enlarged view from it.
    private static func button(for pair: ThumbnailPair, showsOutput: Bool) -> String {
        let candidate = pair.candidate
        let before = imageTag(for: pair.inputThumbnail, side: "Before", facts: candidate.inputFacts)
        let after = showsOutput ? imageTag(for: pair.outputThumbnail, side: "After", facts: candidate.outputFacts) : ""
        return """
            <button type="button" class="pair" data-regions="\(HTMLEscaping.escaped(regionsJSON(for: candidate)))">\
            <span class="images">\(before)\(after)</span>\
            <bdi class="name">\(ReportHTMLSections.pathHTML(candidate.name))</bdi>\
            <span class="badge \(candidate.outcome.name)">\(candidate.outcome.name)</span>\
            <span class="facts">\(HTMLEscaping.escapedPrefix(of: candidate.caption, maxLength: 40))</span></button>
            """
    }

    /// Returns the regions that the enlarged view outlines: `[name, x, y, width, height]` of each.
    private static func regionsJSON(for candidate: ImageCandidate) -> String {
        var json = ScriptSafeJSONWriter()
        json.appendArray { json in
            for (name, region) in candidate.regions {
                json.appendArray { json in
                    json.append(name)
                    for value in [region.x, region.y, region.width, region.height] {
                        json.append(ScriptSafeJSONWriter.ThreeDecimalNumber(min(max(value, 0), 1)))
                    }
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func imageTag(for thumbnail: Thumbnail?, side: String, facts: String) -> String {
        guard let thumbnail else { return "<span class=\"none\">\(side): none</span>" }
        return """
            <img src="\(thumbnail.dataURI)" width="\(thumbnail.width)" height="\(thumbnail.height)" \
            alt="\(side)" data-facts="\(HTMLEscaping.escaped(facts))" decoding="async">
            """
    }

    /// The dialog in which the script shows an enlarged pair.
    static let enlargementDialogHTML = """
        <dialog id="enlarged" aria-labelledby="enlarged-name">
        <h2 id="enlarged-name"></h2>
        <svg id="svg" class="unseen"></svg>
        <div class="sides"></div>
        <p class="controls"><button type="button" data-step="-1">Previous</button>
        <button type="button" data-step="1">Next</button>
        <button type="button" data-close autofocus>Close</button></p>
        </dialog>
        """
}
