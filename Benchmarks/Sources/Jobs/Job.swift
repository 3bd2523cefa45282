/// Something to be measured.
public struct Job {
    /// What is done once.
    public typealias Task = () throws -> Void

    /// Of what there is so much in the input, for a rate.
    public enum Unit: Sendable {
        /// Pixels of the source.
        case pixels
        /// Bytes of the source.
        case bytes
        /// Files.
        case files
    }

    /// What is measured, such as `Decode`.
    public let area: String
    /// What is done with which input, such as `jpeg(420 baseline)`.
    public let variant: String
    /// How much is in the input.
    public let amount: (count: Int, unit: Unit)
    /// Makes the input, which may take seconds, and gives what is done with it; and the least that this could take,
    /// where there is such a floor.
    public let make: () throws -> (task: Task, floor: Task?)

    /// As the framework shows it.
    public var name: String { "\(area).\(variant)" }
    /// The same of its floor.
    public var floorName: String { "\(area).floor.\(variant)" }

    init(
        _ area: String, _ variant: String, _ count: Int, _ unit: Unit,
        make: @escaping () throws -> (task: Task, floor: Task?)
    ) {
        self.area = area
        self.variant = variant
        amount = (count, unit)
        self.make = make
    }

    /// Everything that has a floor, area by area.
    public static func allWithFloor() -> [[Job]] {
        [DecodeJobs.all(), EncodeJobs.all(), PrepareJobs.all(), ProbeJobs.all(), MultipartJobs.all()]
    }
}
