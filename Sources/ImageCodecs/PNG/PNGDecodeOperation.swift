internal import Diagnostics
internal import Imaging

/// Decodes a PNG file, and turns its anomalies into an error or warnings.
struct PNGDecodeOperation {
    private let file: PNGFile
    private let options: ImageSource.DecodingOptions
    private let decoders: DecoderPreference
    /// Whether high dynamic range is converted.
    private let convertsToSRGB: Bool

    init(
        file: PNGFile, options: ImageSource.DecodingOptions, decoders: DecoderPreference, convertsToSRGB: Bool
    ) {
        self.convertsToSRGB = convertsToSRGB
        self.file = file
        self.options = options
        self.decoders = decoders
    }

    func decode(resampling: ResampleRequest) throws(CodecError) -> ImageSource.DecodedImage {
        let highDynamicRange = convertedSpace
        let toneMapping = try highDynamicRange?.makeToneMapping(convertsToSRGB: convertsToSRGB)
        var decoder = try LibPNGDecoder(
            file.bytes, limits: options.limits,
            background: toneMapping.map(options.background.beforeToneMapping(by:)) ?? options.background,
            toleratedErrorCodes: options.toleratedErrorCodes, ignoresGamma: file.structure.ignoresGamma,
            toneMapping: toneMapping, instructionSet: resampling.instructionSet)
        var warnings = file.header.warnings
        if let highDynamicRange { warnings.append(.toneMapped(from: highDynamicRange)) }
        let image: PlanarImage
        if let fastPathImage = decodeOnFastPath(decoder: decoder, resampling: resampling) {
            image = fastPathImage
            warnings += decoder.irregularityWarning.map { [$0] } ?? []
        } else {
            image = try resampling.resampleImage(from: &decoder)
            if let toleratedError = decoder.toleratedError {
                warnings.append(
                    Diagnostic(
                        Diagnostic.Code(toleratedError.code), offset: toleratedError.offset,
                        message: toleratedError.message))
            } else {
                warnings += try finishDecoding(&decoder)
            }
        }
        var iccProfile = highDynamicRange == nil ? decoder.iccProfile : nil
        if highDynamicRange == nil && iccProfile == nil && file.header.iccByteCount > 0 {
            warnings.append(Diagnostic(.profileDropped, message: "the color profile is too large or invalid"))
        } else if decoder.isTintedByBackground && iccProfile != nil {
            iccProfile = nil
            warnings.append(
                Diagnostic(.profileNotApplied, message: "the gray profile does not apply to the colored background"))
        }
        return ImageSource.DecodedImage(
            image: image, iccProfile: iccProfile, estimatedSourceQuality: nil, hasCompactTables: false,
            canStripLosslessly: false,
            imageDataByteCount: file.structure.imageDataByteCount,
            warnings: warnings, codedColorSpace: file.structure.codedColorSpace,
            convertedColorSpace: highDynamicRange.map { .init(name: $0.name) })
    }

    /// The color space that is to be tone-mapped; `nil` if there is none, or if a profile describes it for viewers.
    private var convertedSpace: HighDynamicRangeSpace? {
        let isCarriedByProfile = !convertsToSRGB && file.header.iccByteCount > 0
        return isCarriedByProfile ? nil : file.structure.highDynamicRangeSpace
    }

    /// Decodes a file without anomalies without libpng. Returns `nil` for any other file.
    private func decodeOnFastPath(decoder: borrowing LibPNGDecoder, resampling: ResampleRequest) -> PlanarImage? {
        if decoders == .systemLibraries { return nil }
        return resampling.resampleOnFastPath(
            PNGFastDecoder(
                file: file, layout: decoder.layout, rowConverter: decoder.rowConverter,
                instructionSet: resampling.instructionSet))
    }

    /// Checks the rest of the file after the last row: the last checksum, and the end chunk.
    private func finishDecoding(_ decoder: inout LibPNGDecoder) throws(CodecError) -> [Diagnostic] {
        let (isComplete, warning) = decoder.finishDecoding()
        let warnings = warning.map { [$0] } ?? []
        if isComplete { return warnings }
        let failure = decoder.lastError
        if failure.code == .truncated {
            return warnings + [
                Diagnostic(.missingEndChunk, offset: failure.offset, message: "the end chunk is missing")
            ]
        }
        guard options.allowsDamaged else { throw failure }
        return warnings + [Diagnostic(.damaged, offset: failure.offset, message: failure.message)]
    }
}
