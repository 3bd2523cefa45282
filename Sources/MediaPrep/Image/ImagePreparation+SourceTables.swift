internal import ImageCodecs
internal import Imaging

/// JPEGs that are not reduced. With other tables than their own, they would be quantized a second time.
extension ImagePreparation {
    /// Encodes a JPEG that is not reduced at its own quality, with tables like its own. Returns `nil` if it has more
    /// bytes than `limit`.
    ///
    /// Other tables would quantize it a second time: those of the compact encoder save 15 to 19% of the bytes, and lose
    /// 4 to 5 points of SSIMULACRA2. Huffman tables for the image save more than a turned image takes.
    func encodeWithSourceTables(
        _ decoded: ImageSource.DecodedImage, quality: Int, maxByteCount limit: Int
    ) throws(CodecError) -> EncodedJPEG? {
        var encoder = try JPEGEncoder()
        let bytes = try encoder.encodeToAllocatedBytes(
            decoded.image, iccProfile: decoded.iccProfile,
            options: .init(
                quality: quality, isProgressive: options.isProgressive, encoder: decoded.encoderOfSourceTables,
                optimizesHuffmanTables: true))
        return bytes.count <= limit ? EncodedJPEG(bytes: bytes, quality: quality, keepsSourceTables: true) : nil
    }

    /// Returns the JPEG without its metadata if it can be passed through, and encoding it again saves too little.
    ///
    /// What is saved is measured with tables like the JPEG's own. With others, it would also count what only they save,
    /// which is no reason to lose quality. Nor are the bytes that a second encoding at the same quality drops.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - decoded: The image, with its colors converted.
    ///   - color: How the colors were converted. If they were, the JPEG has its profile.
    ///   - quality: The quality at which it would be encoded again.
    func makeStrippedJPEG(
        of source: ImageSource, decoded: ImageSource.DecodedImage, color: ColorPreparation, quality: Int
    ) throws(CodecError) -> AllocatedBytes? {
        let keepsProfile = decoded.iccProfile != nil || color.isConverted
        guard decoded.canStripLosslessly, let count = source.strippedJPEGByteCount(keepsProfile: keepsProfile),
            count <= options.maxBytes ?? .max
        else { return nil }
        let keepsDetail =
            quality == decoded.estimatedSourceQuality
            && decoded.image.chromaSubsampling == source.header.storedChromaSubsampling
        if keepsDetail { return try source.makeStrippedJPEG(keepsProfile: keepsProfile) }
        var encoder = try JPEGEncoder()
        let reencoded = try encoder.encodeToAllocatedBytes(
            decoded.image, iccProfile: decoded.iccProfile,
            options: .init(
                quality: quality, isProgressive: options.isProgressive, encoder: decoded.encoderOfSourceTables))
        guard reencoded.count * 100 > count * (100 - options.minSavings) else { return nil }
        return try source.makeStrippedJPEG(keepsProfile: keepsProfile)
    }
}

extension ImageSource.DecodedImage {
    /// The encoder whose tables are like those of the source.
    fileprivate var encoderOfSourceTables: EncoderPreference { hasCompactTables ? .compact : .libjpeg }
}
