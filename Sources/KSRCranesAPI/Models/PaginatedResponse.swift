extension KSRCranesClient {
    /// A page of a list. The keys are in camel case.
    public struct PaginatedResponse<Item: Codable & Sendable>: Codable, Sendable {
        /// The items of the page.
        public var data: [Item]
        /// The place of the page in the list.
        public var pagination: PaginationInfo

        /// Creates a page.
        ///
        /// - Parameters:
        ///   - data: The items of the page.
        ///   - pagination: The place of the page in the list.
        public init(data: [Item], pagination: PaginationInfo) {
            self.data = data
            self.pagination = pagination
        }

        private enum CodingKeys: CodingKey { case data, pagination }
    }

    /// The place of a page in a list.
    public struct PaginationInfo: Codable, Hashable, Sendable {
        /// The number of the page, from 1.
        public var currentPage: Int
        /// The number of pages.
        public var totalPages: Int
        /// The number of items on all pages.
        public var totalCount: Int
        /// Whether there is a next page.
        public var hasNext: Bool
        /// Whether there is a previous page.
        public var hasPrevious: Bool

        /// Creates a pagination info.
        ///
        /// - Parameters:
        ///   - currentPage: The number of the page, from 1.
        ///   - totalPages: The number of pages.
        ///   - totalCount: The number of items on all pages.
        ///   - hasNext: Whether there is a next page.
        ///   - hasPrevious: Whether there is a previous page.
        public init(currentPage: Int, totalPages: Int, totalCount: Int, hasNext: Bool, hasPrevious: Bool) {
            self.currentPage = currentPage
            self.totalPages = totalPages
            self.totalCount = totalCount
            self.hasNext = hasNext
            self.hasPrevious = hasPrevious
        }

        private enum CodingKeys: CodingKey { case currentPage, totalPages, totalCount, hasNext, hasPrevious }
    }
}

extension KSRCranesClient.PaginatedResponse: Equatable where Item: Equatable {}
extension KSRCranesClient.PaginatedResponse: Hashable where Item: Hashable {}
