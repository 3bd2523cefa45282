/// Probes Sony Wave64 files: WAVE chunks with GUIDs as IDs and 64-bit sizes that include the chunk's header.
enum Wave64File {
    /// Probes a Wave64 file.
    ///
    /// - Throws: ``AudioError/Code/damaged``, `unsupported-wav-codec`, ``AudioError/Code/limitExceeded``, and the
    ///   errors of the reader.
    static func probe(
        in reader: inout BufferedFileReader, from start: Int, options: ProbeOptions
    ) throws(AudioError) -> Recording {
        // The file begins with the GUID of `riff`, its size, and the GUID of `wave`. All GUIDs but that of `riff` end
        // alike.
        guard try reader.uint32(at: start + 24) == 0x7761_7665 else {
            throw AudioError(
                .damaged, offset: start + 24, message: "the Wave64 file type is not WAVE")
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
