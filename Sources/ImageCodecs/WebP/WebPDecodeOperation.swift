internal import Diagnostics
internal import Imaging

/// Decodes a WebP file, and turns its anomalies into an error or warnings.
struct WebPDecodeOperation {
    private let file: WebPFile
    private let options: ImageSource.DecodingOptions

    init(file: WebPFile, options: ImageSource.DecodingOptions) {
        self.file = file
        self.options = options
    }

    func decode(resampling: ResampleRequest) throws(CodecError) -> ImageSource.DecodedImage {
        #if WebP
            var decoder = try LibWebPDecoder(file, options: options, instructionSet: resampling.instructionSet)
            let image = try resampling.resampleImage(from: &decoder)
            var warnings = file.header.warnings
            if let error = decoder.toleratedError {
                warnings.append(
                    Diagnostic(Diagnostic.Code(error.code), offset: error.offset, message: error.message))
            } else {
                warnings += endWarnings
            }
            return ImageSource.DecodedImage(
                image: image, iccProfile: file.profileRange.map { Array(file.bytes[$0]) }, estimatedSourceQuality: nil,
                hasCompactTables: false, canStripLosslessly: false, imageDataByteCount: file.imageDataByteCount,
                warnings: warnings)
        #else
            throw ImageFormat.missingWebPSupport
        #endif
    }

    /// The warnings about the end of the file.
    private var endWarnings: [Diagnostic] {
        if let warning = file.trailingBytesWarning { return [warning] }
        guard let end = file.structure.statedEndOffset, end > file.bytes.count else { return [] }
        return [
            Diagnostic(
                .irregular, offset: file.bytes.count,
                message: "\(end - file.bytes.count) bytes after the image data are missing")
        ]
    }
}
