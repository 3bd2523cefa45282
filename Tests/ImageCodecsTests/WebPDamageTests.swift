#if WebP
    import Diagnostics
    import ImageCodecs
    import Imaging
    import TestSupport
    import Testing

    @Suite("Truncated and damaged WebP images")
    struct WebPDamageTests {
        @Test("Every prefix without all image data is truncated", arguments: SmallWebPs.Kind.allCases)
        func prefixIsTruncated(kind: SmallWebPs.Kind) throws {
            let file = try kind.builder(), bytes = file.fileBytes
            let imageEnd =
                kind == .animation
                ? bytes.count - file.chunksAfterImageData[1].bytes.count : bytes.count
            for count in 12..<bytes.count {
                let outcome = DecodeVerdict(decoding: Array(bytes.prefix(count)))
                if count >= imageEnd {
                    #expect(outcome == .decoded("irregular") || outcome == .decoded("animation-dropped", "irregular"))
                } else if outcome != .rejected(.truncated) {
                    // The last bytes may hold no pixel: padding, and what the entropy coder reads ahead.
                    #expect(count >= imageEnd - 4, "\(count) of \(bytes.count) bytes: \(outcome)")
                }
            }
        }

        @Test("Where it is allowed, the decodable part of a truncated image is used, and the rest is gray")
        func prefixIsDecodedWhereAllowed() throws {
            let size = PixelSize(width: 300, height: 200)
            let bytes = try SmallWebPs.Kind.lossy.builder(size: size).fileBytes
            let whole = try decodeImage(bytes).image.planes
            let half = try decodeImage(Array(bytes.prefix(bytes.count / 2)), options: .allowingTruncated)
            #expect(half.warnings.map(\.code.rawValue) == ["truncated"])
            #expect(half.image.planes[0].visibleRows.prefix(16) == whole[0].visibleRows.prefix(16))
            #expect(half.image.planes[0].visibleRows.last == [UInt8](repeating: 128, count: size.width))
            #expect(half.image.planes[1].visibleRows.last == [UInt8](repeating: 128, count: size.width / 2))
        }

        struct Case: Sendable, CustomStringConvertible {
            var description: String
            var bytes: [UInt8]
            var code: CodecError.Code
        }

        static func cases() throws -> [Case] {
            let lossy = try SmallWebPs.Kind.lossy.builder(), lossless = try SmallWebPs.Kind.lossless.builder()
            let size = SmallWebPs.size
            func edited(_ bytes: [UInt8], at offset: Int, _ value: UInt8) -> [UInt8] {
                var bytes = bytes
                bytes[offset] = value
                return bytes
            }
            let otherSize = PixelSize(width: size.width + 1, height: size.height)
            return [
                Case(description: "no chunk", bytes: WebPBuilder(size: size, imageData: []).fileBytes, code: .damaged),
                Case(
                    description: "an inter frame", bytes: edited(lossy.fileBytes, at: 20, lossy.fileBytes[20] | 1),
                    code: .damaged),
                Case(description: "another start code", bytes: edited(lossy.fileBytes, at: 23, 0), code: .damaged),
                Case(
                    description: "no lossless signature", bytes: edited(lossless.fileBytes, at: 20, 0), code: .damaged),
                Case(
                    description: "a lossless version 1",
                    bytes: edited(lossless.fileBytes, at: 24, lossless.fileBytes[24] | 0x20), code: .damaged),
                Case(
                    description: "a chunk beyond the stated end", bytes: edited(lossy.fileBytes, at: 4, 40),
                    code: .damaged),
                Case(
                    description: "another canvas size",
                    bytes: lossy.modified { ($0.flags, $0.size) = (0, otherSize) }.fileBytes, code: .damaged),
                Case(
                    description: "an image outside of the canvas",
                    bytes: WebPBuilder(size: size, imageData: [], flags: WebPBuilder.Flag.animation).modified {
                        $0.chunksAfterImageData = [
                            WebPBuilder.makeFrame(x: 2, size: size, imageData: lossy.imageData)
                        ]
                    }.fileBytes, code: .damaged),
                Case(
                    description: "an image of an animation without image data",
                    bytes: WebPBuilder(size: size, imageData: [], flags: WebPBuilder.Flag.animation).modified {
                        $0.chunksAfterImageData = [WebPBuilder.makeFrame(size: size, imageData: [])]
                    }.fileBytes, code: .damaged),
                Case(
                    description: "image data that ends early",
                    bytes: WebPBuilder(
                        size: size,
                        imageData: WebPBuilder.Chunk(
                            type: "VP8L", payload: Array(lossless.imageData.dropFirst(8).prefix(40))
                        ).bytes
                    ).fileBytes, code: .damaged),
            ]
        }

        @Test("Damage is named")
        func damageIsNamed() throws {
            for damaged in try Self.cases() {
                #expect(decodingError(for: damaged.bytes)?.code == damaged.code, "\(damaged)")
            }
        }

        @Test("Bytes after the stated end are dropped with a warning")
        func trailingBytesAreDropped() throws {
            let bytes = try SmallWebPs.Kind.lossy.builder().fileBytes
            #expect(DecodeVerdict(decoding: bytes + Array("secret".utf8)) == .decoded("trailing-bytes"))
        }
    }
#endif
