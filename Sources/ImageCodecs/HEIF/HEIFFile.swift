internal import Diagnostics
internal import Imaging
internal import MediaContainers

/// A HEIF or AVIF file with its primary image found and checked against the limits.
struct HEIFFile {
    let bytes: [UInt8]
    let header: ImageHeader
    let metaBox: HEIFMetaBox
    let image: HEIFImage
    /// The image of the opacity; `nil` if all pixels are opaque.
    let alphaImage: HEIFImage?
    /// The columns and rows of the stored image that are shown.
    let crop: (columns: Range<Int>, rows: Range<Int>)
    /// The color properties of the container; `nil` if only the picture's data has any.
    let colors: HEIFColors?
    let iccProfileRange: Range<Int>?
    /// The luminance of the brightest pixel in cd/m², 0 if it is unknown; `nil` if the container does not state it.
    let maxLuminance: Int?
    /// The size of the data of the image's items, in bytes.
    let imageDataByteCount: Int
    /// The offset of the video of a motion photo; `nil` if there is none.
    let motionVideoOffset: Int?

    /// Finds the primary image.
    ///
    /// - Parameters:
    ///   - bytes: The file, or its beginning.
    ///   - structure: The structure of `bytes`, parsed up to the `meta` box.
    ///   - isWholeFile: Whether `bytes` are the whole file. All data of the image must then be there.
    ///   - limits: The limits to check.
    /// - Throws: The errors of ``ImageHeader/init(probing:isWholeFile:limits:)``.
    init(
        _ bytes: [UInt8], structure: HEIFStructure, isWholeFile: Bool, limits: ImageLimits
    ) throws(CodecError) {
        guard let metaBox = structure.metaBox, let primaryID = metaBox.primaryItemID else {
            throw CodecError.unsupportedHEIF("the file has no still image", format: structure.brandFormat)
        }
        self.bytes = bytes
        self.metaBox = metaBox
        image = try HEIFImage(id: primaryID, in: metaBox, bytes: bytes, limits: limits)
        let format: ImageFormat = image.configuration.codec == .av1 ? .avif : .heic
        let display = try HEIFDisplay(image, format: format)
        crop = display.crop
        let auxiliaries = HEIFAuxiliaryImages(of: primaryID, in: metaBox)
        alphaImage = try auxiliaries.alphaID.map { (id) throws(CodecError) in
            try HEIFImage(id: id, in: metaBox, bytes: bytes, limits: limits)
        }
        try auxiliaries.checkAlphaImage(alphaImage, of: image, format: format)
        // iPhones associate the profile with the tiles only.
        let tileProperties = image.tileIDs.first.map { metaBox.properties(of: $0) } ?? []
        (colors, iccProfileRange) = HEIFColors.find(in: tileProperties + image.properties)
        maxLuminance = (tileProperties + image.properties).lazy.compactMap(\.maxLuminance).last
        imageDataByteCount = metaBox.dataByteCount(ofItems: image.tileIDs + (alphaImage?.tileIDs ?? []))
        try Self.checkImageDataByteCount(imageDataByteCount, limit: limits.inputBytes)
        let decoderByteCount = [image, alphaImage].compactMap { $0?.decoderByteCount }.reduce(0, +)
        try limits.checkDecoderBufferByteCount(decoderByteCount)
        var warnings = auxiliaries.warnings
        var structure = structure
        structure.findVideosAfterImages(in: bytes, limits: limits)
        if let movieOffset = structure.movieOffset {
            let message = "of the animation only the still image is taken"
            warnings.append(Diagnostic(.animationDropped, offset: movieOffset, message: message))
        }
        header = ImageHeader(
            format: format, storedSize: PixelSize(width: crop.columns.count, height: crop.rows.count),
            orientation: display.orientation, isProgressive: false, iccByteCount: iccProfileRange?.count ?? 0,
            decoderBufferByteCount: decoderByteCount,
            bytesPerSample: alphaImage == nil ? image.configuration.bytesPerSample : 2,
            storedChromaSubsampling: image.configuration.chromaFormat.subsampling, warnings: warnings)
        motionVideoOffset = structure.motionVideoOffset
        if isWholeFile { try checkData() }
    }

    /// Checks that the data of all tiles is in the file, and is at most twice the file's size.
    private func checkData() throws(CodecError) {
        for id in image.tileIDs + (alphaImage?.tileIDs ?? []) {
            _ = try item(id).dataRanges(itemDataRange: metaBox.itemDataRange, in: bytes)
        }
        try Self.checkImageDataByteCount(imageDataByteCount, limit: 2 * bytes.count)
    }

    /// Checks the size of the data of all tiles. Tiles may share an item, so the file's size alone does not limit it.
    private static func checkImageDataByteCount(_ count: Int, limit: Int) throws(CodecError) {
        if count > limit {
            throw CodecError(
                .inputTooLarge, stage: .probe,
                message: "the data of all tiles is too large: \(count) bytes (at most \(limit))")
        }
    }

    /// Returns the data of the item of a tile.
    func dataOfTile(_ id: Int) throws(CodecError) -> (bytes: [UInt8], range: Range<Int>) {
        try item(id).data(itemDataRange: metaBox.itemDataRange, in: bytes)
    }

