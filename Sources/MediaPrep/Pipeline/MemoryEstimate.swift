internal import ImageCodecs
internal import Imaging

/// How much memory an input takes while it is prepared, in bytes, from above.
///
/// Of 21 images of every kind (baseline, progressive, arithmetic, multi-scan, interlaced; up to 24 megapixels; resized
/// and not) the process grew by 0.31 to 0.93 of it, never by more.
enum MemoryEstimate {
    /// A job's own, whatever it prepares: a stack, tables, what the allocator keeps. With 16 jobs each took 0.6 MiB.
    static let perJob = 2 << 20
    /// How much of an image is read before it is admitted, as part of that: enough for all but the longest headers.
    static let imageHeaderPrefix = 512 << 10
    /// A recording, of any length: windows, a codec's headers, libsndfile's buffers. The most of any was 1.9 MiB.
    static let perAudioFile = 4 << 20

    /// An image, from its file to its result.
    static func imagePreparationBytes(_ probe: ImageProbeResult, fileByteCount: Int) -> Int {
        // libjpeg is given a copy of a file that is cut short; and what fits already is copied without its metadata,
        // twice.
        let isJPEG = probe.format == .jpeg, fits = isJPEG && probe.preparedSize == probe.uprightSize
        return perJob + fileByteCount
            + max(
                probe.decodingMemoryBytes + (isJPEG ? fileByteCount : 0),
                probe.encodingMemoryBytes + (fits ? 2 * fileByteCount : 0))
    }

    /// What stays in memory while a sink has `result`.
    static func bytesRetained(by result: MediaResult) -> Int {
        switch result.outcome {
        case .image(let image): result.input.inMemoryByteCount + image.data.count
        case .audio: result.input.inMemoryByteCount + perAudioFile
        case .rejectedAudio, .failure: result.input.inMemoryByteCount
        }
    }
}
