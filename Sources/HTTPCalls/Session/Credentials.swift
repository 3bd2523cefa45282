#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The tokens of an account. Printing, dumping or interpolating them shows only placeholders.
public struct Credentials: Hashable, Sendable {
    /// The token of the requests.
    public var token: BearerToken
    /// The token with which the backend renews `token`; `nil` if there is none.
    public var refreshToken: BearerToken?
    /// The account's id, never a token; `nil` if it is not known.
    ///
    /// It is part of the identity of uploads: the same file of two accounts is two uploads.
    public var accountID: String?

    /// Creates credentials.
    ///
    /// - Parameters:
    ///   - token: The token of the requests.
    ///   - refreshToken: The token with which the backend renews `token`.
    ///   - accountID: The account's id.
    public init(token: BearerToken, refreshToken: BearerToken? = nil, accountID: String? = nil) {
        self.token = token
        self.refreshToken = refreshToken
        self.accountID = accountID
    }

    private struct StoredForm: Codable {
        var token: String
        var refreshToken: String?
        var accountID: String?
    }

    /// Reads stored credentials.
    ///
    /// - Returns: `nil` if the bytes are no credentials. The user then signs in again.
    package init?(storedSecret bytes: [UInt8]) {
        guard let form = try? JSONDecoder().decode(StoredForm.self, from: Data(bytes)),
            let token = BearerToken(form.token)
        else { return nil }
        self.init(token: token, refreshToken: form.refreshToken.flatMap(BearerToken.init), accountID: form.accountID)
    }

    /// The credentials as bytes for a ``SecretStore``.
    func storedSecret() throws -> [UInt8] {
        let form = StoredForm(token: token.secret, refreshToken: refreshToken?.secret, accountID: accountID)
        return Array(try JSONEncoder().encode(form))
    }
}
