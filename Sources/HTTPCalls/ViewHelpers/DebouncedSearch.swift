/// Searches for the text of a search field once the user pauses typing.
///
/// The results are those of the last text: a search that is overtaken by another one is cancelled. Equal texts in a row
/// are searched for once.
///
/// ```swift
/// let search = DebouncedSearch { text in try await client.chef.customers(search: text).customers }
/// // For each change of the search field:
/// if let customers = try await search.results(for: text) { show(customers) }
/// ```
public actor DebouncedSearch<Result: Sendable> {
    private let delay: Duration
    private let search: @Sendable (String) async throws -> Result
    private let sleep: @Sendable (Duration) async throws -> Void
    private var lastText: String?
    private var task: Task<Result, any Error>?

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - delay: The pause after which a text is searched for. The default is 500 ms.
    ///   - search: Searches for a text.
    public init(delay: Duration = .milliseconds(500), search: @escaping @Sendable (String) async throws -> Result) {
        self.init(delay: delay, search: search) { try await Task.sleep(for: $0) }
    }

    init(
        delay: Duration, search: @escaping @Sendable (String) async throws -> Result,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.delay = delay
        self.search = search
        self.sleep = sleep
    }

    /// Returns the results for a text, or `nil` if it is the same as before, or if another text came meanwhile.
    ///
    /// - Parameter text: The text.
    /// - Throws: The error of the search. The same text is then searched for again.
    public func results(for text: String) async throws -> Result? {
        guard text != lastText else { return nil }
        lastText = text
        task?.cancel()
        let (delay, search, sleep) = (delay, search, sleep)
        let task = Task {
            try await sleep(delay)
            return try await search(text)
        }
        self.task = task
        let outcome = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        guard self.task == task else { return nil }
        self.task = nil
        if case .failure = outcome { lastText = nil }
        return try outcome.get()
    }
}
