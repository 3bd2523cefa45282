import AudioProbe
import Testing

@Suite("Tags around bare frames are no sound, and what they hold is told")
struct StreamTagTests {
    private static let tags: [(String, @Sendable (inout MPEGBuilder) -> Void)] = [
        ("ID3v1", { $0.id3v1(title: "Title") }),
        (
            "ID3v1 and enhanced",
            {
                $0.enhancedTag(); $0.id3v1(title: "Title")
            }
        ),
        ("APEv1", { $0.apeV1("Title", "x") }),
        ("APEv2", { $0.ape("Title", "x") }),
        (
            "APEv2, ID3v1",
            {
                $0.ape("Title", "x"); $0.id3v1(title: "Title")
            }
        ),
        (
            "Lyrics3v1, ID3v1",
            {
                $0.lyrics1(); $0.id3v1(title: "Title")
            }
        ),
        (
            "Lyrics3v2, ID3v1",
            {
                $0.lyrics2(); $0.id3v1(title: "Title")
            }
        ),
        (
            "APEv1, Lyrics3v2, ID3v1",
            {
                $0.apeV1("Title", "x"); $0.lyrics2(); $0.id3v1()
            }
        ),
        (
            "ID3v1 twice",
            {
                $0.id3v1(title: "a"); $0.id3v1(title: "b")
            }
        ),
        ("ID3v2 with a footer", { $0.id3v2([("TIT2", [3, 65])], footer: true) }),
        ("ID3v2", { $0.id3v2([("TIT2", [3, 65])]) }),
        (
            "zeros, ID3v1",
            {
                $0.file.zeros(1000); $0.id3v1(title: "a")
            }
        ),
        (
            "ID3v1, zeros",
            {
                $0.id3v1(title: "a"); $0.file.zeros(1000)
            }
        ),
    ]

    @Test("Behind", arguments: tags.indices)
    func behind(index: Int) throws {
        for isADTS in [false, true] {
            let recording = try probe(
                mpeg {
                    if isADTS { $0.adts(5) } else { $0.frames(5) }
                    Self.tags[index].1(&$0)
                })
            #expect(recording.duration?.ticks == 5 * (isADTS ? 1024 : 1152), "\(Self.tags[index].0)")
            #expect(recording.completeness == .complete)
            #expect(recording.mediaBytes == 5 * (isADTS ? 40 : 417))
            #expect(codes(recording) == [.carriesMetadata], "\(Self.tags[index].0)")
            #expect(recording.metadata.allSatisfy { $0.kind == .text })
        }
    }

    @Test("Between: the recordings are joined", arguments: tags.indices.dropLast(2).filter { $0 != 2 && $0 != 7 })
    func between(index: Int) throws {
        let recording = try probe(
            mpeg {
                $0.frames(5)
                Self.tags[index].1(&$0)
                $0.frames(6)
            })
        #expect(recording.duration == AudioDuration(ticks: 11 * 1152, timescale: 44_100, method: .scan))
        #expect(Set(codes(recording)) == [.chainedRecordings, .carriesMetadata], "\(Self.tags[index].0)")
    }

    @Test("A recording that states its frames, and one that doesn't, each with tags")
    func joined() throws {
        let recording = try probe(
            mpeg {
                $0.id3v2()
                $0.xing(frames: 10, delay: 500, padding: 700)
                $0.frames(10)
                $0.id3v1()
                $0.id3v2()
                $0.frames(10)
                $0.id3v1()
            })
        #expect(recording.duration?.ticks == 20 * 1152 - 1200)
        #expect(codes(recording) == [.chainedRecordings])
    }

    @Test("Cut in a frame, and joined: the tag is found")
    func cutAndJoined() throws {
        let first = mpeg { $0.frames(5) }
        let second = mpeg {
            $0.id3v2([("APIC", [1, 2, 3])], padding: 3000); $0.frames(6)
        }
        let recording = try probe(first.dropLast(400) + second)
        #expect(recording.duration?.ticks == 5 * 1152 + 6 * 1152 || recording.duration?.ticks == 10 * 1152)
        #expect(codes(recording).contains(.damagedFrames))
    }

