#if WebP
    import Diagnostics
    import ImageCodecs
    import Imaging
    import TestSupport
    import Testing

    @Suite("WebP images")
    struct WebPTests {
        /// Sizes with odd sides, of one macroblock and of several, and one wide enough to be fed in parts.
        static let sizes = [(1, 1), (2, 3), (16, 16), (37, 29), (530, 411)].map { PixelSize(width: $0.0, height: $0.1) }

        @Test("The planes of a lossy image are those of libwebp, in full range", arguments: sizes)
        func lossyPlanesMatchLibWebP(size: PixelSize) throws {
            let bytes = try SmallWebPs.Kind.lossy.builder(size: size).fileBytes
            let decoded = try decodeImage(bytes)
            #expect(decoded.warnings == [])
            #expect(decoded.image.chromaSubsampling == ChromaSubsampling(horizontalFactor: 2, verticalFactor: 2))
            let reference = try LibWebP.decodePlanes(bytes, size: size)
            for (index, (plane, stored)) in zip(decoded.image.planes, reference).enumerated() {
                #expect((plane.width, plane.height) == (stored.width, stored.height))
                let expected = stored.visibleRows.map { $0.map { Self.expanded($0, isChroma: index > 0) } }
                #expect(plane.visibleRows == expected)
            }
        }

        /// ITU-T H.273, 8.3.
        private static func expanded(_ sample: UInt8, isChroma: Bool) -> UInt8 {
            let value = Double(sample)
            let exact = isChroma ? (value - 128) * 255 / 224 + 128 : (value - 16) * 255 / 219
            return UInt8(min(max(exact, 0), 255).rounded())
        }

        @Test(
            "Pixels of other images are those of libwebp, blended with the background",
            arguments: [SmallWebPs.Kind.lossyWithAlpha, .lossless, .losslessWithAlpha])
        func pixelsMatchLibWebP(kind: SmallWebPs.Kind) throws {
            let bytes = try kind.builder().fileBytes, size = SmallWebPs.size
            let background = RGBColor(red: 200, green: 30, blue: 90)
            let image = try decodeImage(bytes, options: .init(background: background)).image
            let pixels = try LibWebP.decodePixels(bytes, size: size)
            var largestError = 0.0
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let pixel = pixels[((y * size.width + x) * 4)...].prefix(4).map(Double.init)
                    let alpha = pixel[3] / 255
                    let blended = zip(pixel, [200, 30, 90]).map { $0 * alpha + $1 * (1 - alpha) }
                    let expected = yCbCrFromRGB(r: blended[0], g: blended[1], b: blended[2])
                    let found = image.planes.map { Double($0[x, y]) }
                    for (lhs, rhs) in zip(expected, found) { largestError = max(largestError, abs(lhs - rhs)) }
                }
            }
            #expect(largestError <= 1.01)
        }

        @Test("Of an animation the first image is taken, with a warning")
        func animationGivesFirstImage() throws {
            let animated = try SmallWebPs.Kind.animation.builder().fileBytes
            let decoded = try decodeImage(animated)
            #expect(decoded.warnings.map(\.code) == [.animationDropped])
            let still = try decodeImage(try SmallWebPs.Kind.lossy.builder().fileBytes).image
            #expect(decoded.image.planes.map(\.samples) == still.planes.map(\.samples))
        }

        @Test("A first image that does not cover the canvas is placed on the background")
        func partialFirstImageIsPlaced() throws {
            let canvas = PixelSize(width: 20, height: 18), size = PixelSize(width: 6, height: 4)
            let red = try LibWebP.encode(size: size, isLossless: true) { _, _ in [255, 0, 0] }
            let file = WebPBuilder(size: canvas, imageData: [], flags: WebPBuilder.Flag.animation).modified {
                $0.chunksAfterImageData = [WebPBuilder.makeFrame(x: 10, y: 6, size: size, imageData: red)]
            }
            let decoded = try decodeImage(
                file.fileBytes, options: .init(background: RGBColor(red: 0, green: 0, blue: 255)))
            #expect(decoded.image.size == canvas)
            #expect(decoded.warnings == [])
            for y in 0..<canvas.height {
                for x in 0..<canvas.width {
                    let isInside = (10..<16).contains(x) && (6..<10).contains(y)
                    let expected = isInside ? [76, 85, 255] : [29, 255, 107]
                    #expect(decoded.image.planes.map { $0[x, y] } == expected)
                }
            }
        }

        @Test("An image of an animation counts only in a file whose header states one", arguments: [nil, 0])
        func animationFrameNeedsHeader(flags: Int?) throws {
            let size = PixelSize(width: 16, height: 16)
            let red = try LibWebP.encode(size: size, isLossless: true) { _, _ in [255, 0, 0] }
            // Placed below the image, it would show nothing.
            let file = WebPBuilder(size: size, imageData: [], flags: flags).modified {
                $0.chunksAfterImageData = [WebPBuilder.makeFrame(y: 64, size: size, imageData: red)]
            }
            #expect(throws: CodecError.self) { try decodeImage(file.fileBytes) }
        }

        @Test("Exif turns the image, its other contents and XMP have no effect", arguments: 1...8)
        func exifOrientationApplies(orientation: Int) throws {
            let exif = ExifBuilder(orientation: orientation).tiffBytes
            for payload in [exif, Array("Exif\0\0".utf8) + exif] {
                let file = try SmallWebPs.Kind.lossy.builder().modified {
                    $0.flags = WebPBuilder.Flag.exif
                    $0.chunksAfterImageData = [
                        WebPBuilder.Chunk(type: "EXIF", payload: payload),
                        WebPBuilder.Chunk(type: "XMP ", payload: Array("secret".utf8)),
                    ]
                }
                let header = try #require(try ImageHeader(probing: file.fileBytes))
                #expect(header.orientation.rawValue == orientation)
                #expect(header.storedSize == SmallWebPs.size)
                #expect(try decodeImage(file.fileBytes).image.size == header.uprightSize)
            }
        }

        @Test("A profile that the header announces is carried")
        func profileIsCarried() throws {
            let profile = MinimalImageHeaders.makeICCProfile()
            let chunk = WebPBuilder.Chunk(type: "ICCP", payload: profile)
            let announced = try SmallWebPs.Kind.lossy.builder().modified {
                $0.flags = WebPBuilder.Flag.profile
                $0.chunksBeforeImageData = [chunk]
            }
            #expect(try decodeImage(announced.fileBytes).iccProfile == profile)
            #expect(try decodeImage(announced.modified { $0.flags = 0 }.fileBytes).iccProfile == nil)
            var limits = ImageLimits()
            limits.iccBytes = profile.count - 1
            let dropped = try decodeImage(announced.fileBytes, limits: limits)
            #expect(dropped.iccProfile == nil)
            #expect(dropped.warnings.map(\.code) == [.profileDropped])
        }

        @Test("The probe needs only the first bytes, unless Exif follows the image data")
        func probeReadsBoundedPrefix() throws {
            let file = try SmallWebPs.Kind.lossy.builder(size: PixelSize(width: 300, height: 200))
            let bytes = file.fileBytes
            let header = try #require(try ImageHeader(probing: Array(bytes.prefix(30)), isWholeFile: false))
            #expect(header.format == .webp)
            #expect(header.storedSize == file.size)
            #expect(header.decoderBufferByteCount >= 300 * 200 * 3 / 2)
            #expect(try ImageHeader(probing: Array(bytes.prefix(29)), isWholeFile: false) == nil)
            let turned = file.modified {
                $0.flags = WebPBuilder.Flag.exif
                $0.chunksAfterImageData = [
                    WebPBuilder.Chunk(type: "EXIF", payload: ExifBuilder(orientation: 6).tiffBytes)
                ]
            }.fileBytes
            #expect(try ImageHeader(probing: Array(turned.dropLast()), isWholeFile: false) == nil)
            #expect(try ImageHeader(probing: turned, isWholeFile: false)?.orientation == .right)
        }

        @Test("The probe counts the Huffman tables that a crafted lossless image can have")
        func memoryIncludesHuffmanTables() throws {
            let size = PixelSize(width: 1024, height: 1024)
            func decoderBytes(payloadByteCount count: Int) throws -> Int {
                let header: [UInt8] = [0x2F, 0xFF, 0xC3, 0xFF, 0x00]
                let payload = header + [UInt8](repeating: 0, count: count - header.count)
                let file = WebPBuilder(size: size, imageData: WebPBuilder.Chunk(type: "VP8L", payload: payload).bytes)
                let probed = try #require(try ImageHeader(probing: file.fileBytes))
                #expect(probed.storedSize == size)
                return probed.decoderBufferByteCount
            }
            let pixelBytes = 7 * size.pixelCount
            // 65,536 groups of 20 bits, each in 2 bytes of the image that selects them.
            #expect(try decoderBytes(payloadByteCount: 295_000) > pixelBytes + 365_000_000)
            #expect((pixelBytes..<(pixelBytes + 6_000_000)).contains(try decoderBytes(payloadByteCount: 2_000)))
        }

        @Test("Limits are checked before anything is decoded")
        func limitsAreChecked() throws {
            let bytes = try SmallWebPs.Kind.lossless.builder().fileBytes
            let pixelCount = SmallWebPs.size.pixelCount
            func code(_ change: (inout ImageLimits) -> Void) -> CodecError.Code? {
                var limits = ImageLimits()
                change(&limits)
                let error = decodingError(for: bytes, limits: limits)
                #expect(error?.stage == .probe)
                return error?.code
            }
            #expect(code { $0.pixels = pixelCount - 1 } == .tooManyPixels)
            #expect(code { $0.dimension = 36 } == .dimensionTooLarge)
            #expect(code { $0.decodedBytes = 7 * pixelCount } == .memoryLimitExceeded)
            #expect(code { $0.inputBytes = bytes.count - 1 } == .inputTooLarge)
            let chunks = (0..<5).map { _ in WebPBuilder.Chunk(type: "note", payload: [1]) }
            let many = try SmallWebPs.Kind.lossless.builder().modified { $0.chunksAfterImageData = chunks }
            var limits = ImageLimits()
            limits.segments = 5
            #expect(decodingError(for: many.fileBytes, limits: limits)?.code == .tooManySegments)
        }
    }
#endif
