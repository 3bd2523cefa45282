/// Calls `work` for each element on `threads`, with at most `limit` calls at a time, and waits for all of them.
///
/// Calls start in the order of the elements. After cancellation no further call starts, but those that have started
/// are waited for.
///
/// - Parameters:
///   - elements: The elements to process.
///   - limit: The maximum number of concurrent calls.
///   - threads: The threads that `work` runs on.
///   - work: The work for one element, which may block.
package func forEachConcurrently<Elements: Sequence & Sendable>(
    _ elements: Elements, limit: Int, on threads: BlockingThreadPool,
    _ work: @escaping @Sendable (Elements.Element) -> Void
) async where Elements.Element: Sendable {
    await withTaskGroup(of: Void.self) { group in
        var running = 0
        for element in elements {
            if running == limit {
                await group.next()
                running -= 1
            }
            if Task.isCancelled { break }
            group.addTask(executorPreference: threads) { work(element) }
            running += 1
        }
    }
}
