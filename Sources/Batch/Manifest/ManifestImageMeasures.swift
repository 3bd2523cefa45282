internal import Imaging
internal import MediaPrep

/// The `measures` member of an image's fields. Shares and places are parts of 1.
package struct ManifestImageMeasures: Codable, Sendable {
    /// A rectangle of the upright image, in parts of its width and height.
    package struct Region: Codable, Sendable {
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double

        init(_ region: ImageRegion) {
            x = region.x.rounded(toDecimals: 4)
            y = region.y.rounded(toDecimals: 4)
            width = region.width.rounded(toDecimals: 4)
            height = region.height.rounded(toDecimals: 4)
        }
    }

    package var sharpness: Double
    package var mean: Double
    package var percentile5: Double
    package var percentile95: Double
    package var clippedLow: Double
    package var clippedHigh: Double
    package var glare: Double
    package var contrast: Double
    package var noise: Double
    package var blocking: Double
    package var colorCast: Double?
    package var detail: Double
    /// The share of the image that is field of view.
    package var fieldOfViewShare: Double
    package var fieldOfView: Region?
    package var sharpest: Region?
    package var largestGlare: Region?

    enum CodingKeys: String, CodingKey {
        case sharpness, mean, glare, contrast, noise, blocking, detail, sharpest
        case percentile5 = "p05"
        case percentile95 = "p95"
        case clippedLow = "clipped_low"
        case clippedHigh = "clipped_high"
        case colorCast = "color_cast"
        case fieldOfView = "field_of_view"
        case fieldOfViewShare = "field_of_view_share"
        case largestGlare = "largest_glare"
    }

    init(_ measures: ImageMeasures) {
        sharpness = measures.sharpness.rounded(toDecimals: 4)
        mean = measures.mean.rounded(toDecimals: 4)
        percentile5 = measures.percentile5.rounded(toDecimals: 4)
        percentile95 = measures.percentile95.rounded(toDecimals: 4)
        clippedLow = measures.clippedLow.rounded(toDecimals: 4)
        clippedHigh = measures.clippedHigh.rounded(toDecimals: 4)
        glare = measures.glare.rounded(toDecimals: 4)
        contrast = measures.contrast.rounded(toDecimals: 4)
        noise = measures.noise.rounded(toDecimals: 4)
        blocking = measures.blocking.rounded(toDecimals: 4)
        colorCast = measures.colorCast?.rounded(toDecimals: 4)
        detail = measures.detail.rounded(toDecimals: 4)
        fieldOfViewShare = measures.fieldOfViewShare.rounded(toDecimals: 4)
        fieldOfView = measures.fieldOfView.map(Region.init)
        sharpest = measures.sharpestRegion.map(Region.init)
        largestGlare = measures.largestGlareRegion.map(Region.init)
    }

    package func encode(to encoder: any Encoder) throws {
        var facts = encoder.container(keyedBy: CodingKeys.self)
        try facts.encode(sharpness, forKey: .sharpness)
        try facts.encode(mean, forKey: .mean)
        try facts.encode(percentile5, forKey: .percentile5)
        try facts.encode(percentile95, forKey: .percentile95)
        try facts.encode(clippedLow, forKey: .clippedLow)
        try facts.encode(clippedHigh, forKey: .clippedHigh)
        try facts.encode(glare, forKey: .glare)
        try facts.encode(contrast, forKey: .contrast)
        try facts.encode(noise, forKey: .noise)
        try facts.encode(blocking, forKey: .blocking)
        try facts.encode(colorCast, forKey: .colorCast)
        try facts.encode(detail, forKey: .detail)
        try facts.encode(fieldOfViewShare, forKey: .fieldOfViewShare)
        try facts.encode(fieldOfView, forKey: .fieldOfView)
        try facts.encode(sharpest, forKey: .sharpest)
        try facts.encode(largestGlare, forKey: .largestGlare)
    }
}
