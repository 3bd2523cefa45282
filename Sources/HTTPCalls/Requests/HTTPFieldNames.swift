package import HTTPTypes

extension HTTPField.Name {
    /// The key with which a server processes a request once, however often it is sent.
    package static let idempotencyKey: HTTPField.Name = {
        guard let name = HTTPField.Name("Idempotency-Key") else { preconditionFailure("a valid name") }
        return name
    }()
}
