internal import SystemSupport

/// Keeps a secret in a file that only its owner can read and write (mode 0600).
///
/// The file is replaced atomically. A file that others can read, that belongs to another user, or that is a symbolic
/// link is not read.
public struct FileSecretStore: SecretStore {
    /// The path of the file. Its directory must exist.
    public var path: String

    /// More than any tokens: a JSON Web Token has a few thousand bytes.
    private static let maxSecretLength = 64 << 10

    /// Creates a store.
    ///
    /// - Parameter path: The path of the file. Its directory must exist.
    public init(path: String) { self.path = path }

    private var file: PrivateFile { PrivateFile(path: Array(path.utf8), maxLength: Self.maxSecretLength) }

    /// Returns the content of the file, or `nil` if it does not exist.
    ///
    /// - Throws: ``SecretStoreError`` if the file cannot be read, or is not the user's alone.
    public func readSecret() throws -> [UInt8]? {
        do throws(PrivateFile.Failure) { return try file.contents() } catch {
            throw secretError(error, "can't be read")
        }
    }

    /// Replaces the file.
    ///
    /// - Parameter secret: The new content, at most 64 KiB.
    /// - Throws: ``SecretStoreError`` if the file cannot be replaced. The earlier one is then kept.
    public func writeSecret(_ secret: [UInt8]) throws {
        guard secret.count <= Self.maxSecretLength else { throw SecretStoreError(message: "the secret is too large") }
        do throws(PrivateFile.Failure) { try file.replace(with: secret) } catch {
            throw secretError(error, "can't be written")
        }
    }

    /// Removes the file, if it exists.
    ///
    /// - Throws: ``SecretStoreError`` if the file cannot be removed.
    public func removeSecret() throws {
        do throws(PrivateFile.Failure) { try file.remove() } catch { throw secretError(error, "can't be removed") }
    }

    private func secretError(_ failure: PrivateFile.Failure, _ predicate: String) -> SecretStoreError {
        let message =
            switch failure {
            case .system(let error): "\(path) \(predicate): \(error.message)"
            case .notPrivate: "\(path) is not a file of this user alone: sign in again, or make it so with chmod 600"
            case .tooLarge: "\(path) is too large"
            }
        return SecretStoreError(message: message)
    }
}