    private func item(_ id: Int) throws(CodecError) -> HEIFItem {
        if let item = metaBox.items[id] { return item }
        throw CodecError(.damaged, stage: .probe, message: "an item of the image is missing")
    }
}

extension HEIFMetaBox {
    /// Returns the size of the data of all items, in bytes.
    fileprivate func dataByteCount(ofItems ids: [Int]) -> Int {
        // No file has 2^48 bytes. The sum is not counted further, so it does not overflow.
        ids.lazy.compactMap { items[$0] }.flatMap(\.extents).reduce(0) { min($0 + $1.count, 1 << 48) }
    }
}

extension HEIFProperty {
    fileprivate var maxLuminance: Int? {
        if case .maxLuminance(let luminance) = self { luminance } else { nil }
    }
}

extension HEIFImage {
    /// An estimate of the memory that decoding takes, in bytes: two pictures of a tile in the decoder, with 2 bytes a
    /// pixel for its block data; and a row of tiles.
    fileprivate var decoderByteCount: Int {
        let factors = configuration.chromaFormat.factors
        let doubledSamplesPerPixel =
            configuration.chromaFormat == .monochrome ? 2 : 2 + 4 / (factors.horizontal * factors.vertical)
        let tilePixels = tileSize.width * tileSize.height
        let pictureBytes = tilePixels * doubledSamplesPerPixel * configuration.bytesPerSample
        let rowBytes = size.width * tileSize.height * doubledSamplesPerPixel / 2 * configuration.bytesPerSample
        return pictureBytes + 2 * tilePixels + rowBytes
    }
}

/// How an image is shown: the part of it, and its orientation.
private struct HEIFDisplay {
    private(set) var crop: (columns: Range<Int>, rows: Range<Int>)
    private(set) var orientation = Orientation.up

    /// Applies the properties of `image` in their order.
    ///
    /// - Throws: `unsupported-heic` or `unsupported-avif` for a crop after a rotation, or outside the image.
    init(_ image: HEIFImage, format: ImageFormat) throws(CodecError) {
        crop = (0..<image.size.width, 0..<image.size.height)
        for property in image.properties {
            switch property {
            case .rotation(let quarterTurns):
                for _ in 0..<quarterTurns { orientation = orientation.rotatedCounterclockwise }
            case .mirroring(let axis):
                orientation = axis == 0 ? orientation.mirroredVertically : orientation.mirroredHorizontally
            case .cleanAperture(let aperture):
                guard orientation == .up, let cropped = aperture.cropping(image.size) else {
                    throw CodecError.unsupportedHEIF("the part of the image that is shown is invalid", format: format)
                }
                crop = cropped
            default: break
            }
        }
        // A chroma sample belongs to two columns or rows.
        let factors = image.configuration.chromaFormat.factors
        let left = crop.columns.lowerBound / factors.horizontal * factors.horizontal
        let top = crop.rows.lowerBound / factors.vertical * factors.vertical
        crop = (left..<(left + crop.columns.count), top..<(top + crop.rows.count))
    }
}

/// The images that accompany the primary one: ISO/IEC 23008-12, 6.4.5 and 6.5.8.
private struct HEIFAuxiliaryImages {
    private(set) var alphaID: Int?
    private(set) var isPremultiplied = false
    private(set) var warnings: [Diagnostic] = []

    private static let alphaTypes: Set<String> = [
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:avc:2015:auxid:1",
    ]
    private static let gainMapTypes: Set<String> = ["urn:com:apple:photo:2020:aux:hdrgainmap"]

    init(of primaryID: Int, in meta: HEIFMetaBox) {
        var droppedCount = 0, hasGainMap = false
        for id in meta.items(referringTo: primaryID, type: "auxl") {
            let type = meta.properties(of: id).lazy.compactMap { property -> String? in
                if case .auxiliaryType(let type) = property { type } else { nil }
            }.first
            if let type, Self.alphaTypes.contains(type) {
                alphaID = alphaID ?? id
            } else if let type, Self.gainMapTypes.contains(type) {
                hasGainMap = true
            } else {
                droppedCount += 1
            }
        }
        if let alphaID { isPremultiplied = meta.items(referredToBy: primaryID, type: "prem").contains(alphaID) }
        // A gain map of ISO 21496-1 is an item of its own.
        hasGainMap = hasGainMap || meta.items.values.contains { $0.type == "tmap" }
        if hasGainMap { warnings.append(Diagnostic(.gainMapDropped, message: "the HDR gain map is left out")) }
        if droppedCount > 0 {
            warnings.append(
                Diagnostic(
                    .extraImagesDropped,
                    message: "\(droppedCount) auxiliary images, such as a depth map, are left out"))
        }
    }

    /// Checks that the image of the opacity has the size of `image`, and that the colors are not multiplied by it.
    func checkAlphaImage(_ alphaImage: HEIFImage?, of image: HEIFImage, format: ImageFormat) throws(CodecError) {
        if let alphaImage, alphaImage.size != image.size {
            throw CodecError(.damaged, stage: .probe, message: "the opacity has another size than the image")
        }
        if isPremultiplied {
            throw CodecError.unsupportedHEIF("colors multiplied by their opacity are not supported", format: format)
        }
    }
}
