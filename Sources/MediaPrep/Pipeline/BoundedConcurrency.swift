/// Calls `work` for each element, at most `limit` at a time, on `threads`. Returns when all have ended.
///
/// A new call starts when any ends, in the order of the elements; which ends first is left to chance. Work that was
/// started is always waited for; after cancellation no more is started.
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
