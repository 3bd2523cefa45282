internal import Diagnostics
internal import Imaging
internal import SystemSupport

/// Decodes a JPEG file, and turns libjpeg's diagnostics into an error or warnings.
struct JPEGDecodeOperation {
    private let file: JPEGFile
    private let options: ImageSource.DecodingOptions
    private let decoders: DecoderPreference
    private let appliesInkProfile: Bool
    private let spareThreads: SpareThreads?

    init(
        file: JPEGFile, options: ImageSource.DecodingOptions, decoders: DecoderPreference, appliesInkProfile: Bool,
        spareThreads: SpareThreads? = nil
    ) {
        self.appliesInkProfile = appliesInkProfile
        self.spareThreads = spareThreads
        self.file = file
        self.options = options
        self.decoders = decoders
    }

    func decode(resampling: ResampleRequest) throws(CodecError) -> ImageSource.DecodedImage {
        var decoder = try LibJPEGDecoder(file.bytesForLibJPEG)
        try checkSizeMatchesHeader(decoder.layout.storedSize)
        let colorModel = decoder.colorModel, quantizationTable = decoder.firstQuantizationTable
        let isHalfSize = !colorModel.requiresConversion && resampling.allowsShrunkPlanes(of: decoder.halfSizeLayout)
        var fastPathLayout = isHalfSize ? decoder.halfSizeLayout : decoder.layout
        if isHalfSize && resampling.isForMeasuresOnly { fastPathLayout.shrinkChromaBlocksToSamples() }
        let ink = inkInterpretation(for: colorModel)
        let image: PlanarImage
        let diagnostics: LibJPEGDecoder.Diagnostics
        if let fastPathImage = decodeOnFastPath(
            layout: fastPathLayout, colorModel: colorModel, resampling: resampling)
        {
            (image, diagnostics) = (fastPathImage, decoder.diagnostics)
        } else if colorModel.requiresConversion {
            try decoder.startDecoding(maxMemory: options.limits.decodedBytes, maxScans: maxScanCount)
            var convertingDecoder = JPEGColorConvertingDecoder(
                decoder, inkTable: ink?.inkTable, instructionSet: resampling.instructionSet)
            image = try resampling.resampleImage(from: &convertingDecoder)
            diagnostics = convertingDecoder.finishDecoding()
        } else {
            try decoder.startDecoding(
                isHalfSize: isHalfSize, maxMemory: options.limits.decodedBytes, maxScans: maxScanCount)
            image = try resampling.resampleImage(from: &decoder)
            decoder.finishDecoding()
            diagnostics = decoder.diagnostics
        }
        var warnings = file.header.warnings
        warnings += try resolve(diagnostics: diagnostics)
        let (iccProfile, iccWarning) = carriedICCProfile(for: colorModel, ink: ink)
        warnings += iccWarning
        warnings += trailingBytesWarnings
        let estimate = JPEGQualityEstimator(
            table: quantizationTable, pixelsPerChromaSample: file.frameHeader.pixelsPerChromaSample)
        let imageDataByteCount = JPEGMetadataStripper(file).imageDataByteCount
        return ImageSource.DecodedImage(
            image: image, iccProfile: iccProfile,
            estimatedSourceQuality: estimate?.quality, hasCompactTables: estimate?.isCompactTable ?? false,
            canStripLosslessly: canStripLosslessly(colorModel: colorModel, diagnostics: diagnostics),
            imageDataByteCount: imageDataByteCount, warnings: warnings,
            convertedColorSpace: ink?.inkTable == nil ? nil : .init(name: ink?.profileName),
            profileSegmentsByteCount: imageDataByteCount
                - JPEGMetadataStripper(file, keepsProfile: false).imageDataByteCount)
    }

    /// Checks that libjpeg found the size of the parsed structure, since the limits were checked against that.
    private func checkSizeMatchesHeader(_ size: PixelSize) throws(CodecError) {
        if size == file.header.storedSize { return }
        throw CodecError(
            .damaged, stage: .decode, offset: file.frameHeader.heightOffset,
            message:
                "libjpeg finds \(size.width) x \(size.height) pixels, not \(file.frameHeader.width) x "
                + "\(file.frameHeader.height)"
        )
    }

    /// Decodes a file without anomalies without libjpeg. Returns `nil` for any other file.
    private func decodeOnFastPath(
        layout: PlaneLayout, colorModel color: LibJPEGDecoder.ColorModel, resampling: ResampleRequest
    ) -> PlanarImage? {
        if decoders == .systemLibraries || color.requiresConversion { return nil }
        return resampling.resampleOnFastPath(
            JPEGFastDecoder(
                file: file, layout: layout, instructionSet: resampling.instructionSet, spareThreads: spareThreads))
    }

    /// The maximum number of scans, which is below the limit on scans for a large image.
    private var maxScanCount: Int {
        min(
            options.limits.scans,
            options.limits.maxScanPixels(isArithmetic: file.frameHeader.codingProcess.isArithmetic)
                / file.header.storedSize.pixelCount
        )
    }

