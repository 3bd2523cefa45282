internal import ImageCodecs

/// Finds the lowest quality with an estimated score that reaches a target.
struct JPEGScoreSearch: ~Copyable {
    private var estimator: JPEGScoreEstimator
    /// The target, in hundredths.
    private let target: Int
    /// The error of the source. That of the encoding is added to it.
    private let sourceError: JPEGScoreEstimator.VisibleError
    /// The scores that were estimated.
    private var scoresByQuality: [Int: Int] = [:]

    /// The number of trials by interpolation. It usually takes three. The search then goes on by halves.
    private static let maxInterpolations = 4
    /// The change of the score, in hundredths, for a change of the quality by 1: less than in most photos.
    private static let usualSlope = 60

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - estimator: The estimator of the image.
    ///   - target: The score to reach, 1 to 100.
    ///   - sourceQuality: The quality of the JPEG that the image was decoded from, if its error is still in the image:
    ///     it is taken to be that of encoding the image at this quality.
    init(_ estimator: consuming JPEGScoreEstimator, target: Int, sourceQuality: Int?) {
        var estimator = estimator
        if let sourceQuality {
            sourceError = estimator.visibleError(quality: sourceQuality)
        } else {
            sourceError = .none
        }
        self.estimator = estimator
        self.target = 100 * target
    }

    /// Returns the estimated score at `quality`, in hundredths.
    mutating func scoreInHundredths(quality: Int) -> Int {
        if let known = scoresByQuality[quality] { return known }
        let score = (estimator.visibleError(quality: quality) + sourceError).scoreInHundredths
        scoresByQuality[quality] = score
        return score
    }

    /// Returns the lowest quality with a score that reaches the target, or `maximum` if no lower quality reaches it.
    ///
    /// The score may decrease a little where the quality increases. Then it is a quality that reaches the target while
    /// the next lower one does not.
    ///
    /// - Parameter maximum: The highest quality, 1 to 100.
    /// - Complexity: At most 11 estimates, usually three or four.
    mutating func lowestQuality(upTo maximum: Int) -> Int {
        var tooLow = 0, sufficient = maximum
        var last: (quality: Int, score: Int)?
        // On photos, scores and qualities are not far from each other.
        var guess = target / 100
        var trialCount = 0
        while sufficient - tooLow > 1 {
            let quality = min(max(guess, tooLow + 1), sufficient - 1)
            let score = scoreInHundredths(quality: quality)
            if score >= target { sufficient = quality } else { tooLow = quality }
            trialCount += 1
            guess =
                trialCount < Self.maxInterpolations
                ? Self.interpolate(quality: quality, score: score, last: last, target: target)
                : (tooLow + sufficient) / 2
            last = (quality, score)
        }
        return sufficient
    }

    /// Returns the quality at which the line through two trials reaches `target`, or the usual line through one.
    private static func interpolate(
        quality: Int, score: Int, last: (quality: Int, score: Int)?, target: Int
    ) -> Int {
        var (run, rise) = (1, usualSlope)
        if let last, last.quality != quality, (last.score - score).signum() == (last.quality - quality).signum() {
            (run, rise) = (abs(last.quality - quality), abs(last.score - score))
        }
        // Rounded up, so that the result more often reaches the target, with the next lower quality as the last trial.
        let product = (target - score) * run
        return quality + (product >= 0 ? (product + rise - 1) / rise : -(-product / rise))
    }
}
