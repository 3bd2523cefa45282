/// Sony Wave64: the chunks of WAVE, named by GUIDs, with 64-bit sizes that count the chunk's head.
enum Wave64File {
    /// The recording that the file is.
    ///
    /// - Throws: `damaged`, `unsupported-wav-codec`, `limit-exceeded`, and what reading throws.
    static func probe(in reader: inout BufferedFileReader, options: ProbeOptions) throws(AudioError) -> Recording {
        let start = try LeadingTags.endOffset(in: &reader)
        // `riff`, its size, and `wave`, which has the ending that all names but `riff` have.
        guard try reader.uint32(at: start + 24) == 0x7761_7665 else {
            throw AudioError(
                .damaged, offset: start + 24, message: "the file says that it is Wave64, and not that it holds a wave")
        }
        let chunkWalker = ChunkWalker(
            chunkFormat: .wave64, nextChunkOffset: start + 40, endOffset: reader.byteCount,
            remainingChunkCount: options.limits.elements)
        var file = WaveFile(byteOrder: .littleEndian, chunkWalker: chunkWalker, isQuick: options.isQuick)
        var recording = try file.readRecording(container: .w64, in: &reader)
        recording.metadata.insert(contentsOf: try LeadingTags.metadata(before: start, in: &reader), at: 0)
        return recording
    }
}
