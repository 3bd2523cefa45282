// `unsafe`: owns a C handle, passes it the addresses of arrays for the duration of a call, and reads rows that it owns.

#if WebP
    internal import CWebPShim
    internal import Imaging

    /// Decodes a WebP with libwebp: a lossy image to its stored planes, and any other to rows of RGB or RGBA, which are
    /// converted to Y, Cb and Cr and blended with an opaque background.
    @safe struct LibWebPDecoder: ~Copyable, PlaneDecoder {
        /// The number of rows in a batch: one row of macroblocks.
        private static let batchRowCount = 16
        /// The number of bytes that libwebp receives at a time: a row of macroblocks of a large photo. The rows are
        /// then resampled while they are in the cache.
        private static let fedByteCount = 16 << 10

        let layout: PlaneLayout
        private let file: WebPFile
        private let handle: OpaquePointer
        /// The converter of pixels; `nil` if planes are delivered.
        private let rowConverter: PixelRowConverter?
        /// The codes of the errors after which the decoded part of the image is used.
        private let toleratedErrorCodes: Set<CodecError.Code>
        private var nextFedOffset: Int
        private var decodedRowCount = 0
        /// One row of the canvas, if the image does not cover it.
        private var canvasRow: ContiguousArray<UInt8> = []
        /// The tolerated error that ended decoding early.
        private(set) var toleratedError: CodecError?

        /// Creates a decoder.
        ///
        /// - Throws: ``CodecError/Code/decoderUnavailable`` or ``CodecError/Code/outOfMemory``.
        init(_ file: WebPFile, options: ImageSource.DecodingOptions, instructionSet: InstructionSet) throws(CodecError)
        {
            guard prep_webp_is_available() else {
                throw CodecError(
                    .decoderUnavailable, stage: .decode, message: "libwebp is not installed (Debian: libwebp7)")
            }
            let image = file.imageData, size = file.header.storedSize
            // Pixels of the canvas that the image does not cover are transparent.
            let hasAlpha = image.hasAlpha || image.size != size
            let output =
                file.deliversPlanes ? PREP_WEBP_PLANES : hasAlpha ? PREP_WEBP_RGBA : PREP_WEBP_RGB
            guard
                let handle = unsafe prep_webp_decoder_create(output, Int32(image.size.width), Int32(image.size.height))
            else { throw CodecError(.outOfMemory, stage: .decode, message: "not enough memory for a decoder") }
            unsafe self.handle = handle
            self.file = file
            toleratedErrorCodes = options.toleratedErrorCodes
            nextFedOffset = image.chunkRange.lowerBound
            rowConverter =
                file.deliversPlanes
                ? nil
                : PixelRowConverter(
                    channelCount: hasAlpha ? 4 : 3, fileGamma: 0, background: options.background,
                    instructionSet: instructionSet)
            layout = file.deliversPlanes ? Self.planeLayout(of: size) : Self.pixelLayout(of: size)
            if image.size != size { canvasRow = ContiguousArray(repeating: 0, count: size.width * 4) }
        }

        deinit { unsafe prep_webp_decoder_destroy(handle) }

        private static func planeLayout(of size: PixelSize) -> PlaneLayout {
            func component(sampling: Int) -> PlaneLayout.ComponentSampling {
                PlaneLayout.ComponentSampling(
                    horizontalSampling: sampling, verticalSampling: sampling,
                    paddedWidth: (size.width * sampling).dividedRoundingUp(by: 2),
                    batchRowCount: batchRowCount * sampling / 2)
            }
            return PlaneLayout(
                storedSize: size,
                components: [component(sampling: 2), component(sampling: 1), component(sampling: 1)],
                encoding: YCbCrEncoding(matrix: .bt601, isFullRange: false))
        }

        private static func pixelLayout(of size: PixelSize) -> PlaneLayout {
            let component = PlaneLayout.ComponentSampling(
                horizontalSampling: 1, verticalSampling: 1, paddedWidth: size.width, batchRowCount: batchRowCount)
            return PlaneLayout(storedSize: size, components: [component, component, component])
        }

        mutating func decodeRowBatch(into ringBuffer: inout RowRingBuffer) throws(CodecError) {
            let endRow = min(decodedRowCount + Self.batchRowCount, layout.storedSize.height)
            let origin = file.structure.imageOrigin, imageHeight = file.imageData.size.height
            let availableRowCount = try decodeRows(upTo: min(endRow - origin.y, imageHeight))
            if rowConverter == nil {
                copyPlanes(endRow: endRow, availableRowCount: availableRowCount, into: &ringBuffer)
            } else {
                for y in decodedRowCount..<endRow {
                    convertRow(y, availableRowCount: availableRowCount, into: &ringBuffer)
                }
            }
            decodedRowCount = endRow
        }

        /// Feeds the decoder until it has decoded `count` rows of the image. Returns the number of rows that it has
        /// decoded.
        private mutating func decodeRows(upTo count: Int) throws(CodecError) -> Int {
            while unsafe prep_webp_decoder_row_count(handle) < count && toleratedError == nil {
                guard let failure = feed() else { continue }
                guard toleratedErrorCodes.contains(failure.code) else { throw failure }
                toleratedError = failure
            }
            return unsafe Int(prep_webp_decoder_row_count(handle))
        }

        /// Passes more bytes to the decoder. Returns the error that ended decoding.
        private mutating func feed() -> CodecError? {
            let range = file.imageData.chunkRange.clamped(to: 0..<file.bytes.count)
            if nextFedOffset == range.upperBound {
                let isTruncated = file.imageData.chunkRange.upperBound > file.bytes.count
                return CodecError(
                    isTruncated ? .truncated : .damaged, stage: .decode, offset: range.upperBound,
                    message: isTruncated ? "the file ends within its image data" : "the image data ends early")
            }
            // A lossless image is kept whole by libwebp, so parts of it save nothing.
            nextFedOffset =
                file.imageData.coding == .lossless
                ? range.upperBound : min(nextFedOffset + Self.fedByteCount, range.upperBound)
            let status = unsafe file.bytes.withUnsafeBufferPointer { input in
                guard let base = input.baseAddress else { return PREP_WEBP_DAMAGED }
                return unsafe prep_webp_decoder_update(
                    handle, base + range.lowerBound, nextFedOffset - range.lowerBound)
            }
            switch status {
            case PREP_WEBP_COMPLETE, PREP_WEBP_INCOMPLETE: return nil
            case PREP_WEBP_OUT_OF_MEMORY:
                return CodecError(.outOfMemory, stage: .decode, message: "not enough memory for the image")
            default:
                return CodecError(
                    .damaged, stage: .decode, offset: nextFedOffset, message: "libwebp finds invalid image data")
            }
        }

        /// Copies rows of the planes. Missing rows become gray, as those of a truncated JPEG.
        private func copyPlanes(endRow: Int, availableRowCount: Int, into ringBuffer: inout RowRingBuffer) {
            let (offsets, strides) = ringBuffer.nextBatchDestinations(for: layout)
            let availableEnd = min(endRow, availableRowCount)
            if availableEnd < endRow {
                for (ring, gray) in zip(ringBuffer.rings, [126, 128, 128] as [UInt8]) {
                    for i in 0..<(ring.stride * ring.batchRowCount) {
                        ringBuffer.bytes[ring.nextBatchOffset + i] = gray
                    }
                }
            }
            if availableEnd <= decodedRowCount { return }
            unsafe ringBuffer.bytes.withUnsafeMutableBufferPointer { rows in
                guard let rows = rows.baseAddress else { return }
                unsafe prep_webp_decoder_copy_planes(
                    handle, Int32(decodedRowCount), Int32(availableEnd), rows, offsets, strides)
            }
        }

        /// Converts row `y` of the canvas.
        private mutating func convertRow(_ y: Int, availableRowCount: Int, into ringBuffer: inout RowRingBuffer) {
            guard let rowConverter else { return }
            let imageRow = y - file.structure.imageOrigin.y, batchRow = y - decodedRowCount
            let pixelByteCount = rowConverter.channelCount, size = file.imageData.size
            let isInside = (0..<size.height).contains(imageRow)
            if !isInside || imageRow >= availableRowCount {
                // Missing pixels are gray, and those outside of the image transparent.
                let blank = ContiguousArray<UInt8>(
                    repeating: isInside ? 128 : 0, count: layout.storedSize.width * pixelByteCount)
                return rowConverter.convertRowToPlanes(blank.span, into: &ringBuffer, batchRow: batchRow)
            }
            let row = unsafe Span(
                _unsafeStart: prep_webp_decoder_pixel_row(handle, Int32(imageRow)), count: size.width * pixelByteCount)
            if canvasRow.isEmpty { return rowConverter.convertRowToPlanes(row, into: &ringBuffer, batchRow: batchRow) }
            let start = file.structure.imageOrigin.x * pixelByteCount
            for i in row.indices { canvasRow[start + i] = row[i] }
            let pixels = canvasRow
            rowConverter.convertRowToPlanes(pixels.span, into: &ringBuffer, batchRow: batchRow)
        }
    }
#endif
