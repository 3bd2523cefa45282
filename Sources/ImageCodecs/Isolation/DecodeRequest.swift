internal import Imaging

/// What a worker is to do with a file, besides the file itself.
struct DecodeRequest {
    var fileByteCount: Int
    var resampling: ResampleRequest
    var background: RGBColor
    /// Whether high dynamic range is converted.
    var convertsToSRGB: Bool
    var limits: ImageLimits

    /// The limits in the order in which they are sent.
    static let limitKeyPaths: [any WritableKeyPath<ImageLimits, Int> & Sendable] = [
        \.inputBytes, \.pixels, \.dimension, \.scans, \.scanPixels, \.arithmeticBytes, \.iccBytes, \.decodedBytes,
        \.segments,
    ]

    /// The number of ``numbers``.
    static let numberCount = 13 + limitKeyPaths.count

    init(
        fileByteCount: Int, resampling: ResampleRequest, options: ImageSource.DecodingOptions, convertsToSRGB: Bool
    ) {
        self.fileByteCount = fileByteCount
        self.resampling = resampling
        background = options.background
        self.convertsToSRGB = convertsToSRGB
        limits = options.limits
    }

    /// The request as numbers.
    ///
    /// ``ResampleRequest/isForMeasuresOnly`` is left out: only JPEG decoders shrink planes, and they are not
    /// isolated.
    var numbers: [Int64] {
        let request = resampling, chroma = request.minChromaSubsampling
        let values = [
            fileByteCount, request.size.width, request.size.height, request.orientation.rawValue,
            chroma.horizontalFactor, chroma.verticalFactor,
            ResampleFilter.allCases.firstIndex(of: request.filter) ?? 0,
            InstructionSet.allCases.firstIndex(of: request.instructionSet) ?? 0,
            Int(background.red), Int(background.green), Int(background.blue), request.isMeasured ? 1 : 0,
            convertsToSRGB ? 1 : 0,
        ]
        return (values + Self.limitKeyPaths.map { limits[keyPath: $0] }).map(Int64.init)
    }

    /// Creates the request that `numbers` describe, or returns `nil` if they describe none.
    init?(numbers: [Int64]) {
        let values = numbers.map { Int(clamping: $0) }
        guard values.count == Self.numberCount, values[0] > 0, let orientation = Orientation(rawValue: values[3]),
            ResampleFilter.allCases.indices.contains(values[6]),
            InstructionSet.allCases.indices.contains(values[7])
        else { return nil }
        fileByteCount = values[0]
        resampling = ResampleRequest(
            size: PixelSize(width: values[1], height: values[2]), orientation: orientation,
            minChromaSubsampling: ChromaSubsampling(horizontalFactor: values[4], verticalFactor: values[5]),
            filter: ResampleFilter.allCases[values[6]], instructionSet: InstructionSet.allCases[values[7]])
        background = RGBColor(
            red: UInt8(clamping: values[8]), green: UInt8(clamping: values[9]), blue: UInt8(clamping: values[10]))
        resampling.isMeasured = values[11] != 0
        convertsToSRGB = values[12] != 0
        limits = ImageLimits()
        for (keyPath, value) in zip(Self.limitKeyPaths, values[13...]) { limits[keyPath: keyPath] = value }
    }
}
