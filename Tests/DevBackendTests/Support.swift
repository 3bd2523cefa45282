import Foundation
import Testing

@testable import dev_backend

/// Runs `work`, which blocks, on a separate thread.
func runBlocking<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
    }
}

extension DevBackend {
    /// Sends `request` on a new connection, and returns the response.
    func rawReply(to request: RawHTTPRequest) async throws -> RawHTTPClient.Reply {
        let bytes = request.bytes
        return try await runBlocking { [self] in
            let client = try RawHTTPClient(self)
            try client.send(bytes)
            return try client.readReply()
        }
    }
}

extension DevBackendOptions {
    init(configuredBy change: (inout DevBackendOptions) -> Void) {
        self.init()
        change(&self)
    }
}

/// Returns the SHA-256 digest in hexadecimal.
func sha256(_ bytes: [UInt8]) -> String {
    var digest = ResettableSHA256Hasher()
    digest.update(bytes: bytes)
    return digest.hexDigestAndReset()
}
