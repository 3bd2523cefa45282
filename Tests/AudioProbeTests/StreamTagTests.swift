import AudioProbe
import Diagnostics
import Testing

@Suite("Tags around raw frames are not audio, and their metadata is reported")
struct StreamTagTests {
    private static let tags: [(String, @Sendable (inout MPEGBuilder) -> Void)] = [
        ("ID3v1", { $0.appendID3v1Tag(title: "Title") }),
        (
            "ID3v1 and enhanced",
            {
                $0.appendEnhancedTag(); $0.appendID3v1Tag(title: "Title")
            }
        ),
        ("APEv1", { $0.appendAPEv1Tag(key: "Title", value: "x") }),
        ("APEv2", { $0.appendAPETag(key: "Title", value: "x") }),
        (
            "APEv2, ID3v1",
            {
                $0.appendAPETag(key: "Title", value: "x"); $0.appendID3v1Tag(title: "Title")
            }
        ),
        (
            "Lyrics3v1, ID3v1",
            {
                $0.appendLyrics1Tag(); $0.appendID3v1Tag(title: "Title")
            }
        ),
        (
            "Lyrics3v2, ID3v1",
            {
                $0.appendLyrics2Tag(); $0.appendID3v1Tag(title: "Title")
            }
        ),
        (
            "APEv1, Lyrics3v2, ID3v1",
            {
                $0.appendAPEv1Tag(key: "Title", value: "x"); $0.appendLyrics2Tag(); $0.appendID3v1Tag()
            }
        ),
        (
            "ID3v1 twice",
            {
                $0.appendID3v1Tag(title: "a"); $0.appendID3v1Tag(title: "b")
            }
        ),
        ("ID3v2 with a footer", { $0.appendID3v2Tag([("TIT2", [3, 65])], footer: true) }),
        ("ID3v2", { $0.appendID3v2Tag([("TIT2", [3, 65])]) }),
        (
            "zeros, ID3v1",
            {
                $0.file.appendZeros(count: 1000); $0.appendID3v1Tag(title: "a")
            }
        ),
        (
            "ID3v1, zeros",
            {
                $0.appendID3v1Tag(title: "a"); $0.file.appendZeros(count: 1000)
            }
        ),
    ]

    @Test("Trailing tags are excluded", arguments: tags.indices)
    func tagAfterFramesIsReported(index: Int) throws {
        for isADTS in [false, true] {
            let recording = try probeBytes(
                buildMPEGAudio {
                    if isADTS { $0.appendADTSFrames(5) } else { $0.appendFrames(count: 5) }
                    Self.tags[index].1(&$0)
                })
            #expect(recording.duration?.ticks == 5 * (isADTS ? 1024 : 1152), "\(Self.tags[index].0)")
            #expect(recording.completeness == .complete)
            #expect(recording.mediaBytes == 5 * (isADTS ? 40 : 417))
            #expect(warningCodes(recording) == [.carriesMetadata], "\(Self.tags[index].0)")
            #expect(recording.metadata.allSatisfy { $0.kind == .text })
        }
    }

