/// The options of a backend.
struct DevBackendOptions: Sendable {
    /// The port for clients; 0 for any free port.
    var port: UInt16 = 0
    /// Whether a request with a known `Idempotency-Key` receives the first response again.
    var honorsIdempotencyKeys = true
    /// The delay before each response.
    var responseDelay: Duration = .zero
    var faults = FaultConfiguration()
    /// The services that are spoken.
    var services = Set(Service.allCases)
    /// The tokens that are valid for all services, in addition to those issued by logins.
    var acceptedTokens: Set<String> = ["dev-token"]
    /// The path of the SQLite file; `nil` for a database in memory.
    var databasePath: String? = nil
    /// The number of analyses per month of the free subscription.
    var freeAnalysesPerMonth = 5
}
