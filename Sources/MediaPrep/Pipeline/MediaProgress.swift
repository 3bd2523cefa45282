/// The progress of a run: completed files and bytes, throughput, and an estimate of the remaining time.
public struct MediaProgress: Sendable {
    /// The total number of files; `nil` if it is not known.
    public var totalFiles: Int?
    /// The total number of bytes; `nil` if it is not known.
    public var totalBytes: Int?
    /// The number of completed files.
    public private(set) var completedFiles = 0
    /// The number of bytes of the completed files.
    public private(set) var completedBytes = 0
    private let startTime: ContinuousClock.Instant

    /// Creates a progress with nothing completed.
    ///
    /// - Parameters:
    ///   - totalFiles: The total number of files, if known.
    ///   - totalBytes: The total number of bytes, if known.
    ///   - startTime: The start of the run.
    public init(totalFiles: Int? = nil, totalBytes: Int? = nil, startTime: ContinuousClock.Instant = .now) {
        self.totalFiles = totalFiles
        self.totalBytes = totalBytes
        self.startTime = startTime
    }

    /// Adds a completed input.
    ///
    /// - Parameter result: The input's result.
    public mutating func recordCompletion(of result: MediaResult) {
        recordCompletion(byteCount: result.inputByteCount ?? 0)
    }

    /// Adds a completed file.
    ///
    /// - Parameter count: The file's size, in bytes.
    public mutating func recordCompletion(byteCount count: Int) {
        completedFiles += 1
        completedBytes = completedBytes.addingSaturated(count)
    }

    /// Returns the average throughput since the start, in bytes and files per second.
    ///
    /// - Parameter now: The current time.
    /// - Returns: The averages; zero if no time has passed.
    public func throughput(at now: ContinuousClock.Instant = .now) -> (bytes: Double, files: Double) {
        let seconds = (now - startTime) / .seconds(1)
        return seconds > 0 ? (Double(completedBytes) / seconds, Double(completedFiles) / seconds) : (0, 0)
    }

    /// Estimates the remaining time from the average throughput since the start.
    ///
    /// The estimate uses bytes if their total is known, otherwise files. The average over the whole run is steady from
    /// one file to the next.
    ///
    /// - Parameter now: The current time.
    /// - Returns: The remaining time, or `nil` if no total is known, in the first second, or before a hundredth is
    ///   completed.
    public func estimatedTimeRemaining(at now: ContinuousClock.Instant = .now) -> Duration? {
        guard let (completed, total) = completedAndTotal else { return nil }
        if completed >= total { return .zero }
        let elapsed = now - startTime
        guard elapsed >= .seconds(1), completed > 0, completed >= total / 100 else { return nil }
        return elapsed * ((total - completed) / completed)
    }

    private var completedAndTotal: (done: Double, total: Double)? {
        if let totalBytes, totalBytes > 0 { return (Double(completedBytes), Double(totalBytes)) }
        return totalFiles.map { (Double(completedFiles), Double($0)) }
    }
}

extension Int {
    /// Returns the sum, or `Int.max` if it overflows. The size of a sparse file, or in a forged manifest, can be any
    /// number.
    package func addingSaturated(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
