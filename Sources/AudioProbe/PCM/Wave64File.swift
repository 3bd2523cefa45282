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
        let chunks = try AudioChunkReader(
            chunkFormat: .wave64, after: start..<start + 40, limits: options.limits, in: &reader)
        var file = WaveFile(byteOrder: .littleEndian, chunks: chunks, isQuick: options.isQuick)
        return try file.readRecording(container: .w64, in: &reader)
    }
}
