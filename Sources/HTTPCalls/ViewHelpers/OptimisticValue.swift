internal import Synchronization

/// A value that shows a change before the server has confirmed it, and that reverts if the server refuses it.
///
/// ```swift
/// let isFavorite = OptimisticValue(false)
/// try await isFavorite.change(to: true) { value in try await client.put(path: "/favorite", body: value) }
/// ```
///
/// Several changes can be in progress. The value to show is that of the last one that has not failed.
public final class OptimisticValue<Content: Sendable>: Sendable {
    private struct State {
        var confirmed: Content
        /// The changes in progress by their numbers, which grow.
        var pending: [Int: Content] = [:]
        var lastNumber = 0
        /// The number of the latest change that was confirmed.
        var confirmedNumber = 0

        var shown: Content {
            // The server may confirm an earlier change after a later one, which then counts.
            guard let last = pending.keys.max(), last > confirmedNumber else { return confirmed }
            return pending[last] ?? confirmed
        }
    }

    private let state: Mutex<State>

    /// Creates a confirmed value.
    ///
    /// - Parameter content: The value.
    public init(_ content: Content) { state = Mutex(State(confirmed: content)) }

    /// The value to show: that of the last change that has not failed, even if it is not confirmed yet.
    public var content: Content { state.withLock(\.shown) }

    /// The last value that the server confirmed.
    public var confirmedContent: Content { state.withLock(\.confirmed) }

    /// Changes the value at once, and then on the server.
    ///
    /// - Parameters:
    ///   - content: The new value.
    ///   - update: Changes the value on the server.
    /// - Returns: The result of `update`.
    /// - Throws: The error of `update`. The change is then reverted.
    @discardableResult public func change<Result, Failure: Error>(
        to content: Content, update: (Content) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.pending[state.lastNumber] = content
            return state.lastNumber
        }
        do throws(Failure) {
            let result = try await update(content)
            state.withLock { state in
                state.pending[number] = nil
                if number > state.confirmedNumber { (state.confirmed, state.confirmedNumber) = (content, number) }
            }
            return result
        } catch {
            state.withLock { $0.pending[number] = nil }
            throw error
        }
    }
}
