import AudioProbe
import Testing

@Suite("The format of a file is detected from its content")
struct DetectedFormatTests {
    private func detectFormat(_ bytes: [UInt8]) throws(AudioError) -> DetectedFormat {
        var reader = BufferedFileReader(bytes: bytes)
        return try DetectedFormat(in: &reader)
    }

    @Test func emptyAndUnknownBytesAreRejected() {
        #expect(probeErrorCode([]) == .empty)
        #expect(probeErrorCode([0, 1, 2, 3, 4, 5, 6, 7]) == .unrecognizedFormat)
    }

    @Test(
        "Images, documents and texts are not audio",
        arguments: [
            [0xFF, 0xD8, 0xFF, 0xE0], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("GIF89a".utf8),
            Array("RIFF\u{4}\0\0\0WEBPVP8 ".utf8), [0, 0, 0, 24] + Array("ftypheic".utf8),
            [0, 0, 0, 24] + Array("ftypavif".utf8), [0, 0, 0, 24] + Array("ftypavci".utf8), Array("%PDF-1.7".utf8),
            Array("PK\u{3}\u{4}".utf8),
            Array("Dear doctor,\n".utf8), [0xFF, 0xFE, 0x41, 0],
        ] as [[UInt8]])
    func imagesAndDocumentsAreNotAudio(bytes: [UInt8]) {
        #expect(probeErrorCode(bytes) == .notAudio)
    }

    @Test(
        "Audio and video of unsupported formats is named",
        arguments: [
            ("MThd", "midi"), ("RIFF\0\0\0\0AVI ", "avi"), ("wvpk", "wavpack"), ("FLV\u{1}", "flv"), ("ADIF", "adif"),
            ("\0\0\u{1}\u{BA}", "mpeg-ps"), ("0&\u{B2}u\u{8E}f\u{CF}\u{11}", "wma"),
        ])
    func unsupportedFormatsAreNamed(beginning: String, name: String) {
        let bytes = beginning.unicodeScalars.map { UInt8($0.value) } + [UInt8](repeating: 0, count: 600)
        #expect(probeErrorCode(bytes)?.rawValue == "unsupported-" + name)
    }

    @Test("A container begins after the leading tags, and frames end before the trailing tags")
    func audioBeginsAfterLeadingTagsAndEndsBeforeTrailingTags() throws {
        let tag = Array("ID3\u{4}\0\0\0\0\0\u{A}".utf8) + [UInt8](repeating: 0, count: 10)
        #expect(try detectFormat(tag + Array("fLaC".utf8)) == .container(.flac, offset: tag.count))
        #expect(try detectFormat(Array("OggS".utf8)) == .container(.ogg, offset: 0))
        let frames = buildMPEGAudio { $0.appendFrames(count: 3) }
        let trailingTag = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
        #expect(
            try detectFormat(tag + frames + trailingTag)
                == .frames(.mpegAudio, range: tag.count..<tag.count + frames.count))
    }

    @Test("A file whose format is known is not detected again")
    func detectedFormatIsUsed() throws {
        let bytes = buildMPEGAudio { $0.appendFrames(count: 3) }
        var reader = BufferedFileReader(bytes: bytes)
        let error = #expect(throws: AudioError.self) {
            _ = try Recording(probing: &reader, as: .image(title: "an image"), options: ProbeOptions())
        }
        #expect(error?.code == .notAudio)
        let format = try DetectedFormat(in: &reader)
        let recording = try Recording(probing: &reader, as: format, options: ProbeOptions())
        #expect("\(recording)" == "\(try probeBytes(bytes))")
    }
}
