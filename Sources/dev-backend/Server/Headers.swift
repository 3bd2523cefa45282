/// The header by which the relay tells the server which fault to inject. The relay removes this header from clients'
/// requests.
struct FaultHeader {
    static let fieldName = "Dev-Backend-Fault"

    /// `busy`, a status code, or `html` and a status code.
    let fieldValue: String

    /// Creates the header for a fault.
    ///
    /// - Returns: `nil` for faults that the relay injects itself.
    init?(fault: FaultConfiguration.Fault) {
        switch fault {
        case .errorStatus(let status): fieldValue = "\(status)"
        case .htmlPage(let status): fieldValue = "html \(status)"
        case .tooManyRequests: fieldValue = "busy"
        case .none, .resetWithinBody, .dropResponse, .cutResponse: return nil
        }
    }
}

/// The header with the SHA-256 digests of a committed form's files, in hexadecimal and separated by commas. It shows
/// which files arrived, and tells the relay which files a dropped response confirmed.
enum DigestHeader {
    static let fieldName = "Content-Digests"
}
