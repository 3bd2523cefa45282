import Diagnostics
import ImageCodecs
import Imaging
import Testing
import TestSupport

/// Color profiles and other data in application segments.
@Suite struct JPEGColorProfileTests {
    private static let profile = MinimalImageHeaders.makeICCProfile(byteCount: 1000)

    /// The segments that hold `profile`, `pieceSize` bytes in each.
    private static func segments(_ profile: [UInt8], pieceSize: Int) -> [EditableJPEG.Segment] {
        let pieces = stride(from: 0, to: profile.count, by: pieceSize).map {
            profile[$0..<min($0 + pieceSize, profile.count)]
        }
        return pieces.enumerated().map { index, piece in
            EditableJPEG.Segment(
                marker: 0xE2, payload: Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(pieces.count)] + piece)
        }
    }

    private static func file(_ segments: [EditableJPEG.Segment], _ recipe: LibJPEGFileBuilder = .yCbCr420) throws
        -> [UInt8]
    {
        var parts = try recipe.parsedTexture()
        parts.segments.insert(contentsOf: segments, at: 1)
        return parts.bytes
    }

    @Test(arguments: [1000, 400, 100, 7])
    func profileIsJoinedFromItsSegments(pieceSize: Int) throws {
        let bytes = try Self.file(Self.segments(Self.profile, pieceSize: pieceSize))
        let decoded = try decodeImage(bytes)
        #expect(decoded.iccProfile == Self.profile)
        #expect(decoded.warnings == [])
        #expect(try ImageHeader(probing: bytes)?.iccByteCount == Self.profile.count)
    }

    @Test func misorderedProfileSegmentsAreSorted() throws {
        let segments = Self.segments(Self.profile, pieceSize: 300)
        #expect(segments.count == 4)
        for order in [[3, 2, 1, 0], [1, 0, 3, 2], [2, 3, 0, 1]] {
            #expect(try decodeImage(try Self.file(order.map { segments[$0] })).iccProfile == Self.profile)
        }
    }

    @Test func profileOf255SegmentsIsRead() throws {
        let profile = MinimalImageHeaders.makeICCProfile(byteCount: 255 * 4)
        #expect(try decodeImage(try Self.file(Self.segments(profile, pieceSize: 4))).iccProfile == profile)
    }

    @Test func incompleteProfileIsDroppedAndWarned() throws {
        let whole = Self.segments(Self.profile, pieceSize: 300)
        var zero = whole, tooMany = whole, total = whole
        zero[0].payload[12] = 0
        tooMany[3].payload[12] = 5
        total[1].payload[13] = 9
        let empty = EditableJPEG.Segment(marker: 0xE2, text: "ICC_PROFILE\0")
        for broken in [
            Array(whole.dropFirst()), Array(whole.dropLast()), [whole[0], whole[1], whole[1], whole[3]],
            whole + [whole[2]],
            zero, tooMany, total, [empty],
        ] {
            let decoded = try decodeImage(try Self.file(broken))
            #expect(decoded.iccProfile == nil)
            #expect(decoded.warnings.map(\.code) == [.profileDropped])
        }
    }

    @Test(arguments: [1, 3])
    func emptyProfileIsNone(segmentCount: Int) throws {
        let empty = (1...segmentCount).map {
            EditableJPEG.Segment(marker: 0xE2, payload: Array("ICC_PROFILE\0".utf8) + [UInt8($0), UInt8(segmentCount)])
        }
        let bytes = try Self.file(empty)
        let decoded = try decodeImage(bytes)
        #expect(decoded.iccProfile == nil)
        #expect(decoded.warnings == [])
        #expect(try ImageHeader(probing: bytes)?.iccByteCount == 0)
        #expect(
            try EditableJPEG(parsing: #require(try ImageSource(bytes).strippedJPEG)).segmentIndices(withMarker: 0xE2)
                == [])
    }

    @Test func profileOverLimitIsDropped() throws {
        let bytes = try Self.file(Self.segments(Self.profile, pieceSize: 300))
        var limits = ImageLimits()
        limits.iccBytes = Self.profile.count
        #expect(try decodeImage(bytes, limits: limits).iccProfile == Self.profile)
        limits.iccBytes -= 1
        let decoded = try decodeImage(bytes, limits: limits)
        #expect(decoded.iccProfile == nil)
        #expect(decoded.warnings.map(\.code) == [.profileDropped])
    }

    @Test(arguments: [
        LibJPEGFileBuilder(colorSpace: .cmyk, sampling: [[1, 1], [1, 1], [1, 1], [1, 1]]),
        LibJPEGFileBuilder(colorSpace: .ycck, sampling: [[1, 1], [1, 1], [1, 1], [1, 1]]),
    ])
    func cmykProfileIsNotApplied(recipe: LibJPEGFileBuilder) throws {
        let decoded = try decodeImage(
            try Self.file(
                Self.segments(MinimalImageHeaders.makeICCProfile(colorSpace: "CMYK"), pieceSize: 1000), recipe))
        #expect(decoded.iccProfile == nil)
        #expect(decoded.warnings.map(\.code) == [.profileNotApplied])
    }

    @Test func grayAndRGBProfilesAreCarried() throws {
        for recipe in [
            LibJPEGFileBuilder.gray, LibJPEGFileBuilder(colorSpace: .rgb, sampling: [[1, 1], [1, 1], [1, 1]]),
        ] {
            #expect(
                try decodeImage(try Self.file(Self.segments(Self.profile, pieceSize: 500), recipe)).iccProfile
                    == Self.profile)
        }
    }
}

