// `unsafe`: mkfifo takes the address of a path.

import Diagnostics
import Foundation
import ImageCodecs
import MediaPrep
import TestSupport
import Testing

@Suite("A file that cannot be prepared throws a MediaError")
struct MediaErrorTests {
    private let preparer = ImagePreparer()

    @Test("A file cut short is rejected, with the stage, the byte and the file's name")
    func truncatedFileIsRejectedWithStageAndOffset() throws {
        let url = SampleMedia.damagedFile(named: "truncated.jpg")
        let error = try #require(#expect(throws: MediaError.self) { try preparer.prepare(contentsOf: url) })
        let size = try Data(contentsOf: url).count
        let offset = try #require(error.offset)
        #expect(error.code.rawValue == "truncated")
        #expect(error.verdict == .rejected)
        #expect(error.stage == .decode)
        #expect(error.fileName == url.path)
        // libjpeg has read up to the end when it runs out of data, but for what its bit buffer of 8 bytes may hold.
        #expect((size - 8...size).contains(offset))
        #expect(error.description.hasPrefix("\(url.path): rejected (truncated) in stage decode at byte \(offset): "))
    }

    @Test("A file cut short is taken on request, with a warning in place of the error")
    func truncatedFileIsAcceptedOnRequest() throws {
        var options = ImageOptions()
        options.allowsTruncated = true
        let image = try ImagePreparer(options).prepare(contentsOf: SampleMedia.damagedFile(named: "truncated.jpg"))
        #expect(image.verdict == .converted)
        #expect(image.width == 1600)
        #expect(image.height == 1200)
        #expect(image.warnings.map(\.code) == [.truncated])
        #expect(try StrictJPEGParser(parsing: image.data).leakedMetadataDescriptions == [])
    }

    @Test("A file truncated before its image data fails", arguments: [false, true])
    func fileCutInHeaderFails(_ allowsTruncated: Bool) throws {
        var options = ImageOptions()
        options.allowsTruncated = allowsTruncated
        let cut = try SmallJPEGs.makeColorNoise(quality: 80).prefix(100)
        let error = #expect(throws: MediaError.self) { try ImagePreparer(options).prepare(Data(cut)) }
        #expect(error?.code.rawValue == "truncated")
        #expect(error?.verdict == (allowsTruncated ? .failed : .rejected))
        #expect(error?.stage == .probe)
    }

    static let contentCases: [(Data, String, MediaError.Verdict)] = [
        (Data("This is plain text.".utf8), "unrecognized-format", .rejected), (Data(), "empty", .failed),
        (Data("GIF89a and more".utf8), "unsupported-gif", .rejected),
        (Data("II*\0 and more".utf8), "unsupported-tiff", .rejected),
    ]

    @Test("Files that are not images, and unsupported images, are recognized by their content", arguments: contentCases)
    func nonImagesAreIdentifiedByContent(_ data: Data, _ code: String, _ verdict: MediaError.Verdict) {
        for attempt in [{ _ = try preparer.prepare(data) }, { _ = try preparer.probe(data) }] as [() throws -> Void] {
            let error = #expect(throws: MediaError.self, performing: attempt)
            #expect(error?.code.rawValue == code)
            #expect(error?.verdict == verdict)
            #expect(error?.stage == .probe)
            #expect(error?.fileName == nil)
        }
    }

    @Test(
        "A sample with a wrong extension is rejected by its content",
        arguments: [("text.jpg", "unrecognized-format"), ("header.heic", "unsupported-heic")])
    func mislabeledSampleIsRejectedByContent(_ name: String, _ code: String) {
        let url = SampleMedia.damagedFile(named: name)
        let error = #expect(throws: MediaError.self) { try preparer.prepare(contentsOf: url) }
        #expect(error?.code.rawValue == code)
        #expect(error?.verdict == .rejected)
        #expect(error?.description.hasPrefix("\(url.path): rejected (\(code)) in stage probe at byte 0: ") == true)
    }

