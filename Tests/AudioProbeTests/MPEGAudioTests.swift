import AudioProbe
import Diagnostics
import TestSupport
import Testing

@Suite("MPEG audio frames are counted one by one")
struct MPEGAudioTests {
    typealias Frame = MPEGBuilder.Frame

    @Test(
        "Every version and layer is counted",
        arguments: [
            (Frame(), 1152, 44_100, AudioCodec.mp3),
            (Frame(rate: 1, length: 384), 1152, 48_000, .mp3),
            (Frame(isPadded: true, isMono: true, length: 418), 1152, 44_100, .mp3),
            (Frame(version: 2, bitRate: 8, length: 208), 576, 22_050, .mp3),
            (Frame(version: 0, bitRate: 1, rate: 2, isMono: true, length: 72), 576, 8000, .mp3),
            (Frame(layer: 2, bitRate: 8, length: 417), 1152, 44_100, .mp2),
            (Frame(version: 2, layer: 2, bitRate: 8, rate: 1, length: 384), 1152, 24_000, .mp2),
            (Frame(layer: 1, bitRate: 4, isPadded: true, length: 140), 384, 44_100, .mp1),
            (Frame(version: 2, layer: 1, bitRate: 1, rate: 2, length: 96), 384, 16_000, .mp1),
        ])
    func everyVersionAndLayerIsCounted(frame: Frame, samples: Int, rate: Int, codec: AudioCodec) throws {
        let recording = try probeBytes(buildMPEGAudio { $0.appendFrames(count: 7, frame: frame) })
        #expect(recording.container == .mpegAudio)
        #expect(recording.mainTrack.codec == codec)
        #expect(recording.mainTrack.channels == (frame.isMono ? 1 : 2))
        #expect(recording.duration == AudioDuration(ticks: 7 * samples, timescale: rate, method: .scan))
        #expect(recording.mediaBytes == 7 * frame.length)
        #expect(recording.completeness == .complete)
        #expect(recording.warnings.isEmpty)
    }

