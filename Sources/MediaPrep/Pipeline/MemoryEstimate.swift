internal import ImageCodecs
internal import Imaging

/// Upper bounds of the memory that inputs take while they are prepared, in bytes.
///
/// For 21 images of every kind (baseline, progressive, arithmetic, multi-scan, interlaced; up to 24 megapixels; resized
/// and not) the process grew by 0.31 to 0.93 of the estimate.
enum MemoryEstimate {
    /// The overhead of any job: a stack, tables, the allocator's caches, and the 1 MiB that a second thread needs for
    /// an image. With 16 jobs each took 0.6 MiB without it.
    static let perJob = 2 << 20
    /// The prefix of an image that is read before memory is reserved; `perJob` includes it. Few headers are longer.
    static let imageHeaderPrefix = 512 << 10
    /// An audio file of any length: the reader's buffer, the codec's headers and libsndfile. The most measured was 1.9
    /// MiB.
    static let perAudioFile = 4 << 20

    /// Returns the memory for preparing an image, including the file and the result.
    static func imagePreparationBytes(_ probe: ImageProbeResult, fileByteCount: Int) -> Int {
        // libjpeg receives a copy of a file that is truncated, and a process of its own a copy of any file. A JPEG that
        // may be passed through is copied twice without its metadata.
        let isJPEG = probe.format == .jpeg, fits = isJPEG && !probe.isReduced
        return perJob + fileByteCount
            + max(
                probe.decodingMemoryBytes + (isJPEG || probe.isIsolated ? fileByteCount : 0),
                probe.encodingMemoryBytes + (fits ? 2 * fileByteCount : 0))
    }

    /// Returns the memory that stays in use while a sink holds `result`.
    static func bytesRetained(by result: MediaResult) -> Int {
        switch result.outcome {
        case .image(let image): result.input.inMemoryByteCount + image.data.count
        case .audio: result.input.inMemoryByteCount + perAudioFile
        case .rejectedImage, .rejectedAudio, .failure: result.input.inMemoryByteCount
        }
    }
}
