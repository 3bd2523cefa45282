public import ArgumentParser
public import ImageCodecs
public import Imaging
public import MediaPrep

/// The options for the preparation of images. They mean the same in every subcommand.
struct ImageArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Maximum length of the longer side in pixels, or none to keep the size.", valueName: "pixels|none"))
    var maxDimension = DimensionLimitArgument(pixels: 1600)

    @Option(
        help: ArgumentHelp(
            "JPEG quality, 1 to 100, or auto for the lowest that reaches --target. A JPEG of lower quality keeps its "
                + "own, unless it is reduced by 1.5 or more.",
            valueName: "q|auto"))
    var quality = QualityArgument.fixed(80)

    @Option(
        help: ArgumentHelp(
            "With --quality auto, the estimated score of SSIMULACRA2 to reach, 30 to 95. Default: 75.",
            valueName: "score"))
    var target: Int?

    @Option(help: "Maximum chroma resolution. auto: 420, but 444 for colored graphics. Chroma is never enlarged.")
    var chroma = ImageOptions.ChromaFormat.automatic

    @Option(
        help: ArgumentHelp(
            "Colors of images with a color profile: converted to sRGB, or kept with their profile."))
    var color = ImageOptions.ColorHandling.srgb

    @Option(help: "Resampling filter.")
    var filter = ResampleFilter.lanczos3

    @Option(
        help: ArgumentHelp(
            "Maximum size of an output in bytes. An image that cannot meet it is rejected.", valueName: "n"))
    var maxBytes: Int?

    @Option(
        help: ArgumentHelp(
            "Lowest quality to try, to meet --max-bytes or not to exceed the input. A JPEG of lower quality may "
                + "keep its own. Default: 50, or --quality if that is lower.",
            valueName: "q"))
    var minQuality: Int?

    @Option(
        help: ArgumentHelp(
            "Minimum savings in per cent. A JPEG within the limits is encoded again only if that saves as much.",
            valueName: "percent"))
    var minSavings = 10

    @Flag(help: "Write progressive JPEGs: smaller and slower.")
    var progressive = false

    @Option(help: ArgumentHelp("Encoder that writes JPEGs, for comparisons.", visibility: .hidden))
    var encoder = EncoderPreference.compact

    @Option(help: ArgumentHelp("Background color of transparent images.", valueName: "#rrggbb"))
    var background = RGBColor.white

    @Option(
        help: ArgumentHelp(
            "Whether HEIC and AVIF are decoded in a process of their own, without network and with limits on memory "
                + "and time. auto: if the system supports it (Linux).", valueName: "when"))
    var isolate = IsolationMode.auto

    @Flag(help: "Accept truncated files, with the part that is there.")
    var allowTruncated = false

    @Flag(help: "Accept damaged files, as far as they can be decoded.")
    var allowDamaged = false

    /// The score that `--quality auto` reaches by default: a high quality, about that of 80 on photos.
    private static let defaultTarget = 75

    mutating func validate() throws {
        if case .fixed = quality, target != nil { throw ValidationError("--target requires --quality auto.") }
        do throws(MediaError) {
            try imageOptions.validate()
        } catch {
            throw ValidationError("--\(error.message).")
        }
        if case .fixed(let quality) = quality, let minQuality, minQuality > quality {
            throw ValidationError("--min-quality is invalid: \(minQuality) (at most --quality, which is \(quality)).")
        }
    }

    /// The options for the library.
    var imageOptions: ImageOptions {
        var options =
            switch quality {
            case .fixed(let quality): ImageOptions(maxDimension: maxDimension.pixels, quality: quality)
            case .automatic:
                ImageOptions(maxDimension: maxDimension.pixels, targetScore: target ?? Self.defaultTarget)
            }
        options.chroma = chroma
        options.color = color
        options.filter = filter
        options.maxBytes = maxBytes
        if let minQuality { options.minQuality = minQuality }
        options.minSavings = minSavings
        options.isProgressive = progressive
        options.encoder = encoder
        options.background = background
        options.isolation = isolate.decoderIsolation
        options.allowsTruncated = allowTruncated
        options.allowsDamaged = allowDamaged
        return options
    }
}

/// A largest dimension in pixels, or `none`. The options of images check its range.
struct DimensionLimitArgument: ExpressibleByArgument, CustomStringConvertible {
    var pixels: Int?

    init(pixels: Int?) { self.pixels = pixels }

    init?(argument: String) {
        if argument == "none" { return }
        guard let pixels = Int(argument) else { return nil }
        self.pixels = pixels
    }

    var description: String { pixels.map(String.init) ?? "none" }
}

extension ImageOptions.ChromaFormat: ExpressibleByArgument {}

extension ImageOptions.ColorHandling: ExpressibleByArgument {}

extension EncoderPreference: ExpressibleByArgument {}

extension ResampleFilter: ExpressibleByArgument {}

extension RGBColor: ExpressibleByArgument {
    /// Creates the color written as `#rrggbb`, or returns `nil` if `argument` is not such a color.
    ///
    /// - Parameter argument: The argument's text.
    public init?(argument: String) { self.init(hex: argument) }

    /// The color as `#rrggbb`.
    public var defaultValueDescription: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
