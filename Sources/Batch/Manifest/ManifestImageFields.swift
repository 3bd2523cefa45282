internal import ImageCodecs
internal import Imaging
internal import MediaPrep

/// The `image` member of a manifest line.
package struct ManifestImageFields: Encodable {
    /// The width and height of the upright output in pixels, or of the output that an inspected image would have.
    package var width: Int
    package var height: Int
    package var sourceWidth: Int
    package var sourceHeight: Int
    package var orientation: Int
    var quality: Int?
    /// The estimated score, or `nil` if the quality was not chosen by it.
    var estimatedScore: Double?
    var chroma: String?
    /// Whether the output contains an ICC profile, or `nil` if the image was only inspected.
    var icc: Bool?
    /// The source's color space, or `nil` if it describes none, or the image was only inspected.
    var color: ManifestColorFields?
    /// The measures, or `nil` if the image was not decoded.
    package var measures: ManifestImageMeasures?

    enum CodingKeys: String, CodingKey {
        case width, height, orientation, quality, chroma, icc, color, measures
        case sourceWidth = "source_width"
        case sourceHeight = "source_height"
        case estimatedScore = "estimated_score"
    }

    init(_ image: PreparedImage) {
        self.init(image.sourceProbe, width: image.width, height: image.height)
        quality = image.quality
        estimatedScore = image.estimatedScore
        chroma = image.chromaSubsampling.map(\.notation)
        icc = image.hasColorProfile
        color = image.sourceColor.map(ManifestColorFields.init)
        measures = ManifestImageMeasures(image.measures)
    }

    init(_ probe: ImageProbeResult, measures: ImageMeasures? = nil) {
        self.init(probe, width: probe.preparedSize.width, height: probe.preparedSize.height)
        self.measures = measures.map(ManifestImageMeasures.init)
    }

    private init(_ probe: ImageProbeResult, width: Int, height: Int) {
        self.width = width
        self.height = height
        sourceWidth = probe.storedSize.width
        sourceHeight = probe.storedSize.height
        orientation = probe.orientation.rawValue
    }

    package func encode(to encoder: any Encoder) throws {
        var facts = encoder.container(keyedBy: CodingKeys.self)
        try facts.encode(width, forKey: .width)
        try facts.encode(height, forKey: .height)
        try facts.encode(sourceWidth, forKey: .sourceWidth)
        try facts.encode(sourceHeight, forKey: .sourceHeight)
        try facts.encode(orientation, forKey: .orientation)
        try facts.encode(quality, forKey: .quality)
        try facts.encode(estimatedScore, forKey: .estimatedScore)
        try facts.encode(chroma, forKey: .chroma)
        try facts.encode(icc, forKey: .icc)
        try facts.encode(color, forKey: .color)
        try facts.encodeIfPresent(measures, forKey: .measures)
    }
}

/// The `color` member of an image's fields.
struct ManifestColorFields: Encodable {
    /// The name of the source's color profile, or `nil` if it has none.
    var profile: String?
    /// Whether the colors were converted to sRGB.
    var converted: Bool

    private enum CodingKeys: CodingKey { case profile, converted }

    init(_ color: ImageColor) {
        profile = color.profileName
        converted = color.isConverted
    }

    func encode(to encoder: any Encoder) throws {
        var facts = encoder.container(keyedBy: CodingKeys.self)
        try facts.encode(profile, forKey: .profile)
        try facts.encode(converted, forKey: .converted)
    }
}
