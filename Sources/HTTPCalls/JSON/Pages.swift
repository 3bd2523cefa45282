/// One page of a list.
public struct Page<Item: Sendable>: Sendable {
    /// The items of the page, in the server's order.
    public var items: [Item]
    /// Whether the server has a next page.
    public var hasNext: Bool

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - items: The items of the page.
    ///   - hasNext: Whether the server has a next page.
    public init(items: [Item], hasNext: Bool) {
        self.items = items
        self.hasNext = hasNext
    }
}

extension Page {
    /// Creates the page of a response that states its number.
    ///
    /// - Parameters:
    ///   - items: The items of the page.
    ///   - hasNext: Whether the server has a next page.
    ///   - number: The number of the page that the response states.
    ///   - requestedNumber: The number of the page that was requested.
    /// - Throws: ``CallError/Code/invalidResponse`` if the numbers differ. A server that ignores the number would be
    ///   requested without end.
    package init(items: [Item], hasNext: Bool, number: Int, requestedNumber: Int) throws(CallError) {
        guard number == requestedNumber else {
            throw CallError(
                code: .invalidResponse, message: "the server answered page \(number) instead of \(requestedNumber)")
        }
        self.init(items: items, hasNext: hasNext)
    }
}

extension Page: Equatable where Item: Equatable {}
extension Page: Hashable where Item: Hashable {}

/// The pages of a list, each requested when it is needed.
///
/// ```swift
/// for try await page in client.messages(.unread) { show(page.items) }
/// ```
///
/// Each iteration starts with the first page. It ends after the last page, and after an empty one: a server that always
/// announces a next page would otherwise be requested without end. An error ends the iteration; a later iteration
/// starts again.
///
/// A list that changes while it is read may repeat an item on the next page, or omit one. Items with an id can be told
/// apart by it.
public struct Pages<Item: Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// Requests a page by its number.
    public typealias Request = @Sendable (_ number: Int) async throws(Failure) -> Page<Item>

    private let firstNumber: Int
    private let request: Request

    /// Creates a sequence of pages.
    ///
    /// - Parameters:
    ///   - firstNumber: The number of the first page.
    ///   - request: Requests a page by its number.
    public init(startingAt firstNumber: Int = 1, request: @escaping Request) {
        self.firstNumber = firstNumber
        self.request = request
    }

    /// Returns an iterator at the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(number: firstNumber, request: request) }

    /// Requests all remaining pages one after another.
    ///
    /// - Parameter limit: The number of items after which no further page is requested.
    /// - Returns: The items of the pages, which can be more than `limit`.
    /// - Throws: The error of a request.
    public func collectItems(upTo limit: Int = .max) async throws(Failure) -> [Item] {
        var items: [Item] = []
        var iterator = makeAsyncIterator()
        while items.count < limit, let page = try await iterator.next(isolation: nil) { items += page.items }
        return items
    }

    /// An iterator over the pages.
    public struct Iterator: AsyncIteratorProtocol {
        /// The number of the next page; `nil` at the end.
        private var number: Int?
        private let request: Request

        fileprivate init(number: Int, request: @escaping Request) {
            self.number = number
            self.request = request
        }

        /// Requests the next page.
        ///
        /// - Returns: `nil` at the end.
        /// - Throws: The error of the request. The iteration has then ended.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(Failure) -> Page<Item>? {
            guard let number else { return nil }
            self.number = nil
            let page = try await request(number)
            if page.hasNext, !page.items.isEmpty { self.number = number + 1 }
            return page
        }
    }
}
