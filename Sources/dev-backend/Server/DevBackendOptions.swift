/// How a backend behaves.
struct DevBackendOptions: Sendable {
    /// Where clients go; 0 for any port that is free.
    var port: UInt16 = 0
    /// Whether a repeated `Idempotency-Key` is given the first answer again.
    var honorsIdempotencyKeys = true
    /// How long an answer is held back.
    var responseDelay: Duration = .zero
    var faults = FaultConfiguration()
    /// Besides those that logging in gives.
    var acceptedTokens: Set<String> = ["dev-token"]
    /// SQLite's file; nil for memory.
    var databasePath: String? = nil
    /// How many analyses a month the free plan has.
    var freeAnalysesPerMonth = 5
}
