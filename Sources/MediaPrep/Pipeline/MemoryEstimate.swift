/// How much memory an input takes while it is prepared, in bytes, from above.
enum MemoryEstimate {
    /// A job's own, whatever it prepares.
    static let job = 4 << 20
    /// How much of an image is read before it is admitted, as part of that: enough for all but the longest headers.
    static let header = 512 << 10
    /// A recording: windows, a decoder's buffers.
    static let recording = job

    /// An image, from its file to its result.
    static func image(_ probe: ImageProbe, byteCount: Int, options: ImageOptions) -> Int {
        job + byteCount + probe.memory
    }

    /// What stays in memory while a sink has `result`.
    static func held(by result: MediaResult) -> Int {
        switch result.outcome {
        case .image(let image): result.input.heldBytes + image.data.count
        case .audio: result.input.heldBytes + recording
        case .refusedAudio, .failure: result.input.heldBytes
        }
    }
}
