public import JSONValues

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesClient {
    /// A notification. The keys are in camel case.
    public struct AppNotification: Codable, Hashable, Identifiable, Sendable {
        /// The notification's id.
        public var id: Int
        /// The recipient's id.
        public var employeeID: Int
        /// The event.
        public var notificationType: NotificationType
        /// The title.
        public var title: String
        /// The text.
        public var message: String
        /// The category.
        public var category: NotificationCategory
        /// The priority.
        public var priority: NotificationPriority
        /// Whether the recipient has read it.
        public var isRead: Bool
        /// Whether the recipient is to do something.
        public var actionRequired: Bool
        /// The time of creation.
        public var createdAt: Date
        /// Where the action is done; `nil` if there is none.
        public var actionURL: String?
        /// Further values; `nil` if there are none.
        public var metadata: [String: JSONValue]?

        /// Creates an app notification.
        ///
        /// - Parameters:
        ///   - id: The notification's id.
        ///   - employeeID: The recipient's id.
        ///   - notificationType: The event.
        ///   - title: The title.
        ///   - message: The text.
        ///   - category: The category.
        ///   - priority: The priority.
        ///   - isRead: Whether the recipient has read it.
        ///   - actionRequired: Whether the recipient is to do something.
        ///   - createdAt: The time of creation.
        ///   - actionURL: Where the action is done; `nil` if there is none.
        ///   - metadata: Further values; `nil` if there are none.
        public init(
            id: Int, employeeID: Int, notificationType: NotificationType, title: String, message: String,
            category: NotificationCategory, priority: NotificationPriority, isRead: Bool, actionRequired: Bool,
            createdAt: Date, actionURL: String? = nil, metadata: [String: JSONValue]? = nil
        ) {
            self.id = id
            self.employeeID = employeeID
            self.notificationType = notificationType
            self.title = title
            self.message = message
            self.category = category
            self.priority = priority
            self.isRead = isRead
            self.actionRequired = actionRequired
            self.createdAt = createdAt
            self.actionURL = actionURL
            self.metadata = metadata
        }

        private enum CodingKeys: String, CodingKey {
            case id, notificationType, title, message, category, priority, isRead, actionRequired, createdAt, metadata
            case employeeID = "employeeId"
            case actionURL = "actionUrl"
        }
    }

    /// The event of a notification. The document lists four and says that there are more.
    public struct NotificationType: RawRepresentable, CaseIterable, Codable, Hashable, Sendable {
        /// The text in JSON. Values that are not listed here are kept.
        public var rawValue: String

        /// Creates a value from its text in JSON.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A work entry was submitted.
        public static let workEntrySubmitted = NotificationType(rawValue: "WORK_ENTRY_SUBMITTED")
        /// A work entry was approved.
        public static let workEntryApproved = NotificationType(rawValue: "WORK_ENTRY_APPROVED")
        /// Leave was requested.
        public static let leaveRequestSubmitted = NotificationType(rawValue: "LEAVE_REQUEST_SUBMITTED")
        /// Leave was approved.
        public static let leaveRequestApproved = NotificationType(rawValue: "LEAVE_REQUEST_APPROVED")

        /// The known values.
        public static let allCases: [NotificationType] = [
            .workEntrySubmitted, .workEntryApproved, .leaveRequestSubmitted, .leaveRequestApproved,
        ]
    }

    /// The category of a notification. Assumed: the document names it without its values.
    public struct NotificationCategory: RawRepresentable, CaseIterable, Codable, Hashable, Sendable {
        /// The text in JSON. Values that are not listed here are kept.
        public var rawValue: String

        /// Creates a value from its text in JSON.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Working hours.
        public static let hours = NotificationCategory(rawValue: "HOURS")
        /// Leave.
        public static let leave = NotificationCategory(rawValue: "LEAVE")
        /// Tasks.
        public static let task = NotificationCategory(rawValue: "TASK")
        /// The system.
        public static let system = NotificationCategory(rawValue: "SYSTEM")

        /// The known values.
        public static let allCases: [NotificationCategory] = [.hours, .leave, .task, .system]
    }

    /// The priority of a notification. Assumed: the document names it without its values.
    public struct NotificationPriority: RawRepresentable, CaseIterable, Codable, Hashable, Sendable {
        /// The text in JSON. Values that are not listed here are kept.
        public var rawValue: String

        /// Creates a value from its text in JSON.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A low priority.
        public static let low = NotificationPriority(rawValue: "LOW")
        /// A normal priority.
        public static let normal = NotificationPriority(rawValue: "NORMAL")
        /// A high priority.
        public static let high = NotificationPriority(rawValue: "HIGH")
        /// An urgent notification.
        public static let urgent = NotificationPriority(rawValue: "URGENT")

        /// The known values.
        public static let allCases: [NotificationPriority] = [.low, .normal, .high, .urgent]
    }

    /// The notifications of an employee. Assumed: the document names it without its members.
    public struct NotificationsResponse: Codable, Hashable, Sendable {
        /// The notifications, the newest first.
        public var notifications: [AppNotification]
        /// The number of unread ones; `nil` if the server did not include it.
        public var unreadCount: Int?

        /// Creates a notifications response.
        ///
        /// - Parameters:
        ///   - notifications: The notifications, the newest first.
        ///   - unreadCount: The number of unread ones; `nil` if the server did not include it.
        public init(notifications: [AppNotification], unreadCount: Int? = nil) {
            self.notifications = notifications
            self.unreadCount = unreadCount
        }

        private enum CodingKeys: CodingKey { case notifications, unreadCount }
    }
}
