import AudioProbe
import Testing

@Suite("What is no recording is refused by its name")
struct FormatDetectorTests {
    @Test func emptyAndUnknownBytesAreRejected() {
        #expect(probeErrorCode([]) == .empty)
        #expect(probeErrorCode([0, 1, 2, 3, 4, 5, 6, 7]) == .unrecognizedFormat)
    }

    @Test(
        "Pictures, documents and texts are not audio",
        arguments: [
            [0xFF, 0xD8, 0xFF, 0xE0], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("GIF89a".utf8),
            Array("RIFF\u{4}\0\0\0WEBPVP8 ".utf8), [0, 0, 0, 24] + Array("ftypheic".utf8),
            [0, 0, 0, 24] + Array("ftypavif".utf8), Array("%PDF-1.7".utf8), Array("PK\u{3}\u{4}".utf8),
            Array("Dear doctor,\n".utf8), [0xFF, 0xFE, 0x41, 0],
        ] as [[UInt8]])
    func imagesAndDocumentsAreNotAudio(bytes: [UInt8]) {
        #expect(probeErrorCode(bytes) == .notAudio)
    }

    @Test(
        "Sound and films of kinds that aren't read are named",
        arguments: [
            ("MThd", "midi"), ("RIFF\0\0\0\0AVI ", "avi"), ("wvpk", "wavpack"), ("FLV\u{1}", "flv"), ("ADIF", "adif"),
            ("\0\0\u{1}\u{BA}", "mpeg-ps"), ("0&\u{B2}u\u{8E}f\u{CF}\u{11}", "wma"),
        ])
    func unsupportedFormatsAreNamed(beginning: String, name: String) {
        let bytes = beginning.unicodeScalars.map { UInt8($0.value) } + [UInt8](repeating: 0, count: 600)
        #expect(probeErrorCode(bytes)?.rawValue == "unsupported-" + name)
    }
}
