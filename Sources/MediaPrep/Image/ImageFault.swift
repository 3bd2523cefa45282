internal import Imaging

/// A fault of an image that a policy can limit. Its raw value is the reason code.
public enum ImageFault: String, CaseIterable, Codable, Sendable {
    /// The sharpest parts are blurred: `ImageMeasures.sharpness` is low.
    case tooBlurred = "too-blurred"
    /// The field of view is dark: `ImageMeasures.mean` is low.
    case tooDark = "too-dark"
    /// The field of view is bright: `ImageMeasures.mean` is high.
    case tooBright = "too-bright"
    /// Reflections hide too much of the field of view: `ImageMeasures.glare` is high.
    case glare
    /// The field of view is flat: `ImageMeasures.contrast` is low.
    case lowContrast = "low-contrast"
    /// The image is noisy: `ImageMeasures.noise` is high.
    case tooNoisy = "too-noisy"
    /// JPEG's blocks can be seen: `ImageMeasures.blocking` is high.
    case tooCompressed = "too-compressed"
    /// The source is small: `ImageMeasures.shorterSide` is low.
    case tooSmall = "too-small"
    /// The source was enlarged: `ImageMeasures.detail` is low.
    case upscaled
    /// There is no field of view, or a small one: `ImageMeasures.fieldOfViewShare` is low.
    case noFieldOfView = "no-field-of-view"

    /// Returns the measure that shows this fault.
    func value(in measures: ImageMeasures) -> Double {
        switch self {
        case .tooBlurred: measures.sharpness
        case .tooDark, .tooBright: measures.mean
        case .glare: measures.glare
        case .lowContrast: measures.contrast
        case .tooNoisy: measures.noise
        case .tooCompressed: measures.blocking
        case .tooSmall: Double(measures.shorterSide)
        case .upscaled: measures.detail
        case .noFieldOfView: measures.fieldOfViewShare
        }
    }

    /// Whether the limit is the lowest value that is allowed, instead of the highest.
    package var isMinimum: Bool {
        switch self {
        case .tooBlurred, .tooDark, .lowContrast, .tooSmall, .upscaled, .noFieldOfView: true
        case .tooBright, .glare, .tooNoisy, .tooCompressed: false
        }
    }

    /// The limits that a rule can have.
    var limits: ClosedRange<Double> {
        switch self {
        case .tooBlurred, .glare, .lowContrast, .upscaled, .noFieldOfView: 0...1
        case .tooDark, .tooBright, .tooNoisy, .tooCompressed: 0...255
        case .tooSmall: 0...65_535
        }
    }

    /// The subject of a message.
    var measureName: String {
        switch self {
        case .tooBlurred: "the sharpness"
        case .tooDark, .tooBright: "the mean brightness"
        case .glare: "the share of glare"
        case .lowContrast: "the contrast"
        case .tooNoisy: "the noise"
        case .tooCompressed: "the blocking by compression"
        case .tooSmall: "the shorter side in pixels"
        case .upscaled: "the share of real resolution"
        case .noFieldOfView: "the share of the field of view"
        }
    }
}
