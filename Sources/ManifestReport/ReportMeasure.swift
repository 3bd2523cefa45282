internal import Batch

/// A measure of images that the report shows.
enum ReportMeasure: CaseIterable {
    case sharpness, mean, contrast, noise, blocking, glare, detail, fieldOfViewShare

    /// The name on the page.
    var title: String {
        switch self {
        case .sharpness: "Sharpness"
        case .mean: "Brightness"
        case .contrast: "Contrast"
        case .noise: "Noise"
        case .blocking: "Blocking"
        case .glare: "Glare"
        case .detail: "Detail"
        case .fieldOfViewShare: "Field of view"
        }
    }

    /// The upper end of the histogram. Higher values count in its last bar.
    var maxShownValue: Double {
        switch self {
        case .mean: 255
        case .noise: 16
        case .blocking: 5
        case .glare: 0.25
        case .sharpness, .contrast, .detail, .fieldOfViewShare: 1
        }
    }

    /// Returns the measure, limited to a range that formats cannot overflow. A manifest may come from anyone.
    func value(in measures: ManifestImageMeasures) -> Double {
        let value =
            switch self {
            case .sharpness: measures.sharpness
            case .mean: measures.mean
            case .contrast: measures.contrast
            case .noise: measures.noise
            case .blocking: measures.blocking
            case .glare: measures.glare
            case .detail: measures.detail
            case .fieldOfViewShare: measures.fieldOfViewShare
            }
        return min(max(value, 0), 1000)
    }
}

/// The distribution of a measure over the images of a report.
struct MeasureDistribution {
    static let barCount = 20

    let measure: ReportMeasure
    private(set) var counts = [Int](repeating: 0, count: barCount)
    private(set) var smallest = Double.infinity, largest = 0.0

    init(_ measure: ReportMeasure) { self.measure = measure }

    mutating func add(_ value: Double) {
        let bar = Int(value / measure.maxShownValue * Double(Self.barCount))
        counts[min(max(bar, 0), Self.barCount - 1)] += 1
        smallest = min(smallest, value)
        largest = max(largest, value)
    }
}
