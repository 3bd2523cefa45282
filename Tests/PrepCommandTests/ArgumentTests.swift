import Batch
import SystemPackage
import Testing

@testable import prep

@Suite("Arguments keep their bytes, and numbers have units")
struct ArgumentTests {
    static let byteSequences: [[UInt8]] = [
        [], Array("plain".utf8), Array("d\u{E9}j\u{E0} vu \u{1F600}\n".utf8), [0xE9], [0xFF, 0xFE], [0xC3],
        [0xC3, 0x28],
        [0xED, 0xA0, 0x80],  // Half of a surrogate pair.
        [0xC0, 0xAF],  // An overlong encoding of a slash.
        [0xF0, 0x9F, 0x98], Array("a".utf8) + [0xE9] + Array("\u{E9}".utf8),
        Array("\u{10FF00}\u{10FFFF}".utf8),  // The characters that represent bytes that are not UTF-8.
        Array("e\u{301}".utf8), Array("\u{FEFF}\r\n".utf8), (1...255).map { UInt8($0) },
    ]

    @Test("Bytes are recovered unchanged from the text that the parser sees", arguments: byteSequences)
    func argumentBytesSurviveEncodingAsText(_ bytes: [UInt8]) {
        #expect(LosslessArguments.decodedBytes(from: LosslessArguments.encodedText(from: bytes)) == bytes)
    }

    @Test("UTF-8 text is passed on unchanged")
    func validTextPassesUnchanged() {
        #expect(LosslessArguments.encodedText(from: Array("--output=d\u{E9}j\u{E0}".utf8)) == "--output=d\u{E9}j\u{E0}")
    }

    @Test("Different bytes are represented by different text")
    func differentBytesGiveDifferentText() {
        #expect(
            Set(Self.byteSequences.map { Array(LosslessArguments.encodedText(from: $0).unicodeScalars.map(\.value)) })
                .count
                == Self.byteSequences.count)
    }

    @Test(
        "Byte counts have the usual units",
        arguments: [
            ("1", 1), ("134217728", 134_217_728), ("128MiB", 134_217_728), ("128M", 134_217_728), ("128m", 134_217_728),
            ("1GB", 1_000_000_000), ("2g", 2_147_483_648), ("10kb", 10_000), ("10KiB", 10_240), ("7b", 7),
        ])
    func byteCountsWithUnitsAreParsed(_ text: String, _ bytes: Int) {
        #expect(ByteCountArgument(argument: text)?.bytes == bytes)
    }

    @Test(
        "An invalid byte count is rejected",
        arguments: [
            "", "0", "-1", "M", "1.5G", "1 MB", "9223372036854775807k", "99999999999999999999", "12x", "\u{661}M",
        ])
    func invalidByteCountsAreRejected(_ text: String) { #expect(ByteCountArgument(argument: text) == nil) }

    @Test("Shards are numbered from 1", arguments: ["1/1", "7/7", "1/18446744073709551615"])
    func validShardsAreParsed(_ text: String) { #expect(Shard(argument: text) != nil) }

    @Test(
        "An invalid shard is rejected",
        arguments: ["0/1", "8/7", "1/0", "0/0", "1", "/", "1/", "-1/2", "1/2/3", "a/b", ""])
    func invalidShardsAreRejected(_ text: String) { #expect(Shard(argument: text) == nil) }
}