    @Test("In front: several, with zeros between")
    func inFront() throws {
        let recording = try probe(
            mpeg {
                $0.id3v2([("TSSE", [3] + "Lavf".utf8)], version: 4)
                $0.id3v2([("TT2", [0, 65]), ("PIC", [0, 1, 2])], version: 2, padding: 100)
                $0.file.zeros(300)
                $0.id3v2([("PRIV", Array("XMP\0<x/>".utf8)), ("GEOB", [0])], version: 3, padding: 2000)
                $0.file.zeros(20)
                $0.frames(2)
            })
        #expect(recording.duration?.ticks == 2 * 1152)
        #expect(recording.metadata.map(\.kind) == [.text, .image, .xmp, .applicationData])
        #expect(codes(recording) == [.carriesMetadata])
    }

    @Test("In front of any container it tells the same, and changes nothing else")
    func inFrontOfAny() throws {
        var wave = WaveBuilder(), wave64 = Wave64Builder(), aiff = AIFFBuilder(), caf = CAFBuilder()
        wave.format()
        wave.sound(800)
        wave64.format()
        wave64.chunk("data", WaveBuilder.noise(800))
        aiff.common(frames: 400)
        aiff.sound(800)
        caf.description()
        caf.sound(800)
        let files = [
            wave.bytes(), wave64.file.bytes, aiff.bytes, caf.bytes, FLACBuilder(5).bytes,
            OggBuilder.opus(pages: 2).bytes,
            MatroskaBuilder.opusFile(5), Array("#!AMR\n".utf8) + [UInt8](repeating: 4, count: 130),
            mpeg { $0.frames(5) },
        ]
        let tag = mpeg { $0.id3v2([("TIT2", [0, 65]), ("APIC", [1, 2, 3])]) }
        for file in files {
            let recording = try probe(tag + file), bare = try probe(file)
            #expect(
                recording.metadata == [
                    MetadataItem(kind: .text, range: 0..<tag.count), MetadataItem(kind: .image, range: 0..<tag.count),
                ])
            #expect(recording.duration == bare.duration)
            #expect(recording.mediaBytes == bare.mediaBytes)
            #expect(recording.completeness == bare.completeness)
        }
    }

    @Test("The encoder's name, volumes and empty tags are nothing to tell")
    func nothing() throws {
        let recording = try probe(
            mpeg {
                $0.id3v2([("TSSE", [3] + "Lavf".utf8), ("TLEN", [3, 0x31])])
                $0.frames(2)
                $0.ape("MP3GAIN_MINMAX", "100,200")
                $0.id3v1()
            })
        #expect(recording.warnings.isEmpty)
    }

    @Test(
        "An ID3v2 size that lies hides no frames",
        arguments: [[0x7F, 0x7F, 0x7F, 0x7F], [0, 0, 0, 0x80], [0, 0, 0, 5]] as [[UInt8]])
    func lyingSize(size: [UInt8]) throws {
        var bytes = mpeg {
            $0.id3v2([("TIT2", [3, 65, 66])], padding: 128 - 13); $0.frames(5)
        }
        bytes.replaceSubrange(6..<10, with: size)
        #expect(try probe(bytes).duration?.ticks == 5 * 1152)
    }

    @Test("Bytes that are no tag")
    func trailing() throws {
        let recording = try probe(
            mpeg {
                $0.frames(5); $0.file.add("something else")
            })
        #expect(codes(recording) == [.trailingBytes])
        #expect(recording.warnings.first?.offset == 5 * 417)
        #expect(recording.duration == AudioDuration(ticks: 5 * 1152, timescale: 44_100, method: .scan))
    }

    @Test("Lyrics without an end don't hide those behind them") func lyricsWithoutEnd() throws {
        let recording = try probe(
            mpeg {
                for _ in 0..<1000 { $0.frames(2); $0.file.add("LYRICSBEGIN") }
                $0.file.add("words LYRICSEND")
                $0.frames(3)
            })
        #expect(recording.duration?.ticks == 2003 * 1152)
        #expect(codes(recording).contains(.damagedFrames))
    }

    @Test(
        "Sizes in tags that reach beyond the file are not believed", arguments: [16, 20, 32, 1 << 31, Int(UInt32.max)])
    func hostileAPE(size: Int) throws {
        var bytes = mpeg {
            $0.frames(5); $0.ape("Title", "x")
        }
        let little = (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
        for footer in [bytes.count - 20, 5 * 417 + 12] { bytes.replaceSubrange(footer..<footer + 4, with: little) }
        #expect(try probe(bytes).duration?.ticks == 5 * 1152)
    }
}
