#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension KSRCranesClient {
    /// A task of a worker. The keys are the names of the properties, except `task_id`.
    public struct WorkerTask: Codable, Hashable, Identifiable, Sendable {
        /// The assignment's id.
        public var id: Int
        /// The task's id.
        public var taskID: Int
        /// The title; may be empty.
        public var title: String
        /// A description; `nil` if there is none.
        public var description: String?
        /// The deadline; `nil` if there is none.
        public var deadline: Date?
        /// The state.
        public var status: TaskStatus

        /// Creates a worker task.
        ///
        /// - Parameters:
        ///   - id: The assignment's id.
        ///   - taskID: The task's id.
        ///   - title: The title; may be empty.
        ///   - description: A description; `nil` if there is none.
        ///   - deadline: The deadline; `nil` if there is none.
        ///   - status: The state.
        public init(
            id: Int, taskID: Int, title: String, description: String? = nil, deadline: Date? = nil,
            status: TaskStatus
        ) {
            self.id = id
            self.taskID = taskID
            self.title = title
            self.description = description
            self.deadline = deadline
            self.status = status
        }

        private enum CodingKeys: String, CodingKey {
            case id, title, description, deadline, status
            case taskID = "task_id"
        }

        /// The title, or a placeholder if it is empty.
        public var displayTitle: String { title.isEmpty ? "Untitled Task" : title }
    }

    /// The state of a task. Assumed: the document names it without its values.
    public struct TaskStatus: RawRepresentable, CaseIterable, Codable, Hashable, Sendable {
        /// The text in JSON. Values that are not listed here are kept.
        public var rawValue: String

        /// Creates a value from its text in JSON.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The task is not begun.
        public static let open = TaskStatus(rawValue: "OPEN")
        /// The task is being done.
        public static let inProgress = TaskStatus(rawValue: "IN_PROGRESS")
        /// The task is done.
        public static let completed = TaskStatus(rawValue: "COMPLETED")
        /// The task is not to be done.
        public static let cancelled = TaskStatus(rawValue: "CANCELLED")

        /// The known values.
        public static let allCases: [TaskStatus] = [.open, .inProgress, .completed, .cancelled]
    }

    /// A task with its circumstances. Assumed: the document names it without its members.
    public struct WorkerTaskDetail: Codable, Hashable, Sendable {
        /// The task.
        public var task: WorkerTask
        /// The project; `nil` if there is none.
        public var project: Project?
        /// Who works on it.
        public var assignments: [TaskAssignment]

        /// Creates a worker task detail.
        ///
        /// - Parameters:
        ///   - task: The task.
        ///   - project: The project; `nil` if there is none.
        ///   - assignments: Who works on it.
        public init(task: WorkerTask, project: Project? = nil, assignments: [TaskAssignment] = []) {
            self.task = task
            self.project = project
            self.assignments = assignments
        }

        private enum CodingKeys: CodingKey { case task, project, assignments }
    }
}