    /// Returns the warnings for the diagnostics, or throws. The first failure decides, since others follow from it.
    private func resolve(diagnostics: LibJPEGDecoder.Diagnostics) throws(CodecError) -> [Diagnostic] {
        var warnings = diagnostics.irregularity.map { [$0] } ?? []
        if let damage = diagnostics.damage {
            return try warnings
                + warningIfAllowed(
                    options.allowsDamaged, code: .damaged, offset: damage.offset, message: damage.message)
        }
        if let end = diagnostics.truncation {
            return try warnings
                + warningIfAllowed(options.allowsTruncated, code: .truncated, offset: end.offset, message: end.message)
        }
        if !file.structure.coverage.isComplete {
            let message = "the scans leave out parts of the picture"
            if file.structure.endOffset == nil {
                return try warnings
                    + warningIfAllowed(
                        options.allowsTruncated, code: .truncated, offset: file.bytes.count, message: message)
            }
            return try warnings
                + warningIfAllowed(
                    options.allowsDamaged, code: .damaged, offset: file.structure.endOffset, message: message)
        }
        if file.structure.endOffset == nil && file.frameHeader.codingProcess.isArithmetic {
            // An arithmetic decoder fills in missing data without a warning.
            let message = "the end-of-image marker is missing, and perhaps some of the picture"
            return try warnings
                + warningIfAllowed(
                    options.allowsTruncated, code: .truncated, offset: file.bytes.count, message: message)
        }
        if file.structure.endOffset == nil {
            warnings.append(
                Diagnostic(
                    .missingEndOfImage, offset: file.bytes.count, message: "the end-of-image marker is missing"))
        }
        return warnings
    }

    private func warningIfAllowed(
        _ isAllowed: Bool, code: CodecError.Code, offset: Int?, message: String
    ) throws(CodecError) -> [Diagnostic] {
        if isAllowed { return [Diagnostic(Diagnostic.Code(code), offset: offset, message: message)] }
        throw CodecError(code, stage: .decode, offset: offset, message: message)
    }

    /// Returns what the profile of CMYK means; `nil` for other colors, or if the profile is not to be applied.
    private func inkInterpretation(for color: LibJPEGDecoder.ColorModel) -> ColorInterpretation? {
        guard appliesInkProfile, color == .cmyk || color == .ycck, let bytes = file.iccProfile.bytes(in: file.bytes)
        else { return nil }
        return ColorInterpretationCache.shared.interpretation(
            for: .init(description: .iccProfile(bytes), samples: .ink))
    }

    /// Returns the ICC profile for the result. A CMYK profile does not apply to the converted image, so it is dropped,
    /// with a warning if it was not applied.
    private func carriedICCProfile(
        for color: LibJPEGDecoder.ColorModel, ink: ColorInterpretation?
    ) -> ([UInt8]?, [Diagnostic]) {
        guard file.iccProfile.isPresent, color.requiresConversion, color != .rgb else {
            return (file.iccProfile.bytes(in: file.bytes), [])
        }
        let consequence = "colors are converted by formula"
        switch ink?.kind {
        case .convertible: return (nil, [])
        case .invalid(let reason):
            return (nil, [Diagnostic(.profileDropped, message: "\(reason); \(consequence)")])
        default:
            let message =
                "the CMYK profile of \(file.iccProfile.byteCount) bytes is not applied: \(consequence)"
            return (nil, [Diagnostic(.profileNotApplied, message: message)])
        }
    }

    private var trailingBytesWarnings: [Diagnostic] {
        guard let end = file.structure.endOffset, end < file.bytes.count else { return [] }
        if let offset = AppendedVideo.offset(in: file.bytes, from: end) { return [.motionVideoDropped(at: offset)] }
        if file.header.warnings.contains(where: { $0.code == .extraImagesDropped }) { return [] }
        return [
            Diagnostic(
                .trailingBytes, offset: end,
                message: "\(file.bytes.count - end) bytes after the image are removed")
        ]
    }

    private func canStripLosslessly(
        colorModel color: LibJPEGDecoder.ColorModel, diagnostics: LibJPEGDecoder.Diagnostics
    ) -> Bool {
        guard !color.requiresConversion, file.header.orientation == .up, file.structure.coverage.isComplete,
            file.structure.endOffset != nil
        else { return false }
        // Without Huffman tables it is an abbreviated format, which not every decoder completes with the standard's
        // tables.
        let hasTables = file.structure.segments.contains { $0.marker == JPEGMarker.huffmanTables }
        let isClean = diagnostics.irregularity == nil && diagnostics.damage == nil && diagnostics.truncation == nil
        return !file.frameHeader.codingProcess.isArithmetic && hasTables && isClean
    }
}

extension ColorInterpretation {
    fileprivate var inkTable: InkTable? {
        if case .convertible(.ink(let table)) = kind { table } else { nil }
    }
}
