import Diagnostics
import Foundation
import ImageCodecs
import Imaging
import MediaPrep
import TestSupport
import Testing

@Suite("A probe predicts the prepared image from the header")
struct ImageProbeTests {
    @Test("Size, format and orientation are those that a preparation finds", arguments: PrivacyTests.sampleNames)
    func probeAgreesWithPreparation(_ name: String) throws {
        let probe = try ImagePreparer().probe(contentsOf: SampleMedia.goodImage(named: name))
        let image = try PreparedSamples.preparedImage(named: name)
        #expect(probe.preparedSize == PixelSize(width: image.width, height: image.height))
        #expect(probe.storedSize == image.sourceProbe.storedSize)
        #expect(probe.orientation == image.sourceProbe.orientation)
        #expect(probe.uprightSize == probe.orientation.orientedSize(of: probe.storedSize))
        #expect(probe.format == (name.hasSuffix(".png") ? .png : name.hasSuffix(".webp") ? .webp : .jpeg))
        #expect(probe.isProgressive == name.contains("progressive"))
    }

    @Test(
        "The size that it announces is the one that is made, at any limit",
        arguments: [nil, 1, 7, 63, 64, 95, 96, 1600])
    func announcedSizeIsProduced(_ maxDimension: Int?) throws {
        let preparer = ImagePreparer(maxDimension: maxDimension)
        for orientation in [1, 6] {
            let jpeg = try SmallJPEGs.makeColorNoise(width: 96, height: 61, quality: 90).addingExifOrientation(
                orientation)
            let size = try preparer.probe(jpeg).preparedSize
            let image = try preparer.prepare(jpeg)
            #expect(size == PixelSize(width: image.width, height: image.height))
        }
    }

    @Test("A file truncated after its header is probed like a complete one")
    func truncatedFileIsProbedLikeWholeFile() throws {
        let probe = try ImagePreparer().probe(contentsOf: SampleMedia.damagedFile(named: "truncated.jpg"))
        #expect(probe.storedSize == PixelSize(width: 1600, height: 1200))
    }

    @Test("Nothing after the header of the first scan is read")
    func probeReadsNothingAfterFirstScanHeader() throws {
        let jpeg = try SmallJPEGs.makeColorNoise(quality: 80)
        let header = try Self.headerBytes(of: jpeg)
        #expect(try ImagePreparer().probe(header).storedSize == PixelSize(width: 96, height: 64))
        let error = #expect(throws: MediaError.self) { try ImagePreparer().probe(Data(header.dropLast())) }
        #expect(error?.code.rawValue == "truncated")
        #expect(error?.stage == .probe)
    }

    @Test(
        "Of a large file only the header is read; one that is too large to be prepared is rejected as by a preparation")
    func hugeFileIsProbedFromHeaderOrRejected() throws {
        let directory = try TemporaryDirectory()
        let url = try directory.writeFile(
            try Self.headerBytes(of: try SmallJPEGs.makeColorNoise(quality: 80)), named: "huge.jpg")
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        // Holes that take no room on the disk.
        try handle.truncate(atOffset: 255 << 20)
        #expect(try ImagePreparer().probe(contentsOf: url).storedSize == PixelSize(width: 96, height: 64))
        try handle.truncate(atOffset: 257 << 20)
        let probing = #expect(throws: MediaError.self) { try ImagePreparer().probe(contentsOf: url) }
        #expect(probing?.code == .inputTooLarge)
        let preparing = #expect(throws: MediaError.self) { try ImagePreparer().prepare(contentsOf: url) }
        #expect(preparing?.code == .inputTooLarge)
    }

    @Test("The bytes that a probe read are not read again", arguments: [0, 1, 9, 17])
    func probedBytesAreNotReadAgain(_ segments: Int) throws {
        let directory = try TemporaryDirectory()
        var jpeg = try SmallJPEGs.makeColorNoise(quality: 80)
        let expected = try ImagePreparer().prepare(jpeg).data
        for _ in 0..<segments {
            jpeg = jpeg.insertingSegment(marker: 0xEF, payload: [UInt8](repeating: 7, count: 60_000))
        }
        let url = try directory.writeFile(jpeg, named: "photo.jpg")
        var file = try SourceFile(url)
        // A prefix that is not the file's can only have been taken as it is.
        let prefix = [UInt8](repeating: 5, count: min(100, jpeg.count))
        #expect(try file.readContents(continuing: prefix, limit: .max) == prefix + jpeg.dropFirst(100))
        let preparer = ImagePreparer()
        var image = try preparer.openImage(try SourceFile(url))
        #expect(try preparer.probe(&image).storedSize == PixelSize(width: 96, height: 64))
        guard case .image(let prepared) = try preparer.makeOutcome(image) else {
            Issue.record("the image is rejected")
            return
        }
        #expect(prepared.data == expected)
    }

    @Test("A header longer than the first read is found", arguments: [1, 2, 9, 17])
    func longHeaderIsReadCompletely(_ segments: Int) throws {
        let directory = try TemporaryDirectory()
        var jpeg = try SmallJPEGs.makeColorNoise(quality: 80)
        for _ in 0..<segments {
            jpeg = jpeg.insertingSegment(marker: 0xEF, payload: [UInt8](repeating: 7, count: 60_000))
        }
        let url = try directory.writeFile(jpeg, named: "long.jpg")
        #expect(try ImagePreparer().probe(contentsOf: url).storedSize == PixelSize(width: 96, height: 64))
    }

    @Test("A preparation has all warnings of the probe")
    func probeWarningsMatchPreparation() throws {
        let jpeg = try SmallJPEGs.makeColorNoise(quality: 80).insertingSegment(
            marker: 0xE2, payload: Array("MPF\0MM\0*".utf8))
        let warnings = try ImagePreparer().probe(jpeg).warnings
        #expect(warnings.map(\.code) == [.extraImagesDropped])
        #expect(try ImagePreparer().prepare(jpeg).warnings.starts(with: warnings))
    }

    @Test("The memory of a progressive image includes its coefficients: two bytes per sample")
    func progressiveImageStatesCoefficientMemory() throws {
        // Made so small that decoding takes the most.
        let preparer = ImagePreparer(maxDimension: 16)
        let baseline = try preparer.probe(try SmallJPEGs.makeColorNoise(quality: 80))
        let progressive = try preparer.probe(try SmallJPEGs.makeColorNoise(quality: 80, isProgressive: true))
        // 96 x 64 samples of luma and twice 48 x 32 of chroma: whole blocks, so nothing is added to fill them.
        #expect(progressive.peakMemoryBytes - baseline.peakMemoryBytes == 2 * (96 * 64 + 2 * 48 * 32))
    }

    /// A JPEG up to the end of its first scan's header.
    private static func headerBytes(of jpeg: Data) throws -> Data {
        let scan = try #require(try StrictJPEGParser(parsing: jpeg).segments(withMarker: 0xDA).first?.entropyCodedData)
        return Data(jpeg.dropLast(scan.count + 2))
    }
}
