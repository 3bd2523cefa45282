internal import Imaging

/// One decode of a JPEG file, with the judgement of what libjpeg complained of.
struct JPEGReading {
    private let file: JPEGFile
    private let limits: ImageLimits
    private let options: ImageSource.Options

    init(_ file: JPEGFile, _ limits: ImageLimits, _ options: ImageSource.Options) {
        self.file = file
        self.limits = limits
        self.options = options
    }

    func decode(_ resampling: Resampling) throws(CodecError) -> ImageSource.Decoded {
        var decoder = try JPEGDecoder(file.decodableBytes)
        try check(decoder.layout.size)
        let color = decoder.color, quantization = decoder.quantization
        let picture: Picture
        let complaints: JPEGDecoder.Complaints
        if let sound = soundPicture(decoder.layout, color, resampling) {
            (picture, complaints) = (sound, decoder.complaints)
        } else if color.isConverted {
            try decoder.start(memory: limits.decodedBytes, scans: allowedScans)
            var converting = JPEGColorDecoder(decoder, instructionSet: resampling.instructionSet)
            picture = try resampling.picture(from: &converting)
            complaints = converting.finish()
        } else {
            try decoder.start(memory: limits.decodedBytes, scans: allowedScans)
            picture = try resampling.picture(from: &decoder)
            decoder.finish()
            complaints = decoder.complaints
        }
        var warnings = file.header.warnings
        warnings += try judge(complaints)
        let (icc, iccWarning) = profile(for: color)
        warnings += iccWarning
        warnings += trailingBytes
        return ImageSource.Decoded(
            picture: picture, icc: icc, sourceQuality: QuantizationTable.quality(of: quantization),
            isCleanable: isCleanable(color, complaints), imageBytes: JPEGCleaner(file).imageBytes, warnings: warnings)
    }

    /// The limits were checked against the size that the file's structure states: libjpeg must have found the same.
    private func check(_ size: PixelSize) throws(CodecError) {
        if size == file.header.storedSize { return }
        throw CodecError(
            .damaged, .decode, offset: file.frame.heightOffset,
            "libjpeg finds \(size.width) x \(size.height) pixels, not \(file.frame.width) x \(file.frame.height)")
    }

    /// The picture of a file in which nothing is odd, decoded without libjpeg; nil for all others.
    private func soundPicture(_ layout: PlaneLayout, _ color: JPEGDecoder.Color, _ resampling: Resampling) -> Picture? {
        guard resampling.instructionSet.includesAVX2, !color.isConverted, var scan = ScanDecoder(file, layout),
            let picture = try? resampling.picture(from: &scan), scan.isAtEnd
        else { return nil }
        return picture
    }

    /// Fewer than the limit where the picture is large.
    private var allowedScans: Int {
        min(
            limits.scans, limits.scanPixels(isArithmetic: file.frame.process.isArithmetic) / file.header.storedSize.area
        )
    }

    /// What the complaints amount to: an error, or warnings. The first fault decides, as the rest follow from it.
    private func judge(_ complaints: JPEGDecoder.Complaints) throws(CodecError) -> [CodecWarning] {
        var warnings = complaints.irregular.map { [$0] } ?? []
        if let damage = complaints.damaged {
            return try warnings + allow(options.allowDamaged, .damaged, damage.offset, damage.message)
        }
        if let end = complaints.truncated {
            return try warnings + allow(options.allowTruncated, .truncated, end.offset, end.message)
        }
        if !file.isComplete {
            let message = "the scans leave out parts of the picture"
            if file.structure.end == nil {
                return try warnings + allow(options.allowTruncated, .truncated, file.bytes.count, message)
            }
            return try warnings + allow(options.allowDamaged, .damaged, file.structure.end, message)
        }
        if file.structure.end == nil && file.frame.process.isArithmetic {
            // An arithmetic decoder makes up what is missing, without a word.
            let message = "the end-of-image marker is missing, and perhaps some of the picture"
            return try warnings + allow(options.allowTruncated, .truncated, file.bytes.count, message)
        }
        if file.structure.end == nil {
            warnings.append(CodecWarning("missing-eoi", offset: file.bytes.count, "the end-of-image marker is missing"))
        }
        return warnings
    }

    private func allow(
        _ isAllowed: Bool, _ code: CodecError.Code, _ offset: Int?, _ message: String
    ) throws(CodecError) -> [CodecWarning] {
        if isAllowed { return [CodecWarning(code.rawValue, offset: offset, message)] }
        throw CodecError(code, .decode, offset: offset, message)
    }

    /// A CMYK profile says nothing about the RGB that its picture was turned into.
    private func profile(for color: JPEGDecoder.Color) -> ([UInt8]?, [CodecWarning]) {
        guard let icc = file.icc.bytes, color.isConverted, color != .rgb else { return (file.icc.bytes, []) }
        let message = "the CMYK profile of \(icc.count) bytes is not applied: colours are converted by formula"
        return (nil, [CodecWarning("icc-not-applied", message)])
    }

    private var trailingBytes: [CodecWarning] {
        guard let end = file.structure.end, end < file.bytes.count,
            !file.header.warnings.contains(where: { $0.code == "extra-images-dropped" })
        else { return [] }
        return [
            CodecWarning(
                "trailing-bytes", offset: end, "\(file.bytes.count - end) bytes behind the picture are left out")
        ]
    }

    private func isCleanable(_ color: JPEGDecoder.Color, _ complaints: JPEGDecoder.Complaints) -> Bool {
        guard !color.isConverted, file.exif.orientation == .up, file.isComplete,
            file.structure.end != nil
        else { return false }
        // Without tables of its own it is only half a file, which not every reader completes by the standard's tables.
        let hasTables = file.structure.segments.contains { $0.marker == Marker.huffmanTables }
        let isClean = complaints.irregular == nil && complaints.damaged == nil && complaints.truncated == nil
        return !file.frame.process.isArithmetic && hasTables && isClean
    }
}
