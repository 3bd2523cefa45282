internal import Synchronization

/// Keeps one secret, such as the credentials of a ``Session``, between launches of an app.
///
/// ``FileSecretStore`` keeps it in a file that only the user can read, `KeychainSecretStore` in the key chain of
/// Apple's systems, and ``InMemorySecretStore`` in memory.
public protocol SecretStore: Sendable {
    /// Returns the secret, or `nil` if there is none.
    ///
    /// - Throws: An error if the secret cannot be read.
    func readSecret() throws -> [UInt8]?

    /// Replaces the secret.
    ///
    /// - Parameter secret: The new secret.
    /// - Throws: An error if the secret cannot be stored. The earlier one is then kept.
    func writeSecret(_ secret: [UInt8]) throws

    /// Removes the secret, if there is one.
    ///
    /// - Throws: An error if the secret cannot be removed.
    func removeSecret() throws
}

/// Keeps a secret in memory.
public final class InMemorySecretStore: SecretStore {
    private let secret = Mutex<[UInt8]?>(nil)

    /// Creates an empty store.
    public init() {}

    /// Returns the secret, or `nil` if there is none.
    public func readSecret() -> [UInt8]? { secret.withLock { $0 } }

    /// Replaces the secret.
    ///
    /// - Parameter secret: The new secret.
    public func writeSecret(_ secret: [UInt8]) { self.secret.withLock { $0 = secret } }

    /// Removes the secret, if there is one.
    public func removeSecret() { secret.withLock { $0 = nil } }
}

/// The reason why a secret could not be read, stored or removed. It does not contain the secret.
public struct SecretStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A message for the user.
    public var message: String

    /// Creates an error.
    ///
    /// - Parameter message: A message for the user.
    public init(message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}
