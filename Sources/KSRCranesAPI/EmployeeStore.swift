internal import HTTPCalls
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Keeps the employee beside the credentials of a session, in one secret, so that both change at once.
final class EmployeeStore: SecretStore {
    private struct StoredForm: Codable {
        var credentials: Data
        var employee: KSRCranesClient.Employee?
    }

    private let base: any SecretStore
    /// The employees of the accounts that were signed in. Also serializes the changes of `base`.
    private let employees = Mutex<[String: KSRCranesClient.Employee]>([:])

    init(_ base: any SecretStore) { self.base = base }

    /// Returns the account id of an employee.
    static func accountID(of employee: KSRCranesClient.Employee) -> String { String(employee.id) }

    func employee(accountID: String) -> KSRCranesClient.Employee? { employees.withLock { $0[accountID] } }

    /// Remembers an employee, who is stored with the credentials of the account.
    func remember(_ employee: KSRCranesClient.Employee) {
        employees.withLock { $0[Self.accountID(of: employee)] = employee }
    }

    /// Replaces the employee of the stored credentials, if they are of the same account.
    ///
    /// - Throws: The error of the store.
    func update(_ employee: KSRCranesClient.Employee) throws {
        try employees.withLock { employees in
            employees[Self.accountID(of: employee)] = employee
            guard let secret = try base.readSecret() else { return }
            let credentials = Self.storedForm(of: secret)?.credentials ?? Data(secret)
            try write(Array(credentials), employees)
        }
    }

    func readSecret() throws -> [UInt8]? {
        try employees.withLock { employees in
            guard let secret = try base.readSecret() else { return nil }
            // A session without an employee stores the credentials alone.
            guard let form = Self.storedForm(of: secret) else { return secret }
            if let employee = form.employee { employees[Self.accountID(of: employee)] = employee }
            return Array(form.credentials)
        }
    }

    func writeSecret(_ secret: [UInt8]) throws { try employees.withLock { try write(secret, $0) } }

    func removeSecret() throws {
        try employees.withLock { employees in
            employees = [:]
            try base.removeSecret()
        }
    }

    /// Stores credentials with the employee of their account.
    private func write(_ credentials: [UInt8], _ employees: [String: KSRCranesClient.Employee]) throws {
        let employee = Credentials(storedSecret: credentials)?.accountID.flatMap { employees[$0] }
        let form = StoredForm(credentials: Data(credentials), employee: employee)
        try base.writeSecret(Array(try JSONEncoder().encode(form)))
    }

    private static func storedForm(of secret: [UInt8]) -> StoredForm? {
        try? JSONDecoder().decode(StoredForm.self, from: Data(secret))
    }
}
