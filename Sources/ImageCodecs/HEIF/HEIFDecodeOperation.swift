internal import Diagnostics
internal import Imaging

/// Decodes the primary image of a HEIF or AVIF file.
struct HEIFDecodeOperation {
    private let file: HEIFFile
    private let options: ImageSource.DecodingOptions

    init(file: HEIFFile, options: ImageSource.DecodingOptions) {
        self.file = file
        self.options = options
    }

    func decode(resampling: ResampleRequest) throws(CodecError) -> ImageSource.DecodedImage {
        // Before a picture is decoded, if the container states the colors.
        _ = try file.colors?.supportedEncoding()
        var decoder = try HEIFPlaneDecoder(file, background: options.background)
        let image = try resampling.resampleImage(from: &decoder)
        var warnings = file.header.warnings
        let profile = iccProfile(warnings: &warnings)
        return ImageSource.DecodedImage(
            image: image, iccProfile: profile, estimatedSourceQuality: nil, hasCompactTables: false,
            canStripLosslessly: false, imageDataByteCount: file.imageDataByteCount, warnings: warnings,
            codedColorSpace: profile == nil ? decoder.colors.codedColorSpace : nil)
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
