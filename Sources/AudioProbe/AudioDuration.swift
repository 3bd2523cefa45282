/// How long a recording lasts, and how we know.
public struct AudioDuration: Hashable, Sendable {
    /// Where a duration comes from.
    public enum Method: String, Sendable, Codable {
        /// The header states it, or states the size of sound whose every second takes as many bytes.
        case header
        /// A table of the container lists every packet, or its last page counts all before it.
        case index
        /// Every frame's header was read.
        case scan
        /// The sound was decoded to its end.
        case decode
        /// The header alone was looked at, or a size was divided by a bit rate.
        case estimate
    }

    /// Its length, in units of `1 / timescale` seconds.
    public var ticks: Int
    /// Ticks to the second: the sample rate, or the track's own unit. At least 1.
    public var timescale: Int
    /// Where it comes from.
    public var method: Method
    /// Seconds that it may be off by, either way; 0 if it is exact.
    public var errorBound: Double

    /// A duration of the parts given.
    ///
    /// - Precondition: `ticks` is not negative and `timescale` is positive.
    public init(ticks: Int, timescale: Int, method: Method, errorBound: Double = 0) {
        precondition(ticks >= 0 && timescale > 0)
        self.ticks = ticks
        self.timescale = timescale
        self.method = method
        self.errorBound = errorBound
    }

    /// Its length in seconds.
    public var seconds: Double { Double(ticks) / Double(timescale) }
    /// Whether it is what a player plays, to the sample.
    public var isExact: Bool { errorBound == 0 }

    /// Seconds of the longest recording that is believed: 68 years.
    static let maxSeconds = 0x1p31
}

extension AudioDuration {
    /// What a header or a last page says, unproven: the file may hold nothing of it, so that all of it is in doubt, and
    /// a second at least. Of 68 Matroska files from many programs 26 stated 50 ms more or less than their sound has.
    static func unverified(ticks: Int, timescale: Int) -> AudioDuration {
        AudioDuration(
            ticks: ticks, timescale: timescale, method: .estimate,
            errorBound: Double(max(ticks, timescale)) / Double(timescale))
    }
}

extension Double {
    /// So many seconds with three decimals, for sentences.
    var formattedAsSeconds: String {
        let milliseconds = Int(max(0, min((self * 1000).rounded(), 1e18)))
        let digits = String(milliseconds % 1000 + 1000).dropFirst()
        return "\(milliseconds / 1000).\(digits) seconds"
    }
}

extension Int {
    /// The product; nil if it doesn't fit.
    func multipliedIfNoOverflow(by other: Int) -> Int? {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? nil : product
    }

    /// The sum; nil if it doesn't fit.
    func addingIfNoOverflow(_ other: Int) -> Int? {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? nil : sum
    }
}
