import ImageCodecs
import Imaging
import Testing
import TestSupport

/// Colour profiles, and the other things in application segments that a reader should know of.
@Suite struct `A colour profile in a JPEG` {
    private static let profile = Headers.profile(1000)

    /// The segments that hold `profile`, `pieceSize` bytes in each.
    private static func segments(_ profile: [UInt8], pieceSize: Int) -> [JPEGParts.Segment] {
        let pieces = stride(from: 0, to: profile.count, by: pieceSize).map {
            profile[$0..<min($0 + pieceSize, profile.count)]
        }
        return pieces.enumerated().map { index, piece in
            JPEGParts.Segment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(pieces.count)] + piece)
        }
    }

    private static func file(_ segments: [JPEGParts.Segment], _ recipe: JPEGRecipe = .yCbCr420) throws -> [UInt8] {
        var parts = try recipe.parts()
        parts.segments.insert(contentsOf: segments, at: 1)
        return parts.bytes
    }

    @Test(arguments: [1000, 400, 100, 7])
    func `is put together from its segments`(pieceSize: Int) throws {
        let bytes = try Self.file(Self.segments(Self.profile, pieceSize: pieceSize))
        let decoded = try decode(bytes)
        #expect(decoded.iccProfile == Self.profile)
        #expect(decoded.warnings == [])
        #expect(try ImageHeader(probing: bytes)?.iccByteCount == Self.profile.count)
    }

    @Test func `whose segments are out of order is put into order`() throws {
        let segments = Self.segments(Self.profile, pieceSize: 300)
        #expect(segments.count == 4)
        for order in [[3, 2, 1, 0], [1, 0, 3, 2], [2, 3, 0, 1]] {
            #expect(try decode(try Self.file(order.map { segments[$0] })).iccProfile == Self.profile)
        }
    }

    @Test func `in 255 segments, the most there can be`() throws {
        let profile = Headers.profile(255 * 4)
        #expect(try decode(try Self.file(Self.segments(profile, pieceSize: 4))).iccProfile == profile)
    }

    @Test func `of which a segment is missing, double, or wrongly numbered is dropped, and said to be`() throws {
        let whole = Self.segments(Self.profile, pieceSize: 300)
        var zero = whole, tooMany = whole, total = whole
        zero[0].payload[12] = 0
        tooMany[3].payload[12] = 5
        total[1].payload[13] = 9
        let empty = JPEGParts.Segment(0xE2, text: "ICC_PROFILE\0")
        for broken in [
            Array(whole.dropFirst()), Array(whole.dropLast()), [whole[0], whole[1], whole[1], whole[3]],
            whole + [whole[2]],
            zero, tooMany, total, [empty],
        ] {
            let decoded = try decode(try Self.file(broken))
            #expect(decoded.iccProfile == nil)
            #expect(decoded.warnings.map(\.code) == ["icc-dropped"])
        }
    }

    @Test(arguments: [1, 3])
    func `that is empty is none`(segmentCount: Int) throws {
        let empty = (1...segmentCount).map {
            JPEGParts.Segment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8($0), UInt8(segmentCount)])
        }
        let bytes = try Self.file(empty)
        let decoded = try decode(bytes)
        #expect(decoded.iccProfile == nil)
        #expect(decoded.warnings == [])
        #expect(try ImageHeader(probing: bytes)?.iccByteCount == 0)
        #expect(try JPEGParts(#require(try ImageSource(bytes).strippedJPEG)).indices(of: 0xE2) == [])
    }

    @Test func `beyond the limit is dropped, and at the limit carried`() throws {
        let bytes = try Self.file(Self.segments(Self.profile, pieceSize: 300))
        var limits = ImageLimits()
        limits.iccBytes = Self.profile.count
        #expect(try decode(bytes, limits: limits).iccProfile == Self.profile)
        limits.iccBytes -= 1
        let decoded = try decode(bytes, limits: limits)
        #expect(decoded.iccProfile == nil)
        #expect(decoded.warnings.map(\.code) == ["icc-dropped"])
    }

    @Test(arguments: [
        JPEGRecipe(.cmyk, [[1, 1], [1, 1], [1, 1], [1, 1]]), JPEGRecipe(.ycck, [[1, 1], [1, 1], [1, 1], [1, 1]]),
    ])
    func `of CMYK is not applied, as the colours are converted by formula`(recipe: JPEGRecipe) throws {
        let decoded = try decode(try Self.file(Self.segments(Headers.profile(space: "CMYK"), pieceSize: 1000), recipe))
        #expect(decoded.iccProfile == nil)
        #expect(decoded.warnings.map(\.code) == ["icc-not-applied"])
    }

    @Test func `of gray and of RGB is carried`() throws {
        for recipe in [JPEGRecipe.gray, JPEGRecipe(.rgb, [[1, 1], [1, 1], [1, 1]])] {
            #expect(
                try decode(try Self.file(Self.segments(Self.profile, pieceSize: 500), recipe)).iccProfile
                    == Self.profile)
        }
    }
}

/// A file may hold more than the picture that is taken. What is lost is said.
@Suite struct `What else a JPEG may hold` {
    @Test func `a gain map, by ISO's segment or by Adobe's XMP`() throws {
        let iso = JPEGParts.Segment(0xE2, text: "urn:iso:std:iso:ts:21496:-1\0\0\0\0\0")
        let xmp = JPEGParts.Segment(
            0xE1, text: "http://ns.adobe.com/xap/1.0/\0<a xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\"/>")
        for segments in [[iso], [xmp], [iso, xmp]] {
            #expect(try warnings(segments) == ["gain-map-dropped"])
        }
        #expect(try warnings([JPEGParts.Segment(0xE1, text: "http://ns.adobe.com/xap/1.0/\0<a/>")]) == [])
    }

    @Test func `further images by MPF, which are then no stray bytes`() throws {
        let index = JPEGParts.Segment(0xE2, text: "MPF\0MM\0*")
        #expect(try warnings([index]) == ["extra-images-dropped"])
        #expect(try warnings([index], trailing: try JPEGRecipe.gray.file()) == ["extra-images-dropped"])
    }

    @Test func `bytes behind the end of image`() throws {
        var parts = try JPEGRecipe.yCbCr420.parts()
        let end = parts.bytes.count
        parts.trailing = Array("MotionPhoto_Data".utf8)
        let decoded = try decode(parts.bytes)
        #expect(decoded.warnings.map(\.code) == ["trailing-bytes"])
        #expect(decoded.warnings.first?.offset == end)
        #expect(decoded.imageDataByteCount == end)
    }

    @Test func `segments of makers and programs, without a word`() throws {
        #expect(
            try warnings([
                JPEGParts.Segment(0xED, text: "Photoshop 3.0\08BIM"), JPEGParts.Segment(0xFE, text: "a comment"),
                JPEGParts.Segment(0xE5, text: "SAMSUNG"), JPEGParts.Segment(0xEF, []),
                JPEGParts.Segment(0xE2, text: "FPXR\0"),
            ]) == [])
    }

    private func warnings(_ segments: [JPEGParts.Segment], trailing: [UInt8] = []) throws -> [String] {
        var parts = try JPEGRecipe.yCbCr420.parts()
        parts.segments.insert(contentsOf: segments, at: 1)
        parts.trailing = trailing
        return try decode(parts.bytes).warnings.map(\.code)
    }
}
