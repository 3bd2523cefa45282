#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesClient {
    /// The figures of the chef's dashboard. Assumed: the document names it without its members.
    public struct ChefDashboardStats: Codable, Hashable, Sendable {
        /// The number of active projects.
        public var activeProjects: Int
        /// The number of active workers.
        public var activeWorkers: Int
        /// The number of work entries that wait for their approval.
        public var pendingWorkEntries: Int

        /// Creates figures.
        ///
        /// - Parameters:
        ///   - activeProjects: The number of active projects.
        ///   - activeWorkers: The number of active workers.
        ///   - pendingWorkEntries: The number of work entries that wait for their approval.
        public init(activeProjects: Int, activeWorkers: Int, pendingWorkEntries: Int) {
            self.activeProjects = activeProjects
            self.activeWorkers = activeWorkers
            self.pendingWorkEntries = pendingWorkEntries
        }

        private enum CodingKeys: CodingKey { case activeProjects, activeWorkers, pendingWorkEntries }
    }

    /// The development of the business. Assumed: the document names it without its members.
    public struct BusinessInsights: Codable, Hashable, Sendable {
        /// The hours of the current month.
        public var totalHours: Double
        /// The revenue of the current month; `nil` if it is not known.
        public var revenue: Double?
        /// Further figures by name; `nil` if there are none.
        public var trends: [String: Double]?

        /// Creates insights.
        ///
        /// - Parameters:
        ///   - totalHours: The hours of the current month.
        ///   - revenue: The revenue of the current month; `nil` if it is not known.
        ///   - trends: Further figures by name; `nil` if there are none.
        public init(totalHours: Double, revenue: Double? = nil, trends: [String: Double]? = nil) {
            self.totalHours = totalHours
            self.revenue = revenue
            self.trends = trends
        }

        private enum CodingKeys: CodingKey { case totalHours, revenue, trends }
    }

    /// An announcement to all employees. Assumed: the document names it without its members.
    public struct Announcement: Codable, Hashable, Identifiable, Sendable {
        /// The announcement's id.
        public var id: Int
        /// The title.
        public var title: String
        /// The text.
        public var message: String
        /// The time of creation; `nil` if the server did not include it.
        public var createdAt: Date?

        /// Creates an announcement.
        ///
        /// - Parameters:
        ///   - id: The announcement's id.
        ///   - title: The title.
        ///   - message: The text.
        ///   - createdAt: The time of creation; `nil` if the server did not include it.
        public init(id: Int, title: String, message: String, createdAt: Date? = nil) {
            self.id = id
            self.title = title
            self.message = message
            self.createdAt = createdAt
        }

        private enum CodingKeys: CodingKey { case id, title, message, createdAt }
    }

    /// A certificate of an employee. Assumed: the document names it without its members.
    public struct Certificate: Codable, Hashable, Identifiable, Sendable {
        /// The certificate's id.
        public var id: Int
        /// The name.
        public var name: String
        /// The end of its validity; `nil` if it has none.
        public var expiresAt: Date?

        /// Creates a certificate.
        ///
        /// - Parameters:
        ///   - id: The certificate's id.
        ///   - name: The name.
        ///   - expiresAt: The end of its validity; `nil` if it has none.
        public init(id: Int, name: String, expiresAt: Date? = nil) {
            self.id = id
            self.name = name
            self.expiresAt = expiresAt
        }

        private enum CodingKeys: CodingKey { case id, name, expiresAt }
    }
}
