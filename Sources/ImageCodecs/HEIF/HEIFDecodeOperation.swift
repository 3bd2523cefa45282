internal import Diagnostics
internal import Imaging

/// Decodes the primary image of a HEIF or AVIF file.
struct HEIFDecodeOperation {
    let file: HEIFFile
    let options: ImageSource.DecodingOptions
    /// Whether high dynamic range is converted.
    let convertsToSRGB: Bool

    func decode(resampling: ResampleRequest) throws(CodecError) -> ImageSource.DecodedImage {
        // Before a picture is decoded, if the container states the colors.
        _ = try file.colors?.supportedEncoding(bitDepth: file.image.configuration.bitDepth)
        _ = try file.colors?.highDynamicRangeSpace(statedPeak: file.maxLuminance)?
            .makeToneMapping(convertsToSRGB: convertsToSRGB)
        let (image, colors) = try decodePlanes(resampling: resampling)
        var warnings = file.header.warnings
        if let offset = file.motionVideoOffset { warnings.append(.motionVideoDropped(at: offset)) }
        let highDynamicRange = try colors.highDynamicRangeSpace(statedPeak: file.maxLuminance)
        if let highDynamicRange { warnings.append(.toneMapped(from: highDynamicRange)) }
        let profile = highDynamicRange == nil ? iccProfile(warnings: &warnings) : nil
        return ImageSource.DecodedImage(
            image: image, iccProfile: profile, estimatedSourceQuality: nil, hasCompactTables: false,
            canStripLosslessly: false, imageDataByteCount: file.imageDataByteCount, warnings: warnings,
            codedColorSpace: profile == nil ? colors.codedColorSpace : nil,
            convertedColorSpace: highDynamicRange.map { .init(name: $0.name) })
    }

    private func decodePlanes(
        resampling: ResampleRequest
    ) throws(CodecError) -> (image: PlanarImage, colors: HEIFColors) {
        #if !os(iOS)
            if let isolation = options.isolation,
                let isolated = try decodePlanes(in: isolation, resampling: resampling)
            {
                return isolated
            }
        #endif
        return try Self.decodePlanes(
            of: file, resampling: resampling, background: options.background, convertsToSRGB: convertsToSRGB)
    }

    /// Decodes and resamples the planes in this process.
    ///
    /// - Returns: The image, and the colors that the container and the decoded data state.
    static func decodePlanes(
        of file: HEIFFile, resampling: ResampleRequest, background: RGBColor, convertsToSRGB: Bool
    ) throws(CodecError) -> (image: PlanarImage, colors: HEIFColors) {
        var decoder = try HEIFPlaneDecoder(
            file, resampling: resampling, background: background, convertsToSRGB: convertsToSRGB)
        let image = try resampling.resampleImage(from: &decoder)
        return (image, decoder.colors)
    }

    private func iccProfile(warnings: inout [Diagnostic]) -> [UInt8]? {
        guard let range = file.iccProfileRange, !range.isEmpty else { return nil }
        if range.count <= options.limits.iccBytes { return Array(file.bytes[range]) }
        warnings.append(
            Diagnostic(
                .profileDropped, offset: range.lowerBound,
                message: "the color profile of \(range.count) bytes is too large"))
        return nil
    }
}
