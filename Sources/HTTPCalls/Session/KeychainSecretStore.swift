// `unsafe`: SecItemCopyMatching returns its result through a pointer.

#if canImport(Security)
    internal import Foundation
    internal import Security

    /// Keeps a secret in the key chain, as a generic password that is readable after the first unlock of this device,
    /// and is not part of its backups.
    public struct KeychainSecretStore: SecretStore {
        /// The service of the item, such as the bundle's identifier.
        public var service: String
        /// The account of the item: a name for the session, not that of the user.
        public var account: String

        /// Creates a store.
        ///
        /// - Parameters:
        ///   - service: The service of the item, such as the bundle's identifier.
        ///   - account: The account of the item.
        public init(service: String, account: String = "session") {
            self.service = service
            self.account = account
        }

        private var query: [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
        }

        /// Returns the secret, or `nil` if the key chain has no such item.
        ///
        /// - Throws: ``SecretStoreError``.
        public func readSecret() throws -> [UInt8]? {
            var result: CFTypeRef?
            let query = query.merging([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]) { $1 }
            let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = result as? Data else { throw failure("read", status) }
            return Array(data)
        }

        /// Replaces the item.
        ///
        /// - Parameter secret: The new secret.
        /// - Throws: ``SecretStoreError``.
        public func writeSecret(_ secret: [UInt8]) throws {
            let value: [CFString: Any] = [
                kSecValueData: Data(secret), kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(query as CFDictionary, value as CFDictionary)
            if status == errSecItemNotFound {
                status = unsafe SecItemAdd(query.merging(value) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw failure("written", status) }
        }

        /// Removes the item, if there is one.
        ///
        /// - Throws: ``SecretStoreError``.
        public func removeSecret() throws {
            let status = SecItemDelete(query as CFDictionary)
            guard [errSecSuccess, errSecItemNotFound].contains(status) else { throw failure("removed", status) }
        }

        private func failure(_ participle: String, _ status: OSStatus) -> SecretStoreError {
            SecretStoreError(message: "the key chain's item \(service) can't be \(participle): error \(status)")
        }
    }
#endif