    @Test("The bit rate may change from frame to frame")
    func variableBitRateIsCounted() throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendFrames(count: 1, frame: Frame(bitRate: 1, length: 104))
                for _ in 0..<20 {
                    $0.appendFrames(count: 1, frame: Frame(bitRate: 14, length: 1044))
                    $0.appendFrames(count: 2, frame: Frame(bitRate: 5, isPadded: true, length: 209))
                }
            })
        #expect(recording.duration == AudioDuration(ticks: 61 * 1152, timescale: 44_100, method: .scan))
    }

    @Test("Free-format frames have the length of the first", arguments: [500, 2000, 5759])
    func freeFormatIsCounted(length: Int) throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                for number in 0..<9 {
                    let isPadded = number % 3 == 1
                    $0.appendFrames(
                        count: 1, frame: Frame(bitRate: 0, isPadded: isPadded, length: length + (isPadded ? 1 : 0)))
                }
            })
        #expect(recording.duration == AudioDuration(ticks: 9 * 1152, timescale: 44_100, method: .scan))
        #expect(recording.completeness == .complete)
    }

    @Test("After a change of the sample rate, frames are counted by their own rate")
    func sampleRateChangeIsCountedPerFrame() throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendFrames(count: 5)
                $0.appendFrames(count: 5, frame: Frame(rate: 1, length: 384))
                $0.appendFrames(count: 5, frame: Frame(version: 2, bitRate: 8, length: 208))
            })
        #expect(recording.duration?.timescale == 7_056_000)
        #expect(recording.duration?.ticks == 5 * 1152 * 160 + 5 * 1152 * 147 + 5 * 576 * 320)
        #expect(recording.duration?.isExact == true)
        #expect(recording.warnings.isEmpty)
    }

    @Test("A header of another layer is not a frame")
    func otherLayerHeaderIsNotAFrame() throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendFrames(count: 5)
                $0.appendFrames(count: 5, frame: Frame(layer: 2, bitRate: 8, length: 417))
            })
        #expect(recording.duration?.ticks == 5 * 1152)
        #expect(warningCodes(recording) == [.trailingBytes])
    }

    @Test("Bytes between frames are skipped", arguments: [1, 100, 5000, 200_000])
    func bytesBetweenFramesAreSkipped(count: Int) throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendFrames(count: 10)
                $0.file.append([UInt8](repeating: 0xA5, count: count))
                $0.appendFrames(count: 10)
            })
        #expect(recording.duration?.ticks == 20 * 1152)
        #expect(recording.duration?.isExact == false)
        #expect(warningCodes(recording) == [.damagedFrames])
        #expect(recording.warnings.first?.offset == 4170)
    }

    @Test("The search for the next frame is limited")
    func frameSearchIsLimited() throws {
        var options = ProbeOptions()
        options.limits.searchBytes = 1000
        let bytes = buildMPEGAudio {
            $0.appendFrames(count: 10)
            $0.file.append([UInt8](repeating: 0xA5, count: 1200))
            $0.appendFrames(count: 10)
        }
        let recording = try Recording(bytes: bytes, options: options)
        #expect(recording.duration?.ticks == 10 * 1152)
        #expect((recording.duration?.errorBound ?? 0) > 10 * 1152 / 44_100)
        #expect(warningCodes(recording) == [.trailingBytes])
    }

    @Test("Bytes before the first frame are skipped", arguments: [1, 3000, 65_000])
    func bytesBeforeFirstFrameAreSkipped(count: Int) throws {
        let garbage = [UInt8](repeating: 0xFF, count: count)
        #expect(try probeBytes(garbage + buildMPEGAudio { $0.appendFrames(count: 3) }).duration?.ticks == 3 * 1152)
        #expect(probeErrorCode(garbage + buildMPEGAudio { $0.appendFrames(count: 2) }) != nil)
    }

    @Test("A quick probe uses the header or the bit rate, with an error bound")
    func quickProbeUsesHeaderOrBitRate() throws {
        let stated = try probeBytes(
            buildMPEGAudio {
                $0.appendXingFrame("Xing", frames: 90, delay: 576, padding: 1000); $0.appendFrames(count: 100)
            }, quick: true)
        #expect(stated.duration?.ticks == 90 * 1152 - 1576)
        #expect(stated.duration?.method == .estimate)
        let whole = try probeBytes(
            buildMPEGAudio {
                $0.appendXingFrame("Xing", frames: 90); $0.appendFrames(count: 100)
            })
        let difference = abs((whole.duration?.seconds ?? 0) - (stated.duration?.seconds ?? 0))
        #expect(difference <= stated.duration?.errorBound ?? 0)

        let constant = try probeBytes(buildMPEGAudio { $0.appendFrames(count: 100) }, quick: true)
        #expect(abs((constant.duration?.ticks ?? 0) - 100 * 1152) < 1152)
        #expect((constant.duration?.errorBound ?? 0) > 0)
    }
}

@Suite("VBR headers of MPEG audio")
struct VBRHeaderTests {
    typealias Frame = MPEGBuilder.Frame

    @Test(
        "The frame of a VBR header is not audio",
        arguments: [
            Frame(), Frame(isMono: true), Frame(isProtected: true), Frame(version: 2, bitRate: 11, length: 365),
            Frame(version: 2, bitRate: 11, isMono: true, length: 365), Frame(bitRate: 14, length: 1044),
        ])
    func vbrHeaderFrameIsNotAudio(frame: Frame) throws {
        for name in ["Xing", "Info"] {
            let recording = try probeBytes(
                buildMPEGAudio {
                    $0.appendXingFrame(name, frames: 20, delay: 576, padding: 1105, in: frame)
                    $0.appendFrames(count: 20, frame: frame)
                })
            let samples = frame.version == 3 ? 1152 : 576
            #expect(recording.duration?.ticks == 20 * samples - 1681)
            #expect(recording.duration?.isExact == true)
            #expect(recording.mediaBytes == 20 * frame.length)
            #expect(recording.warnings.isEmpty)
        }
    }

