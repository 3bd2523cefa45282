/// A task that is measured.
public struct Job {
    /// Does the task once.
    public typealias Task = () throws -> Void

    /// The unit of the input's size, for a rate.
    public enum Unit: Sendable {
        /// Pixels of the source.
        case pixels
        /// Bytes of the source.
        case bytes
        /// Files.
        case files
    }

    /// The measured area, such as `Decode`.
    public let area: String
    /// The operation and its input, such as `jpeg(420 baseline)`.
    public let variant: String
    /// The size of the input.
    public let amount: (count: Int, unit: Unit)
    /// Makes the input, which may take seconds. Returns the task, and its floor if there is one.
    public let make: () throws -> (task: Task, floor: Task?)

    /// The name in the framework.
    public var name: String { "\(area).\(variant)" }
    /// The name of its floor.
    public var floorName: String { "\(area).floor.\(variant)" }

    init(
        area: String, variant: String, count: Int, unit: Unit,
        make: @escaping () throws -> (task: Task, floor: Task?)
    ) {
        self.area = area
        self.variant = variant
        amount = (count, unit)
        self.make = make
    }

    /// All jobs that have a floor, by area.
    public static func allWithFloor() -> [[Job]] {
        [DecodeJobs.all(), EncodeJobs.all(), PrepareJobs.all(), ProbeJobs.all(), MultipartJobs.all()]
    }
}
