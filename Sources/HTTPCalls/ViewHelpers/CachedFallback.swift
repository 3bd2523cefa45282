internal import Synchronization

/// A value that is requested repeatedly. The last answer is kept for requests that fail, for example offline.
///
/// ```swift
/// let tasks = CachedFallback { () async throws(KSRCranesError) in try await client.worker.tasks() }
/// let value = try await tasks.load()
/// show(value.content, isStale: value.error != nil)
/// ```
public final class CachedFallback<Content: Sendable, Failure: Error>: Sendable {
    /// A value that was loaded, or an earlier one.
    public struct Value: Sendable {
        /// The content.
        public let content: Content
        /// The error of the request if the content is an earlier one; `nil` if it was loaded now.
        public let error: Failure?
    }

    private let attemptCount: Int
    private let request: @Sendable () async throws(Failure) -> Content
    private let cached = Mutex<Content?>(nil)

    /// Creates a value without an earlier content.
    ///
    /// - Parameters:
    ///   - attemptCount: The maximum number of requests of each ``load()``, at least 1. ``HTTPClient`` already repeats
    ///     requests by its ``RetryPolicy``, so that the default is 1.
    ///   - request: Requests the content.
    public init(attemptCount: Int = 1, request: @escaping @Sendable () async throws(Failure) -> Content) {
        self.attemptCount = max(1, attemptCount)
        self.request = request
    }

    /// The content of the last successful request; `nil` if there was none.
    public var lastContent: Content? { cached.withLock { $0 } }

    /// Requests the content.
    ///
    /// - Returns: The content, or the earlier one with the error of the last request.
    /// - Throws: The error of the last request if there is no earlier content.
    public func load() async throws(Failure) -> Value {
        var attempt = 1
        while true {
            do throws(Failure) {
                let content = try await request()
                cached.withLock { $0 = content }
                return Value(content: content, error: nil)
            } catch {
                if attempt < attemptCount, !Task.isCancelled {
                    attempt += 1
                    continue
                }
                guard let content = lastContent else { throw error }
                return Value(content: content, error: error)
            }
        }
    }

    /// Forgets the content, for example when the account signs out.
    public func forget() { cached.withLock { $0 = nil } }
}