    @Test(
        "Delay and padding count by whoever is known to write them", arguments: ["LAME3.100", "Lavc60.31", "Lavf58.76"])
    func delayAndPaddingApplyForKnownEncoders(name: String) throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendXingFrame(frames: 9, delay: 1, padding: 2, encoder: name); $0.appendFrames(count: 9)
            })
        #expect(recording.duration?.ticks == 9 * 1152 - 3)
    }

    @Test("Delay and padding may exceed the audio")
    func delayBeyondDurationGivesNothing() throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendXingFrame(frames: 2, delay: 4095, padding: 4095); $0.appendFrames(count: 2)
            })
        #expect(recording.duration?.ticks == 0)
    }

    @Test(
        "False counts are reported",
        arguments: [(0, false), (19, false), (20, false), (21, false), (22, true), (5, true), (Int(UInt32.max), true)])
    func wrongVBRHeaderCountIsReported(frames: Int, isTold: Bool) throws {
        for isFraunhofer in [false, true] {
            let recording = try probeBytes(
                buildMPEGAudio {
                    if isFraunhofer {
                        $0.appendVBRIFrame(frames: frames, size: 417 * 21)
                    } else {
                        $0.appendXingFrame("Xing", frames: frames, size: 417 * 21)
                    }
                    $0.appendFrames(count: 20)
                })
            #expect(recording.duration == AudioDuration(ticks: 20 * 1152, timescale: 44_100, method: .scan))
            #expect(warningCodes(recording) == (isTold ? [.headerContradicts] : []))
            #expect(recording.completeness == .complete)
        }
    }

    @Test("A VBR header without frames has no audio")
    func vbrHeaderAloneIsEmpty() throws {
        let recording = try probeBytes(buildMPEGAudio { $0.appendXingFrame(frames: 0, delay: 576, padding: 0) })
        #expect(recording.duration?.ticks == 0)
        #expect(recording.completeness == .noAudioFrames)
    }

    @Test("A stream that is cut between two frames is truncated and has no padding")
    func fileCutBetweenFramesIsTruncated() throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendXingFrame(frames: 50, size: 51 * 417, delay: 576, padding: 1000); $0.appendFrames(count: 20)
            })
        #expect(recording.completeness == .truncated(offset: 21 * 417))
        #expect(recording.duration?.ticks == 20 * 1152 - 576 - 529)
        #expect(warningCodes(recording) == [.headerContradicts])
    }

    @Test("Each joined stream excludes its own delay and padding")
    func joinedFilesTrimTheirOwnDelay() throws {
        let recording = try probeBytes(
            buildMPEGAudio {
                $0.appendXingFrame(frames: 20, delay: 576, padding: 1000)
                $0.appendFrames(count: 20)
                $0.appendXingFrame("Xing", frames: 10, delay: 1105, padding: 600)
                $0.appendFrames(count: 10)
            })
        #expect(recording.duration?.ticks == 30 * 1152 - 1576 - 1705)
        #expect(recording.duration?.isExact == false)
        #expect(warningCodes(recording) == [.chainedRecordings])
        #expect(recording.completeness == .complete)
    }

    @Test("The marker alone, inside the audio, is not a VBR header")
    func vbrMarkerInsideAudioIsIgnored() throws {
        var bytes = buildMPEGAudio { $0.appendFrames(count: 10) }
        bytes.replaceSubrange(417 * 4 + 36..<417 * 4 + 40, with: "Xing".utf8)
        let recording = try probeBytes(bytes)
        #expect(recording.duration?.ticks == 10 * 1152)
        #expect(recording.warnings.isEmpty)
    }

    @Test("The number of joined streams is limited")
    func tooManyJoinedFilesAreRejected() {
        let bytes = buildMPEGAudio { builder in
            for _ in 0..<10_001 {
                builder.appendXingFrame(in: Frame(bitRate: 4, length: 182));
                builder.appendFrames(count: 1, frame: Frame(bitRate: 1, length: 104))
            }
        }
        #expect(probeErrorCode(bytes) == .limitExceeded)
    }
}

@Suite("Truncated and hostile files of raw frames")
struct MPEGDamageTests {
    private static let file = buildMPEGAudio {
        $0.appendID3v2Tag([("TIT2", [3] + "Title".utf8)], padding: 20)
        $0.appendXingFrame(frames: 6, size: 7 * 417, delay: 576, padding: 1200)
        $0.appendFrames(count: 6)
        $0.appendAPETag(key: "Title", value: "x")
        $0.appendID3v1Tag(title: "x")
    }

