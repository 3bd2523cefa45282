/// How far a run is, as a value.
public struct MediaProgress: Sendable {
    /// How many files there are to do; nil if that is not known.
    public var totalFiles: Int?
    /// How many bytes they have; nil if that is not known.
    public var totalBytes: Int?
    /// How many files are done.
    public private(set) var completedFiles = 0
    /// How many bytes they had.
    public private(set) var completedBytes = 0
    private let startTime: ContinuousClock.Instant

    /// Nothing is done yet.
    public init(totalFiles: Int? = nil, totalBytes: Int? = nil, startTime: ContinuousClock.Instant = .now) {
        self.totalFiles = totalFiles
        self.totalBytes = totalBytes
        self.startTime = startTime
    }

    /// One more input is done.
    public mutating func recordCompletion(of result: MediaResult) {
        recordCompletion(byteCount: result.inputByteCount ?? 0)
    }

    /// One more file is done, of so many bytes.
    public mutating func recordCompletion(byteCount count: Int) {
        completedFiles += 1
        completedBytes = completedBytes.addingSaturated(count)
    }

    /// Bytes and files a second, on the average since the start; zero where no time has passed.
    public func throughput(at now: ContinuousClock.Instant = .now) -> (bytes: Double, files: Double) {
        let seconds = (now - startTime) / .seconds(1)
        return seconds > 0 ? (Double(completedBytes) / seconds, Double(completedFiles) / seconds) : (0, 0)
    }

    /// How long the rest takes if it goes on like the average since the start: by bytes if their total is known, and by
    /// files if not.
    ///
    /// The average over the whole run moves little from one file to the next. Nil if no total is known; and in the
    /// first second or before a hundredth is done, when it would be a guess.
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
    /// The sum, or the largest number: a sparse file, or a manifest that somebody made up, may say that it has any
    /// size.
    package func addingSaturated(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
