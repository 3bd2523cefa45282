extension MediaPipeline {
    /// Counts up whenever the same input and options may give other bytes, another verdict or another duration than the
    /// version before: what was recorded of earlier runs is then done again.
    package static let resultRevision = 2
}
