import Diagnostics
import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite("The video of a motion photo is left out with a warning")
struct MotionPhotoTests {
    private static let video = Array(makeQuickTimeMovie())
    /// The JPEG of an Ultra HDR image's gain map, or of a preview.
    private static func secondImage() throws -> [UInt8] { try LibJPEGFileBuilder.gray.encodedTexture() }

    /// What Samsung appends before the video: a block of another kind, and the name of the video's block.
    private static let samsungBlocks =
        [0, 0, 1, 0x0A, 14, 0, 0, 0] + Array("Image_UTC_Data1458170015363".utf8)
        + [0, 0, 0x30, 0x0A, 16, 0, 0, 0] + Array("MotionPhoto_Data".utf8)

    private static let imageIndex = EditableJPEG.Segment(marker: 0xE2, text: "MPF\0MM\0*")

    @Test("An MP4 file after the end of a JPEG is recognized, at any distance", arguments: 0..<8)
    func videoAfterJPEG(_ distance: Int) throws {
        let image = try LibJPEGFileBuilder.yCbCr420.encodedTexture()
        let file = image + [UInt8](repeating: 0x70, count: distance) + Self.video
        let warnings = try decodeImage(file).warnings
        #expect(warnings.map(\.code) == [.motionVideoDropped])
        #expect(warnings.first?.offset == image.count + distance)
    }

    @Test("The video follows the blocks of Samsung, or the gain map of an Ultra HDR image")
    func videoAfterOtherData() throws {
        let image = try LibJPEGFileBuilder.yCbCr420.encodedTexture()
        #expect(try decodeImage(image + Self.samsungBlocks + Self.video).warnings.map(\.code) == [.motionVideoDropped])
        var indexed = EditableJPEG(parsing: image)
        indexed.segments.insert(Self.imageIndex, at: 0)
        let ultraHDR = indexed.bytes + (try Self.secondImage())
        #expect(try decodeImage(ultraHDR).warnings.map(\.code) == [.extraImagesDropped])
        #expect(
            try decodeImage(ultraHDR + Self.video).warnings.map(\.code) == [.extraImagesDropped, .motionVideoDropped])
    }

    @Test(
        "Other bytes after a JPEG are no video",
        arguments: [
            Array("ftyp".utf8), Array("....ftypmp42".utf8), [0, 0, 0, 16] + Array("ftypmp42\0\0\0".utf8),
            [0, 0, 0, 17] + Array("ftypmp42\0\0\0\0.".utf8), [0, 0, 0, 8] + Array("ftyp....".utf8),
            [0, 0, 0, 16] + Array("ftyp\0\0\0\0\0\0\0\0".utf8), [0, 0, 0, 16] + Array("moovmp42\0\0\0\0".utf8),
        ])
    func otherTrailingBytes(_ trailing: [UInt8]) throws {
        let image = try LibJPEGFileBuilder.gray.encodedTexture()
        #expect(try decodeImage(image + trailing).warnings.map(\.code) == [.trailingBytes])
    }

    #if HEIF
        @Test("A HEIC with a video in a box of its own, or appended as a file", arguments: ["throat.heic", "ear.avif"])
        func videoAfterHEIF(_ name: String) throws {
            let image = Array(try Data(contentsOf: SampleMedia.heifSample(named: name)))
            #expect(try decodeImage(image).warnings.isEmpty)
            for appended in [HEIFFileBuilder.box("mpvd", Self.video), Self.video] {
                let warnings = try decodeImage(image + appended).warnings
                #expect(warnings.map(\.code) == [.motionVideoDropped])
                #expect(warnings.first?.offset == image.count)
            }
            #expect(try decodeImage(image + HEIFFileBuilder.box("free", Self.video)).warnings.isEmpty)
        }
    #endif
}
