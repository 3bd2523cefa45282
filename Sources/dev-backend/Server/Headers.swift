/// What the relay tells the server to do with a request. No client's word: the relay takes such a field out of what it passes on.
struct FaultHeader {
    static let name = "Dev-Backend-Fault"

    /// `busy` or a status.
    let value: String

    /// - Returns: nil for what the relay does by itself.
    init?(_ fault: Faults.Fault) {
        switch fault {
        case .error(let status): value = "\(status)"
        case .busy: value = "busy"
        case .none, .reset, .drop: return nil
        }
    }
}

/// The SHA-256 of each file of a form that was committed, in hexadecimal, with commas between: so that a person sees what
/// arrived, and the relay knows what it drops.
enum DigestHeader {
    static let name = "Content-Digests"
}
