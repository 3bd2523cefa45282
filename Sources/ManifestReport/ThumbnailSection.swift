/// The section of the page with images before and after preparation.
enum ThumbnailSection {
    static func html(for pairs: [ThumbnailPair]) -> String {
        guard !pairs.isEmpty else { return "" }
        let items = pairs.map { "<li>\(button(for: $0))</li>" }
        return ReportHTMLSections.section(
            id: "pictures", title: "Before and after",
            content: """
                <p class="quiet">\(caption(for: pairs))</p>
                <ul class="pairs">
                \(items.joined(separator: "\n"))
                </ul>
                """)
    }

    private static func caption(for pairs: [ThumbnailPair]) -> String {
        let unready = pairs.count { $0.candidate.outcome.isFailedOrRejected }, ready = pairs.count - unready
        let parts = [
            unready > 0 ? "\(unready) not ready" : nil, ready > 0 ? "\(ready) that saved most" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: ", then ") + ". Select one to enlarge it."
    }

    /// Returns the button for a pair. The script reads the content of the enlarged view from it.
    private static func button(for pair: ThumbnailPair) -> String {
        let candidate = pair.candidate
        return """
            <button type="button" class="pair">\
            <span class="images">\(imageTag(for: pair.inputThumbnail, side: "Before", facts: candidate.inputFacts))\
            \(imageTag(for: pair.outputThumbnail, side: "After", facts: candidate.outputFacts))</span>\
            <bdi class="name">\(ReportHTMLSections.pathHTML(candidate.name))</bdi>\
            <span class="badge \(candidate.outcome.name)">\(candidate.outcome.name)</span>\
            <span class="facts">\(HTMLEscaping.escapedPrefix(of: candidate.caption, maxLength: 40))</span></button>
            """
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
        <div class="sides"></div>
        <p class="controls"><button type="button" data-step="-1">Previous</button>
        <button type="button" data-step="1">Next</button>
        <button type="button" data-close autofocus>Close</button></p>
        </dialog>
        """
}
