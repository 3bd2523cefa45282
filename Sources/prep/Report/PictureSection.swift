/// The pictures before and after.
enum PictureSection {
    static func html(_ pairs: [PicturePair]) -> String {
        guard !pairs.isEmpty else { return "" }
        let items = pairs.map { "<li>\(button($0))</li>" }
        return ReportSections.section(
            "pictures", "Before and after",
            """
            <p class="quiet">\(note(pairs))</p>
            <ul class="pairs">
            \(items.joined(separator: "\n"))
            </ul>
            """)
    }

    private static func note(_ pairs: [PicturePair]) -> String {
        let unready = pairs.count { $0.candidate.outcome.isUnready }, ready = pairs.count - unready
        let parts = [
            unready > 0 ? "\(unready) not ready" : nil, ready > 0 ? "\(ready) that saved most" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: ", then ") + ". Select one to enlarge it."
    }

    /// The script reads what it enlarges from here.
    private static func button(_ pair: PicturePair) -> String {
        let candidate = pair.candidate
        return """
            <button type="button" class="pair">\
            <span class="images">\(image(pair.before, "Before", candidate.beforeFacts))\
            \(image(pair.after, "After", candidate.afterFacts))</span>\
            <bdi class="name">\(ReportSections.name(candidate.name))</bdi>\
            <span class="badge \(candidate.outcome.name)">\(candidate.outcome.name)</span>\
            <span class="facts">\(HTML.clipped(candidate.note, to: 40))</span></button>
            """
    }

    private static func image(_ thumbnail: Thumbnail?, _ side: String, _ facts: String) -> String {
        guard let thumbnail else { return "<span class=\"none\">\(side): none</span>" }
        return """
            <img src="\(thumbnail.dataURI)" width="\(thumbnail.width)" height="\(thumbnail.height)" \
            alt="\(side)" data-facts="\(HTML.text(facts))" decoding="async">
            """
    }

    /// Where the script shows a pair enlarged.
    static let dialog = """
        <dialog id="enlarged" aria-labelledby="enlarged-name">
        <h2 id="enlarged-name"></h2>
        <div class="sides"></div>
        <p class="controls"><button type="button" data-step="-1">Previous</button>
        <button type="button" data-step="1">Next</button>
        <button type="button" data-close autofocus>Close</button></p>
        </dialog>
        """
}
