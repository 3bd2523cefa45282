internal import Batch

/// A measure of images that the report shows.
enum ReportMeasure: CaseIterable {
    case sharpness, mean, percentile5, percentile95, clippedLow, clippedHigh, contrast, noise, blocking, glare,
        colorCast, detail, fieldOfViewShare, shorterSide

    /// The name on the page.
    var title: String {
        switch self {
        case .sharpness: "Sharpness"
        case .mean: "Brightness"
        case .percentile5: "5th percentile"
        case .percentile95: "95th percentile"
        case .clippedLow: "Black"
        case .clippedHigh: "White"
        case .contrast: "Contrast"
        case .noise: "Noise"
        case .blocking: "Blocking"
        case .glare: "Glare"
        case .colorCast: "Color cast"
        case .detail: "Detail"
        case .fieldOfViewShare: "Field of view"
        case .shorterSide: "Shorter side"
        }
    }

    /// The upper end of the histogram. Higher values count in its last bar.
    var maxShownValue: Double {
        switch self {
        case .mean, .percentile5, .percentile95: 255
        case .noise: 16
        case .blocking: 5
        case .clippedLow, .clippedHigh, .glare: 0.25
        case .colorCast: 64
        case .shorterSide: 4000
        case .sharpness, .contrast, .detail, .fieldOfViewShare: 1
        }
    }

    /// Returns the measure, limited to a range that formats cannot overflow, because a manifest may come from anyone.
    ///
    /// - Parameters:
    ///   - measures: The measures of an image.
    ///   - image: The members of the same image.
    /// - Returns: `nil` for the color cast of a grayscale image.
    func value(in measures: ManifestImageMeasures, of image: ManifestEntry.Image) -> Double? {
        let value: Double? =
            switch self {
            case .sharpness: measures.sharpness
            case .mean: measures.mean
            case .percentile5: measures.percentile5
            case .percentile95: measures.percentile95
            case .clippedLow: measures.clippedLow
            case .clippedHigh: measures.clippedHigh
            case .contrast: measures.contrast
            case .noise: measures.noise
            case .blocking: measures.blocking
            case .glare: measures.glare
            case .colorCast: measures.colorCast
            case .detail: measures.detail
            case .fieldOfViewShare: measures.fieldOfViewShare
            case .shorterSide: Double(min(image.sourceWidth, image.sourceHeight))
            }
        return value.map { min(max($0, 0), 1_000_000) }
    }
}

/// The distribution of a measure over the images of a report.
struct MeasureDistribution {
    static let barCount = 20

    let measure: ReportMeasure
    private(set) var counts = [Int](repeating: 0, count: barCount)
    private(set) var smallest = Double.infinity, largest = 0.0

    init(_ measure: ReportMeasure) { self.measure = measure }

    var isEmpty: Bool { smallest > largest }

    mutating func add(_ value: Double) {
        let bar = Int(value / measure.maxShownValue * Double(Self.barCount))
        counts[min(max(bar, 0), Self.barCount - 1)] += 1
        smallest = min(smallest, value)
        largest = max(largest, value)
    }
}
