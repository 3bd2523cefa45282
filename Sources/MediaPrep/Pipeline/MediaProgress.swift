/// How far a run is, as a value.
public struct MediaProgress: Sendable {
    /// How many files there are to do; nil if that is not known.
    public var totalFiles: Int?
    /// How many bytes they have; nil if that is not known.
    public var totalBytes: Int?
    /// How many files are done.
    public private(set) var files = 0
    /// How many bytes they had.
    public private(set) var bytes = 0
    private let start: ContinuousClock.Instant

    /// Nothing is done yet.
    public init(totalFiles: Int? = nil, totalBytes: Int? = nil, start: ContinuousClock.Instant = .now) {
        self.totalFiles = totalFiles
        self.totalBytes = totalBytes
        self.start = start
    }

    /// One more input is done.
    public mutating func add(_ result: MediaResult) { add(bytes: result.byteCount ?? 0) }

    /// One more file is done, of so many bytes.
    public mutating func add(bytes count: Int) {
        files += 1
        bytes = bytes.clampedSum(count)
    }

    /// Bytes and files a second, on the average since the start; zero where no time has passed.
    public func throughput(at now: ContinuousClock.Instant = .now) -> (bytes: Double, files: Double) {
        let seconds = (now - start) / .seconds(1)
        return seconds > 0 ? (Double(bytes) / seconds, Double(files) / seconds) : (0, 0)
    }

    /// How long the rest takes if it goes on like the average since the start: by bytes if their total is known, and by
    /// files if not.
    ///
    /// The average over the whole run moves little from one file to the next. Nil if no total is known; and in the
    /// first second or before a hundredth is done, when it would be a guess.
    public func remaining(at now: ContinuousClock.Instant = .now) -> Duration? {
        guard let (done, total) = doneOfTotal else { return nil }
        if done >= total { return .zero }
        let elapsed = now - start
        guard elapsed >= .seconds(1), done > 0, done >= total / 100 else { return nil }
        return elapsed * ((total - done) / done)
    }

    private var doneOfTotal: (done: Double, total: Double)? {
        if let totalBytes, totalBytes > 0 { return (Double(bytes), Double(totalBytes)) }
        return totalFiles.map { (Double(files), Double($0)) }
    }
}

extension Int {
    /// The sum, or the largest number: a sparse file, or a manifest that somebody made up, may say that it has any size.
    package func clampedSum(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
