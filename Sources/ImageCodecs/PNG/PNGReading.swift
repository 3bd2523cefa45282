internal import Imaging

/// One decode of a PNG file, with the judgement of how it ended.
struct PNGReading {
    private let file: PNGFile
    private let limits: ImageLimits
    private let options: ImageSource.Options

    init(_ file: PNGFile, _ limits: ImageLimits, _ options: ImageSource.Options) {
        self.file = file
        self.limits = limits
        self.options = options
    }

    func decode(_ resampling: Resampling) throws(CodecError) -> ImageSource.Decoded {
        var decoder = try PNGDecoder(
            file.bytes, limits: limits, background: options.background, allowed: options.allowedCodes,
            instructionSet: resampling.instructionSet)
        var warnings = file.header.warnings
        let picture: Picture
        if let sound = soundPicture(decoder, resampling) {
            picture = sound
            warnings += decoder.warning.map { [$0] } ?? []
        } else {
            picture = try resampling.picture(from: &decoder)
            if let shortfall = decoder.shortfall {
                warnings.append(CodecWarning(shortfall.code.rawValue, offset: shortfall.offset, shortfall.message))
            } else {
                warnings += try finish(&decoder)
            }
        }
        var icc = decoder.icc
        if decoder.icc == nil && file.header.iccBytes > 0 {
            warnings.append(CodecWarning("icc-dropped", "the colour profile is too large or not valid"))
        } else if decoder.isTinted && icc != nil {
            icc = nil
            warnings.append(CodecWarning("icc-not-applied", "the gray profile does not fit the coloured background"))
        }
        return ImageSource.Decoded(
            picture: picture, icc: icc, sourceQuality: nil, isCleanable: false, imageBytes: file.imageBytes,
            warnings: warnings)
    }

    /// The picture of a file in which nothing is odd, decoded without libpng; nil for all others.
    private func soundPicture(_ decoder: borrowing PNGDecoder, _ resampling: Resampling) -> Picture? {
        guard resampling.instructionSet.includesAVX2,
            var scan = PNGScanDecoder(file, decoder.layout, decoder.converter),
            let picture = try? resampling.picture(from: &scan), scan.isAtEnd
        else { return nil }
        return picture
    }

    /// All rows are there: what can still be wrong is the checksum of the last of them, or the end of the file.
    private func finish(_ decoder: inout PNGDecoder) throws(CodecError) -> [CodecWarning] {
        let (isComplete, warning) = decoder.finish()
        let warnings = warning.map { [$0] } ?? []
        if isComplete { return warnings }
        let failure = decoder.failure
        if failure.code == .truncated {
            return warnings + [CodecWarning("missing-iend", offset: failure.offset, "the end chunk is missing")]
        }
        guard options.allowDamaged else { throw failure }
        return warnings + [CodecWarning("damaged", offset: failure.offset, failure.message)]
    }
}
