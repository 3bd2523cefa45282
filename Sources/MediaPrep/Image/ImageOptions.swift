public import ImageCodecs
public import Imaging

/// How images are prepared. The values are those of the command's options of the same names.
public struct ImageOptions: Hashable, Encodable, Sendable {
    /// How much of the chroma detail to keep at most. Chroma is never enlarged, so less is kept where there is less.
    public enum ChromaFormat: String, CaseIterable, Encodable, Sendable {
        /// A sample for 2 by 2 pixels.
        case yuv420 = "420"
        /// A sample for 2 by 1 pixels.
        case yuv422 = "422"
        /// A sample for each pixel.
        case yuv444 = "444"

        var subsampling: ChromaSubsampling {
            switch self {
            case .yuv420: ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2)
            case .yuv422: ChromaSubsampling(horizontalFactor: 2, verticalFactor: 1)
            case .yuv444: .none
            }
        }
    }

    /// Pixels that the longer side may have, 1 to 65,500; nil keeps the size. Nothing is ever enlarged.
    public var maxDimension: Int?
    /// JPEG quality, 1 to 100. A JPEG of lower quality keeps its own, unless its longer side is reduced by a factor of
    /// 1.5 or more.
    public var quality: Int
    /// How much chroma detail to keep at most.
    public var chroma = ChromaFormat.yuv420
    /// The kernel to resize with.
    public var filter = ResampleFilter.lanczos3
    /// Bytes that the result may have; nil for any number.
    public var maxBytes: Int?
    /// The lowest quality, 1 to 100, that may be used to meet `maxBytes`, or not to exceed the input. For a JPEG of
    /// lower quality, that is its own.
    public var minQuality = 50
    /// Per cent of its bytes, 0 to 100, that encoding an already fitting JPEG again must save to be worth the loss.
    public var minSavings = 10
    /// Whether to write progressive JPEGs with optimised Huffman tables: smaller and slower.
    public var isProgressive = false
    /// What shows where a picture is transparent.
    public var background = RGBColor.white
    /// Whether to take what is there of a file that ends early.
    public var allowsTruncated = false
    /// Whether to take what can be made of damaged data.
    public var allowsDamaged = false
    /// What an input may ask for.
    public var limits = ImageLimits()

    /// The defaults, but for the size and the quality.
    public init(maxDimension: Int? = 1600, quality: Int = 80) {
        self.maxDimension = maxDimension
        self.quality = quality
    }

    /// - Throws: `invalid-options`, for the first value that is out of its range.
    package func validate() throws(MediaError) {
        let ranges: [(String, Int?, ClosedRange<Int>)] = [
            ("max-dimension", maxDimension, 1...65_500), ("quality", quality, 1...100),
            ("min-quality", minQuality, 1...100), ("min-savings", minSavings, 0...100),
            ("max-bytes", maxBytes, 1...Int.max),
        ]
        for (name, value, range) in ranges {
            if let value, !range.contains(value) {
                throw MediaError(
                    .invalidOptions, verdict: .failed, stage: .options,
                    message: "\(name) is \(value), not \(range.lowerBound) to \(range.upperBound)")
            }
        }
    }

    var decodingOptions: ImageSource.DecodingOptions {
        var options = ImageSource.DecodingOptions()
        options.allowsTruncated = allowsTruncated
        options.allowsDamaged = allowsDamaged
        options.background = background
        return options
    }
}
