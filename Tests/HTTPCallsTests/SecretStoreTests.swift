// `unsafe`: mkfifo takes a C string.

import HTTPTestSupport
import Foundation
import HTTPTypes
import Testing
import TestSupport

@testable import HTTPCalls

@Suite("A session's credentials are stored")
struct SecretStoreTests {
    private let directory: TemporaryDirectory
    private var url: URL { directory.fileURL(named: "session") }
    private var store: FileSecretStore { FileSecretStore(path: url.path) }

    init() throws { directory = try TemporaryDirectory() }

    private func setMode(_ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    @Test("a file is the owner's alone, is replaced, and is removed")
    func fileIsPrivate() throws {
        #expect(try store.readSecret() == nil)
        for secret in [Array("first".utf8), Array(repeating: 7, count: 60_000), []] {
            try store.writeSecret(secret)
            #expect(try store.readSecret() == secret)
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == ["session"])
        try store.removeSecret()
        try store.removeSecret()
        #expect(try store.readSecret() == nil)
    }

    @Test("a file that others can read or write is not read", arguments: [0o640, 0o604, 0o620, 0o601])
    func sharedFileIsRejected(_ mode: Int) throws {
        try store.writeSecret([1])
        try setMode(mode)
        #expect(throws: SecretStoreError.self) { try store.readSecret() }
        try store.writeSecret([2])
        #expect(try store.readSecret() == [2])
    }

    @Test("neither a link, a directory, a pipe nor a file that is too large is read")
    func otherFilesAreRejected() throws {
        let target = directory.fileURL(named: "target")
        try FileSecretStore(path: target.path).writeSecret([1])
        try FileManager.default.createSymbolicLink(at: url, withDestinationURL: target)
        #expect(throws: SecretStoreError.self) { try store.readSecret() }
        // The link is replaced, and its target kept.
        try store.writeSecret([2])
        #expect(try FileSecretStore(path: target.path).readSecret() == [1])
        try store.removeSecret()
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        #expect(throws: SecretStoreError.self) { try store.readSecret() }
        #expect(throws: SecretStoreError.self) { try store.writeSecret([3]) }
        try FileManager.default.removeItem(at: url)
        let result = unsafe mkfifo(url.path, 0o600)
        #expect(result == 0)
        #expect(throws: SecretStoreError.self) { try store.readSecret() }
        try FileManager.default.removeItem(at: url)
        try Data(count: 70_000).write(to: url)
        try setMode(0o600)
        #expect(throws: SecretStoreError.self) { try store.readSecret() }
        #expect(throws: SecretStoreError.self) { try store.writeSecret(Array(repeating: 0, count: 70_000)) }
        #expect(throws: SecretStoreError.self) { try FileSecretStore(path: "/missing/session").writeSecret([1]) }
        #expect(throws: SecretStoreError.self) { try FileSecretStore(path: "a\0b").writeSecret([1]) }
    }

    @Test("a session is restored from its store, and removes its credentials when it is signed out")
    func sessionIsRestored() async throws {
        var credentials = Credentials(account: "alice", token: "a-token")
        credentials.refreshToken = BearerToken("refresh")
        try Session(store: store).signIn(credentials)
        #expect(try Session(store: store).credentials == credentials)

        let renewing = try Session(store: store) { rejected in
            BearerToken("\(rejected.token.secret)-2").map { Credentials(token: $0) }
        }
        _ = try await HTTPClient(
            transport: ScriptedTransport(401, 200), session: renewing, retryPolicy: .withoutDelays
        ).send(TransportRequest(method: .get, endpoint: .testEndpoint), isIdempotent: true)
        let restored = try Session(store: store)
        #expect(restored.token == BearerToken("a-token-2"))
        #expect(restored.credentials?.accountID == "alice")
        #expect(restored.credentials?.refreshToken == BearerToken("refresh"))

        try restored.signOut()
        #expect(try Session(store: store).credentials == nil)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("a file without credentials is a session without an account", arguments: ["", "{}", #"{"token":"a b"}"#])
    func damagedFileIsSignedOut(_ text: String) throws {
        try store.writeSecret(Array(text.utf8))
        #expect(try Session(store: store).credentials == nil)
    }

    @Test("credentials that cannot be stored are not signed in; those that cannot be removed are signed out")
    func storeFailuresAreReported() throws {
        struct Full: Error {}
        struct FullStore: SecretStore {
            func readSecret() -> [UInt8]? { Array(#"{"token":"a-token"}"#.utf8) }
            func writeSecret(_ secret: [UInt8]) throws { throw Full() }
            func removeSecret() throws { throw Full() }
        }
        let session = try Session(store: FullStore())
        #expect(throws: Full.self) { try session.signIn(Credentials(account: "bob", token: "b-token")) }
        #expect(session.token == BearerToken("a-token"))
        #expect(throws: Full.self) { try session.signOut() }
        #expect(session.token == nil)
    }
}