    @Test("A HEIC image is rejected with a suggestion")
    func heicErrorGivesAdvice() {
        let error = #expect(throws: MediaError.self) {
            try preparer.prepare(contentsOf: SampleMedia.damagedFile(named: "header.heic"))
        }
        #expect(error?.message.contains("export the image as JPEG or PNG") == true)
    }

    @Test("A file that isn't there could not be read")
    func missingFileIsUnreadable() {
        let url = SampleMedia.goodImage(named: "no-such-photo.jpg")
        for attempt in [{ _ = try preparer.prepare(contentsOf: url) }, { _ = try preparer.probe(contentsOf: url) }]
            as [() throws -> Void]
        {
            let error = #expect(throws: MediaError.self, performing: attempt)
            #expect(error?.code == .unreadable)
            #expect(error?.verdict == .failed)
            #expect(error?.stage == .read)
            #expect(error?.description.hasPrefix("\(url.path): failed (unreadable) in stage read: ") == true)
        }
    }

    @Test("A URL that names no file could not be read")
    func nonFileURLIsUnreadable() throws {
        let url = try #require(URL(string: "https://example.com/a.jpg"))
        let error = #expect(throws: MediaError.self) { try preparer.prepare(contentsOf: url) }
        #expect(error?.code == .unreadable)
    }

    @Test("A directory and a pipe without a writer are not regular files, and do not block")
    func directoryAndPipeAreNotRegularFiles() throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.url.appending(path: "pipe.jpg")
        try #require(unsafe mkfifo(pipe.path, 0o600) == 0)
        for url in [directory.url, pipe] {
            let error = #expect(throws: MediaError.self) { try preparer.prepare(contentsOf: url) }
            #expect(error?.code == .notARegularFile)
            #expect(error?.verdict == .rejected)
            #expect(error?.stage == .read)
        }
    }

    @Test("A file with more bytes than allowed is rejected before it is read")
    func oversizedFileIsRejectedBeforeReading() throws {
        let directory = try TemporaryDirectory()
        let jpeg = try SmallJPEGs.makeColorNoise(quality: 80)
        let url = try directory.writeFile(jpeg, named: "photo.jpg")
        var options = ImageOptions()
        options.limits.inputBytes = jpeg.count
        #expect(throws: Never.self) { try ImagePreparer(options).prepare(contentsOf: url) }
        options.limits.inputBytes -= 1
        let error = #expect(throws: MediaError.self) { try ImagePreparer(options).prepare(contentsOf: url) }
        #expect(error?.code == .inputTooLarge)
        #expect(error?.stage == .read)
    }

    @Test("A file that changes after it was opened is not prepared", arguments: [1, -1, 0])
    func fileChangedAfterOpeningIsNotPrepared(_ growth: Int) throws {
        let directory = try TemporaryDirectory()
        let jpeg = try SmallJPEGs.makeColorNoise(quality: 80)
        let url = try directory.writeFile(jpeg, named: "photo.jpg")
        var file = try SourceFile(url)
        #expect(try file.readContents(limit: .max) == Array(jpeg))
        let handle = try FileHandle(forUpdating: url)
        if growth < 0 { try handle.truncate(atOffset: UInt64(jpeg.count + growth)) }
        if growth > 0 { try handle.seekToEnd() }
        if growth >= 0 { try handle.write(contentsOf: Data([0xFF])) }
        // Clocks of file systems tick every few milliseconds: a change within the tick of the one before it, to a file
        // of the same size, can't be told. That is no fault of the file's.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: url.path)
        let error = #expect(throws: MediaError.self) { _ = try file.readContents(limit: .max) }
        #expect(error?.code == .changedWhileRead)
        #expect(error?.verdict == .failed)
        #expect(error?.stage == .read)
        #expect(error?.fileName == url.path)
    }

    @Test("A recording that was written to while it was looked at is not judged")
    func audioChangedDuringInspectionIsNotJudged() throws {
        let directory = try TemporaryDirectory()
        let url = try directory.writeFile(makeWAV(makeToneSamples(amplitude: 0.5)), named: "note.wav")
        var file = try SourceFile(url)
        try makeWAV(makeToneSamples(amplitude: 0.5) + makeToneSamples(amplitude: 0.5)).write(to: url)
        let appending = try FileHandle(forUpdating: url)
        try appending.seekToEnd()
        try appending.write(contentsOf: Data(count: 100))
        let error = #expect(throws: MediaError.self) { _ = try AudioPreparer().inspect(&file) }
        #expect(error?.code == .changedWhileRead)
    }

    @Test("An error without a file or a byte still reads as a sentence")
    func errorWithoutFileOrOffsetHasDescription() {
        let error = MediaError(.maxBytesExceeded, verdict: .rejected, stage: .encode, message: "it is too large")
        #expect(error.description == "rejected (max-bytes) in stage encode: it is too large")
    }
}