/// Further images and other data in a file are dropped with a warning.
@Suite struct JPEGExtraContentTests {
    @Test func gainMapIsWarned() throws {
        let iso = EditableJPEG.Segment(marker: 0xE2, text: "urn:iso:std:iso:ts:21496:-1\0\0\0\0\0")
        let xmp = EditableJPEG.Segment(
            marker: 0xE1,
            text: "http://ns.adobe.com/xap/1.0/\0<a xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\"/>")
        for segments in [[iso], [xmp], [iso, xmp]] {
            #expect(try warnings(segments) == ["gain-map-dropped"])
        }
        #expect(try warnings([EditableJPEG.Segment(marker: 0xE1, text: "http://ns.adobe.com/xap/1.0/\0<a/>")]) == [])
    }

    @Test func mpfImagesAreWarnedAndNotTrailingBytes() throws {
        let index = EditableJPEG.Segment(marker: 0xE2, text: "MPF\0MM\0*")
        #expect(try warnings([index]) == ["extra-images-dropped"])
        #expect(
            try warnings([index], trailing: try LibJPEGFileBuilder.gray.encodedTexture()) == ["extra-images-dropped"])
    }

    @Test func trailingBytesAreWarned() throws {
        var parts = try LibJPEGFileBuilder.yCbCr420.parsedTexture()
        let end = parts.bytes.count
        parts.trailingBytes = Array("MotionPhoto_Data".utf8)
        let decoded = try decodeImage(parts.bytes)
        #expect(decoded.warnings.map(\.code) == [.trailingBytes])
        #expect(decoded.warnings.first?.offset == end)
        #expect(decoded.imageDataByteCount == end)
    }

    @Test func applicationSegmentsGiveNoWarning() throws {
        #expect(
            try warnings([
                EditableJPEG.Segment(marker: 0xED, text: "Photoshop 3.0\08BIM"),
                EditableJPEG.Segment(marker: 0xFE, text: "a comment"),
                EditableJPEG.Segment(marker: 0xE5, text: "SAMSUNG"), EditableJPEG.Segment(marker: 0xEF, payload: []),
                EditableJPEG.Segment(marker: 0xE2, text: "FPXR\0"),
            ]) == [])
    }

    private func warnings(_ segments: [EditableJPEG.Segment], trailing: [UInt8] = []) throws -> [String] {
        var parts = try LibJPEGFileBuilder.yCbCr420.parsedTexture()
        parts.segments.insert(contentsOf: segments, at: 1)
        parts.trailingBytes = trailing
        return try decodeImage(parts.bytes).warnings.map(\.code.rawValue)
    }
}
