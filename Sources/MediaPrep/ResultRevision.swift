extension MediaPipeline {
    /// A number that is incremented whenever the same input and options may give different bytes, another verdict or
    /// another duration than before. Results that were recorded with a lower number are then computed again.
    package static let resultRevision = 10
}
