import Foundation
import Testing

@testable import dev_backend

/// Runs `work`, which blocks, on a thread of its own.
func blocking<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
    }
}

extension DevBackend {
    /// Sends `request` on a connection of its own, and gives the answer.
    func reply(to request: RawRequest) async throws -> RawClient.Reply {
        let bytes = request.bytes
        return try await blocking { [self] in
            let client = try RawClient(self)
            try client.send(bytes)
            return try client.reply()
        }
    }
}

extension DevBackendOptions {
    init(_ change: (inout DevBackendOptions) -> Void) {
        self.init()
        change(&self)
    }
}

/// SHA-256 in hexadecimal.
func sha256(_ bytes: [UInt8]) -> String {
    var digest = ResettableSHA256Hasher()
    digest.update(bytes: bytes)
    return digest.hexDigestAndReset()
}
