// `unsafe`: owns a C handle, and passes it the addresses of arrays for the duration of a call.

#if HEIF
    internal import CHEIFShim
#endif
internal import Imaging

/// A decoder of coded pictures of one size and form, by libde265 or dav1d.
@safe struct HEIFPictureDecoder: ~Copyable {
    #if HEIF
        private let handle: OpaquePointer
        private let image: HEIFImage

        /// Creates a decoder of the tiles of `image`.
        ///
        /// - Parameters:
        ///   - image: The image.
        ///   - deblocks: Whether HEVC's deblocking filter runs.
        /// - Throws: ``CodecError/Code/decoderUnavailable`` or ``CodecError/Code/outOfMemory``.
        init(_ image: HEIFImage, deblocks: Bool) throws(CodecError) {
            let configuration = image.configuration
            let format = prep_heif_picture_format(
                width: Int32(image.tileSize.width), height: Int32(image.tileSize.height),
                chroma_format: prep_heif_chroma_format(rawValue: UInt32(configuration.chromaFormat.rawValue)),
                bit_depth: Int32(configuration.bitDepth))
            let codec = configuration.codec == .hevc ? PREP_HEIF_HEVC : PREP_HEIF_AV1
            guard prep_heif_is_available(codec) else {
                throw CodecError(
                    .decoderUnavailable, stage: .decode,
                    message: codec == PREP_HEIF_HEVC
                        ? "libde265 is not installed (Debian: libde265-0)"
                        : "libdav1d is not installed (Debian: libdav1d6)")
            }
            guard let handle = unsafe prep_heif_decoder_create(codec, format, deblocks) else {
                throw Self.outOfMemory
            }
            unsafe self.handle = handle
            self.image = image
        }

        deinit { unsafe prep_heif_decoder_destroy(handle) }

        /// Decodes a tile into a buffer.
        ///
        /// - Parameters:
        ///   - data: The data of the tile's item.
        ///   - fileBytes: The file, which has the parameter sets.
        ///   - planes: The places of the tile's samples in `buffer`.
        ///   - buffer: The samples of a row of tiles.
        /// - Returns: The colors that the data states.
        /// - Throws: ``CodecError/Code/damaged`` or ``CodecError/Code/outOfMemory``.
        mutating func decode(
            _ data: (bytes: [UInt8], range: Range<Int>), parameterSetsIn fileBytes: [UInt8],
            into planes: [HEIFTileRow.PlaneRegion], of buffer: inout ContiguousArray<UInt8>
        ) throws(CodecError) -> HEIFColors {
            let (input, units) = try codedPicture(data, parameterSetsIn: fileBytes)
            let cUnits = units.map { prep_heif_unit(offset: $0.lowerBound, count: $0.count) }
            var color = prep_heif_color()
            let status = unsafe input.withUnsafeBufferPointer { bytes in
                unsafe buffer.withUnsafeMutableBufferPointer { samples in
                    guard let bytes = bytes.baseAddress, let samples = samples.baseAddress else {
                        return PREP_HEIF_DAMAGED
                    }
                    let cPlanes = unsafe planes.map {
                        unsafe prep_heif_plane(
                            samples: samples + $0.offset, stride: $0.stride, width: Int32($0.width),
                            height: Int32($0.height))
                    }
                    return unsafe prep_heif_decoder_decode(
                        handle, bytes, input.count, cUnits, cUnits.count, cPlanes, &color)
                }
            }
            try Self.check(status, offset: data.range.lowerBound)
            return HEIFColors(
                primaries: Int(color.primaries), transfer: Int(color.transfer), matrix: Int(color.matrix),
                isFullRange: color.is_full_range)
        }

        /// Returns the bytes of a tile's picture, and the ranges of its units in them, the parameter sets first.
        private func codedPicture(
            _ data: (bytes: [UInt8], range: Range<Int>), parameterSetsIn fileBytes: [UInt8]
        ) throws(CodecError) -> (bytes: [UInt8], units: [Range<Int>]) {
            guard let ranges = image.configuration.unitRanges(in: data.range, of: data.bytes) else {
                throw Self.damaged(at: data.range.lowerBound)
            }
            let parameterSets = image.configuration.parameterSets
            if parameterSets.isEmpty { return (data.bytes, ranges) }
            // The parameter sets are in the file, and the data may be a copy of several of its parts.
            let setBytes = parameterSets.flatMap { fileBytes[$0] }
            var start = 0
            let setRanges = parameterSets.map { set in
                defer { start += set.count }
                return start..<(start + set.count)
            }
            let shift = start - data.range.lowerBound
            let shiftedRanges = ranges.map { ($0.lowerBound + shift)..<($0.upperBound + shift) }
            return (setBytes + data.bytes[data.range], setRanges + shiftedRanges)
        }

        /// Throws the error of a status other than success.
        private static func check(_ status: prep_heif_status, offset: Int) throws(CodecError) {
            switch status {
            case PREP_HEIF_OK: break
            case PREP_HEIF_OUT_OF_MEMORY: throw outOfMemory
            case PREP_HEIF_OTHER_FORMAT:
                throw CodecError(
                    .damaged, stage: .decode, offset: offset,
                    message: "the coded picture does not have the size or form that the container states")
            default: throw damaged(at: offset)
            }
        }

        private static func damaged(at offset: Int) -> CodecError {
            CodecError(.damaged, stage: .decode, offset: offset, message: "the coded picture is damaged")
        }

        private static var outOfMemory: CodecError {
            CodecError(.outOfMemory, stage: .decode, message: "not enough memory for a decoder")
        }
    #else
        init(_ image: HEIFImage, deblocks: Bool) throws(CodecError) {
            throw CodecError.unsupportedHEIF("this build has no decoder")
        }

        mutating func decode(
            _ data: (bytes: [UInt8], range: Range<Int>), parameterSetsIn fileBytes: [UInt8],
            into planes: [HEIFTileRow.PlaneRegion], of buffer: inout ContiguousArray<UInt8>
        ) throws(CodecError) -> HEIFColors { throw CodecError.unsupportedHEIF("this build has no decoder") }
    #endif
}