    @Test(
        "Streams with tags between them are joined", arguments: tags.indices.dropLast(2).filter { $0 != 2 && $0 != 7 })
    func tagBetweenFramesJoinsStreams(index: Int) throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendFrames(count: 5)
                Self.tags[index].1(&$0)
                $0.appendFrames(count: 6)
            })
        #expect(recording.duration == AudioDuration(ticks: 11 * 1152, timescale: 44_100, method: .scan))
        #expect(Set(warningCodes(recording)) == [.chainedRecordings, .carriesMetadata], "\(Self.tags[index].0)")
    }

    @Test("Streams with and without a VBR header are joined, each with tags")
    func joinedTaggedFilesAreSummed() throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendID3v2Tag()
                $0.appendXingFrame(frames: 10, delay: 500, padding: 700)
                $0.appendFrames(count: 10)
                $0.appendID3v1Tag()
                $0.appendID3v2Tag()
                $0.appendFrames(count: 10)
                $0.appendID3v1Tag()
            })
        #expect(recording.duration?.ticks == 20 * 1152 - 1200)
        #expect(warningCodes(recording) == [.chainedRecordings])
    }

    @Test("A tag after a truncated frame is found")
    func tagAfterIncompleteFrameIsFound() throws {
        let first = buildMPEGAudio { $0.appendFrames(count: 5) }
        let second = buildMPEGAudio {
            $0.appendID3v2Tag([("APIC", [1, 2, 3])], padding: 3000); $0.appendFrames(count: 6)
        }
        let recording = try probeBytes(first.dropLast(400) + second)
        #expect(recording.duration?.ticks == 5 * 1152 + 6 * 1152 || recording.duration?.ticks == 10 * 1152)
        #expect(warningCodes(recording).contains(.damagedFrames))
    }

    @Test("Several leading tags with zeros between them are skipped")
    func severalTagsBeforeFramesAreReported() throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendID3v2Tag([("TSSE", [3] + "Lavf".utf8)], version: 4)
                $0.appendID3v2Tag([("TT2", [0, 65]), ("PIC", [0, 1, 2])], version: 2, padding: 100)
                $0.file.appendZeros(count: 300)
                $0.appendID3v2Tag([("PRIV", Array("XMP\0<x/>".utf8)), ("GEOB", [0])], version: 3, padding: 2000)
                $0.file.appendZeros(count: 20)
                $0.appendFrames(count: 2)
            })
        #expect(recording.duration?.ticks == 2 * 1152)
        #expect(recording.metadata.map(\.kind) == [.text, .image, .xmp, .applicationData])
        #expect(warningCodes(recording) == [.carriesMetadata])
    }

    @Test("A leading tag is reported before any container, and changes nothing else")
    func tagBeforeAnyContainerIsReported() throws {
        var wave = WaveBuilder(), wave64 = Wave64Builder(), aiff = AIFFBuilder(), caf = CAFBuilder()
        wave.appendFormatChunk()
        wave.appendDataChunk(byteCount: 800)
        wave64.appendFormatChunk()
        wave64.appendChunk("data", content: WaveBuilder.noiseBytes(count: 800))
        aiff.appendCommonChunk(frames: 400)
        aiff.appendSoundDataChunk(byteCount: 800)
        caf.appendDescriptionChunk()
        caf.appendDataChunk(byteCount: 800)
        let files = [
            wave.encoded(), wave64.file.bytes, aiff.bytes, caf.bytes, FLACBuilder(frameCount: 5).bytes,
            OggBuilder.makeOpusStream(pages: 2).bytes,
            MatroskaBuilder.makeOpusFile(5), Array("#!AMR\n".utf8) + [UInt8](repeating: 4, count: 130),
            buildMPEGAudio { $0.appendFrames(count: 5) },
        ]
        let tag = buildMPEGAudio { $0.appendID3v2Tag([("TIT2", [0, 65]), ("APIC", [1, 2, 3])]) }
        for file in files {
            let recording = try probeBytes(tag + file), bare = try probeBytes(file)
            #expect(
                recording.metadata == [
                    MetadataItem(kind: .text, range: 0..<tag.count), MetadataItem(kind: .image, range: 0..<tag.count),
                ])
            #expect(recording.duration == bare.duration)
            #expect(recording.mediaBytes == bare.mediaBytes)
            #expect(recording.completeness == bare.completeness)
        }
    }

    @Test("The encoder's name, volumes and empty tags are not reported")
    func technicalAndEmptyTagsAreNotReported() throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendID3v2Tag([("TSSE", [3] + "Lavf".utf8), ("TLEN", [3, 0x31])])
                $0.appendFrames(count: 2)
                $0.appendAPETag(key: "MP3GAIN_MINMAX", value: "100,200")
                $0.appendID3v1Tag()
            })
        #expect(recording.warnings.isEmpty)
    }

    @Test(
        "A false ID3v2 size hides no frames",
        arguments: [[0x7F, 0x7F, 0x7F, 0x7F], [0, 0, 0, 0x80], [0, 0, 0, 5]] as [[UInt8]])
    func wrongID3v2SizeHidesNoFrames(size: [UInt8]) throws {
        var bytes = buildMPEGAudio {
            $0.appendID3v2Tag([("TIT2", [3, 65, 66])], padding: 128 - 13); $0.appendFrames(count: 5)
        }
        bytes.replaceSubrange(6..<10, with: size)
        #expect(try probeBytes(bytes).duration?.ticks == 5 * 1152)
    }

    @Test("Bytes that only resemble a tag are not skipped")
    func bytesResemblingTagsAreTrailing() throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendFrames(count: 5); $0.file.append("something else")
            })
        #expect(warningCodes(recording) == [.trailingBytes])
        #expect(recording.warnings.first?.offset == 5 * 417)
        #expect(recording.duration == AudioDuration(ticks: 5 * 1152, timescale: 44_100, method: .scan))
    }

    @Test("Unterminated lyrics hide nothing after them") func unterminatedLyricsHideNothing() throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                for _ in 0..<1000 { $0.appendFrames(count: 2); $0.file.append("LYRICSBEGIN") }
                $0.file.append("words LYRICSEND")
                $0.appendFrames(count: 3)
            })
        #expect(recording.duration?.ticks == 2003 * 1152)
        #expect(warningCodes(recording).contains(.damagedFrames))
    }

    @Test(
        "Sizes in tags that reach beyond the file are not trusted", arguments: [16, 20, 32, 1 << 31, Int(UInt32.max)])
    func oversizedAPETagSizeIsIgnored(size: Int) throws {
        var bytes = buildMPEGAudio {
            $0.appendFrames(count: 5); $0.appendAPETag(key: "Title", value: "x")
        }
        let little = (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
        for footer in [bytes.count - 20, 5 * 417 + 12] { bytes.replaceSubrange(footer..<footer + 4, with: little) }
        #expect(try probeBytes(bytes).duration?.ticks == 5 * 1152)
    }
}
