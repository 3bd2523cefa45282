#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesClient {
    /// A project. Assumed: the document names it without its members.
    public struct Project: Codable, Hashable, Identifiable, Sendable {
        /// The project's id.
        public var id: Int
        /// The title.
        public var title: String
        /// A description; `nil` if there is none.
        public var description: String?
        /// The state; `nil` if it is not known.
        public var status: String?
        /// The customer's id; `nil` if there is none.
        public var customerID: Int?

        /// Creates a project.
        ///
        /// - Parameters:
        ///   - id: The project's id.
        ///   - title: The title.
        ///   - description: A description; `nil` if there is none.
        ///   - status: The state; `nil` if it is not known.
        ///   - customerID: The customer's id; `nil` if there is none.
        public init(
            id: Int, title: String, description: String? = nil, status: String? = nil, customerID: Int? = nil
        ) {
            self.id = id
            self.title = title
            self.description = description
            self.status = status
            self.customerID = customerID
        }

        private enum CodingKeys: String, CodingKey {
            case id, title, description, status
            case customerID = "customerId"
        }
    }

    /// A task of a project. The document calls it `Task`, like Swift's own type. Assumed: the document names it without
    /// its members.
    public struct ProjectTask: Codable, Hashable, Identifiable, Sendable {
        /// The task's id.
        public var id: Int
        /// The title.
        public var title: String
        /// A description; `nil` if there is none.
        public var description: String?
        /// The deadline; `nil` if there is none.
        public var deadline: Date?
        /// The state; `nil` if it is not known.
        public var status: TaskStatus?

        /// Creates a project task.
        ///
        /// - Parameters:
        ///   - id: The task's id.
        ///   - title: The title.
        ///   - description: A description; `nil` if there is none.
        ///   - deadline: The deadline; `nil` if there is none.
        ///   - status: The state; `nil` if it is not known.
        public init(
            id: Int, title: String, description: String? = nil, deadline: Date? = nil, status: TaskStatus? = nil
        ) {
            self.id = id
            self.title = title
            self.description = description
            self.deadline = deadline
            self.status = status
        }

        private enum CodingKeys: CodingKey { case id, title, description, deadline, status }
    }

    /// The assignment of an employee to a task. Assumed: the document names it without its members.
    public struct TaskAssignment: Codable, Hashable, Identifiable, Sendable {
        /// The assignment's id.
        public var id: Int
        /// The task's id.
        public var taskID: Int
        /// The employee's id.
        public var employeeID: Int

        /// Creates a task assignment.
        ///
        /// - Parameters:
        ///   - id: The assignment's id.
        ///   - taskID: The task's id.
        ///   - employeeID: The employee's id.
        public init(id: Int, taskID: Int, employeeID: Int) {
            self.id = id
            self.taskID = taskID
            self.employeeID = employeeID
        }

        private enum CodingKeys: String, CodingKey {
            case id
            case taskID = "taskId"
            case employeeID = "employeeId"
        }
    }

    /// An event in the history of a project. Assumed: the document names it without its members.
    public struct TimelineEvent: Codable, Hashable, Identifiable, Sendable {
        /// The event's id.
        public var id: Int
        /// The title.
        public var title: String
        /// The time.
        public var date: Date

        /// Creates a timeline event.
        ///
        /// - Parameters:
        ///   - id: The event's id.
        ///   - title: The title.
        ///   - date: The time.
        public init(id: Int, title: String, date: Date) {
            self.id = id
            self.title = title
            self.date = date
        }

        private enum CodingKeys: CodingKey { case id, title, date }
    }

    /// A project with its tasks, assignments, customer and history.
    public struct ProjectDetailResponse: Codable, Hashable, Sendable {
        /// The project.
        public var project: Project
        /// The tasks.
        public var tasks: [ProjectTask]
        /// The assignments.
        public var assignments: [TaskAssignment]
        /// The customer.
        public var customer: Customer
        /// The history.
        public var timeline: [TimelineEvent]

        /// Creates a project detail response.
        ///
        /// - Parameters:
        ///   - project: The project.
        ///   - tasks: The tasks.
        ///   - assignments: The assignments.
        ///   - customer: The customer.
        ///   - timeline: The history.
        public init(
            project: Project, tasks: [ProjectTask], assignments: [TaskAssignment], customer: Customer,
            timeline: [TimelineEvent]
        ) {
            self.project = project
            self.tasks = tasks
            self.assignments = assignments
            self.customer = customer
            self.timeline = timeline
        }

        private enum CodingKeys: CodingKey { case project, tasks, assignments, customer, timeline }
    }
}