    @Test("A file that is cut anywhere has its complete frames")
    func everyPrefixGivesWholeFrames() throws {
        let start = 10 + 16 + 20
        let whole = 6 * 1152 - 1776
        for count in 1..<Self.file.count {
            do throws(AudioError) {
                let recording = try probeBytes(Array(Self.file[..<count]))
                let frames = min(max(0, (count - start) / 417 - 1), 6)
                let ticks = frames == 6 ? whole : max(0, min(frames * 1152 - 1105, whole))
                #expect(recording.duration?.ticks == ticks)
                let audioByteCount = count - start - 7 * 417
                if audioByteCount < 0 { #expect(recording.completeness != .complete || recording.warnings.count > 1) }
            } catch {
                #expect(count < start + 421)
            }
        }
    }

    @Test("A truncated last frame is reported", arguments: [1, 3, 4, 100, 416])
    func incompleteLastFrameIsTruncated(count: Int) throws {
        let bytes = buildMPEGAudio { $0.appendFrames(count: 6) }
        let recording = try probeBytes(Array(bytes[..<(5 * 417 + count)]))
        #expect(recording.duration?.ticks == 5 * 1152)
        #expect(recording.completeness == .truncated(offset: 5 * 417))
        #expect(recording.warnings.isEmpty)
    }

    @Test("Changed copies of each file give a recording or an error")
    func flippedBytesAreHandled() {
        var random = SplitMix64(seed: 20)
        let files = [
            Self.file,
            buildMPEGAudio {
                $0.appendADTSFrames(20); $0.appendID3v1Tag()
            },
            buildMPEGAudio {
                $0.appendFrames(count: 6, frame: MPEGBuilder.Frame(bitRate: 0, length: 300)); $0.appendLyrics2Tag();
                $0.appendID3v1Tag()
            },
        ]
        for number in 0..<randomizedRounds(5000) * files.count {
            var bytes = files[number % files.count]
            for _ in 0..<random.number(in: 1...8) {
                bytes[random.number(in: 0...bytes.count - 1)] = UInt8(random.number(in: 0...255))
            }
            for isQuick in [false, true] {
                if let recording = try? probeBytes(bytes, quick: isQuick) {
                    #expect((recording.duration?.seconds ?? 0) < 60)
                }
            }
        }
    }

    @Test("Other data is not detected as frames")
    func otherDataIsNotTakenForFrames() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<20 {
            #expect(probeErrorCode(random.bytes(count: 100_000)) == .unrecognizedFormat)
        }
        #expect(probeErrorCode([UInt8](repeating: 0xFF, count: 10_000)) != nil)
        #expect(probeErrorCode((0..<10_000).map { $0 % 2 == 0 ? 0xFF : 0xFB }) != nil)
        // UTF-16 text of the length that its first characters state as a frame header.
        #expect(probeErrorCode([0xFF, 0xFE, 0x48, 0] + [UInt8](repeating: 0x20, count: 188)) == .notAudio)
        // One frame, and then something else.
        #expect(probeErrorCode(buildMPEGAudio { $0.appendFrames(count: 1) } + [1, 2, 3, 4, 5]) == .unrecognizedFormat)
    }

    @Test("Unsupported streams that contain frames are named")
    func programStreamsAreRejectedByName() {
        let frames = buildMPEGAudio { $0.appendFrames(count: 3) }
        #expect(probeErrorCode([0, 0, 1, 0xBA] + frames)?.rawValue == "unsupported-mpeg-ps")
        var transport = [UInt8](repeating: 0, count: 564)
        for offset in [0, 188, 376] { transport[offset] = 0x47 }
        #expect(probeErrorCode(transport)?.rawValue == "unsupported-mpeg-ts")
        #expect(probeErrorCode([0x56, 0xE0, 5, 0, 0, 0, 0, 0, 0x56, 0xE0, 5])?.rawValue == "unsupported-loas")
    }
}
