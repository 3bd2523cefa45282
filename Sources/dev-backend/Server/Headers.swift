/// What the relay tells the server to do with a request. No client's word: the relay takes such a field out of what it
/// passes on.
struct FaultHeader {
    static let fieldName = "Dev-Backend-Fault"

    /// `busy` or a status.
    let fieldValue: String

    /// - Returns: nil for what the relay does by itself.
    init?(fault: FaultConfiguration.Fault) {
        switch fault {
        case .errorStatus(let status): fieldValue = "\(status)"
        case .tooManyRequests: fieldValue = "busy"
        case .none, .resetWithinBody, .dropResponse: return nil
        }
    }
}

/// The SHA-256 of each file of a form that was committed, in hexadecimal, with commas between: so that a person sees
/// what arrived, and the relay knows what it drops.
enum DigestHeader {
    static let fieldName = "Content-Digests"
}
