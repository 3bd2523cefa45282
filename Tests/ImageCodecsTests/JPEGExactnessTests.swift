import ImageCodecs
import Imaging
import Testing
import TestSupport

/// At the stored size nothing is resampled, so what comes out is what libjpeg decodes, to the last bit.
@Suite struct `JPEG planes are libjpeg's own, bit for bit` {
    @Test(
        arguments: Kinds.samplings,
        [
            PixelSize(width: 1, height: 1), PixelSize(width: 7, height: 5), PixelSize(width: 17, height: 33), .small,
        ])
    func `at every common sampling, and odd sizes`(recipe: JPEGRecipe, size: PixelSize) throws {
        let bytes = try recipe.file(size)
        let decoded = try decode(bytes)
        #expect(decoded.warnings == [])
        try expect(decoded.image, equals: bytes, recipe, size)
    }

    @Test(arguments: Kinds.codings.indices, [JPEGRecipe.gray, .yCbCr444, .yCbCr420])
    func `however the coefficients are stored`(coding: Int, recipe: JPEGRecipe) throws {
        let coded = recipe.with(Kinds.codings[coding])
        let bytes = try coded.file()
        try expect(try decode(bytes).image, equals: bytes, coded, .small)
        let plain = try decode(try recipe.file()).image
        #expect(try decode(bytes).image.planes.map(\.picture) == plain.planes.map(\.picture))
    }

    @Test(arguments: [JPEGRecipe.gray, .yCbCr444])
    func `and what jpeg_read_scanlines gives`(recipe: JPEGRecipe) throws {
        let bytes = try recipe.file()
        let channels = recipe.sampling.count
        let pixels = try JPEGReference.pixels(bytes, size: .small, channels: channels)
        for (c, plane) in try decode(bytes).image.planes.enumerated() {
            let expected = stride(from: c, to: pixels.count, by: channels).map { pixels[$0] }
            #expect(Array(plane.picture.joined()) == expected)
        }
    }

    @Test(arguments: [1, 10, 50, 90, 100])
    func `at every quality`(quality: Int) throws {
        let recipe = JPEGRecipe.yCbCr420.with { $0.quality = quality }
        let bytes = try recipe.file()
        try expect(try decode(bytes).image, equals: bytes, recipe, .small)
    }

    @Test func `with Adobe's marker beside JFIF, instead of it, or with neither`()
        throws
    {
        let plain = try decode(try JPEGRecipe.yCbCr420.file()).image.planes.map(\.picture)
        for (jfif, adobe) in [(true, true), (false, true), (false, false)] {
            let bytes = try JPEGRecipe.yCbCr420.with { ($0.hasJFIF, $0.hasAdobe) = (jfif, adobe) }.file()
            #expect(try decode(bytes).image.planes.map(\.picture) == plain, "JFIF \(jfif), Adobe \(adobe)")
        }
    }

    private func expect(
        _ picture: PlanarImage, equals bytes: [UInt8], _ recipe: JPEGRecipe, _ size: PixelSize,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let reference = try JPEGReference.planes(bytes, like: recipe.texture(size))
        #expect(picture.size == size, sourceLocation: sourceLocation)
        #expect(picture.planes.map(\.picture) == reference.map(\.picture), sourceLocation: sourceLocation)
    }
}

/// A height of zero in the frame header stands for one that follows behind the first scan.
@Suite struct `A JPEG that states its height behind the first scan` {
    static let recipes: [JPEGRecipe] = [
        .gray, .yCbCr420, .yCbCr420.with(Kinds.codings[6]), .yCbCr420.with { $0.isProgressive = true },
    ]

    /// Moves the height from the frame header into a DNL segment.
    static func parts(_ recipe: JPEGRecipe) throws -> JPEGParts {
        var parts = try recipe.parts()
        let frame = try #require(parts.segments.firstIndex { [0xC0, 0xC2].contains($0.marker) })
        let height = Array(parts.segments[frame].payload[1...2])
        parts.segments[frame].payload.replaceSubrange(1...2, with: [0, 0])
        let scan = try #require(parts.indices(of: 0xDA).first)
        parts.segments.insert(JPEGParts.Segment(0xDC, height), at: scan + 1)
        return parts
    }

    @Test(arguments: recipes)
    func `is read like any other`(recipe: JPEGRecipe) throws {
        let expected = try decode(try recipe.file())
        let bytes = try Self.parts(recipe).bytes
        let decoded = try decode(bytes)
        #expect(decoded.image.planes.map(\.picture) == expected.image.planes.map(\.picture))
        #expect(decoded.warnings == [])
        #expect(try ImageHeader(probing: bytes)?.uprightSize == .small)
    }

    @Test(arguments: recipes)
    func `keeps that segment when it is cleaned`(recipe: JPEGRecipe) throws {
        let parts = try Self.parts(recipe)
        let cleaned = try #require(try ImageSource(parts.bytes).strippedJPEG)
        #expect(cleaned == parts.bytes)
    }

    @Test func `is cut short, not damaged, where the file ends before that`() throws {
        let parts = try Self.parts(.yCbCr420)
        let whole = parts.bytes.count
        let segmentAndEnd = 6 + 2
        for count in [whole - segmentAndEnd, whole - segmentAndEnd - 40] {
            #expect(refusal(Array(parts.bytes.prefix(count)))?.code == .truncated)
        }
    }

    @Test func `that never comes, or is zero, is damaged`() throws {
        var parts = try Self.parts(.yCbCr420)
        let index = try #require(parts.indices(of: 0xDC).first)
        parts.segments[index].payload = [0, 0]
        #expect(refusal(parts.bytes)?.code == .damaged)
        parts.segments.remove(at: index)
        #expect(refusal(parts.bytes)?.code == .damaged)
    }
}
