/// Sony Wave64: the chunks of WAVE, named by GUIDs, with 64-bit sizes that count the chunk's head.
enum Wave64File {
    /// The recording that the file is.
    ///
    /// - Throws: `damaged`, `unsupported-wav-codec`, `limit-exceeded`, and what reading throws.
    static func recording(in window: inout ByteWindow, _ options: ProbeOptions) throws(AudioError) -> Recording {
        let start = try LeadingTags.end(in: &window)
        // `riff`, its size, and `wave`, which has the ending that all names but `riff` have.
        guard try window.uint32(at: start + 24) == 0x7761_7665 else {
            throw AudioError(
                .damaged, offset: start + 24, "the file says that it is Wave64, and not that it holds a wave")
        }
        let reader = ChunkReader(
            layout: .wave64, offset: start + 40, end: window.count, remaining: options.limits.elements)
        var file = WaveFile(.little, reader, isQuick: options.isQuick)
        var recording = try file.recording(.w64, in: &window)
        recording.metadata.insert(contentsOf: try LeadingTags.metadata(before: start, in: &window), at: 0)
        return recording
    }
}
