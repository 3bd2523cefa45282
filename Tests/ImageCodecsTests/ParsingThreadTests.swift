import CJPEGFastDecoder
import Foundation
import Imaging
import SystemSupport
import TestSupport
import Testing

@testable import ImageCodecs

/// A second thread that parses a JPEG while the first one transforms it.
@Suite(
    "A JPEG is the same if another thread parses it", .enabled(if: prep_jpeg_fast_decoder_is_available()),
    .timeLimit(.minutes(60)))
struct ParsingThreadTests {
    private static let size = PixelSize(width: 1100, height: 700)
    private static let samplings: [[LibJPEGFileBuilder.Sampling]] = [
        [[1, 1]], [[1, 1], [1, 1], [1, 1]], [[2, 1], [1, 1], [1, 1]], [[2, 2], [1, 1], [1, 1]],
        [[1, 2], [1, 1], [1, 1]], [[4, 1], [1, 1], [1, 1]],
    ]

    private static func makeJPEG(
        _ sampling: [LibJPEGFileBuilder.Sampling], restartInterval: Int = 0, size: PixelSize = size
    ) throws -> [UInt8] {
        try LibJPEGFileBuilder(colorSpace: sampling.count == 1 ? .gray : .yCbCr, sampling: sampling)
            .modified { $0.restartInterval = restartInterval }.encodedTexture(size: size)
    }

    private static func decode(_ file: [UInt8], spareThreads: SpareThreads?) throws(CodecError) -> [Plane] {
        let source = try ImageSource(file)
        let request = ResampleRequest(size: PixelSize(width: 400, height: 255), minChromaSubsampling: .none)
        return try source.decode(resampling: request, convertsToSRGB: false, spareThreads: spareThreads).image.planes
    }

    /// Waits until the other thread has given itself back, which it does after the image is decoded.
    private static func waitForThread(_ threads: SpareThreads) async throws {
        while !threads.takeIfLeft() { try await Task.sleep(for: .milliseconds(1)) }
        threads.giveBack()
    }

    @Test("with every sampling, with restart markers and without", arguments: samplings, [0, 1, 7, 5000])
    func samplesAreEqual(sampling: [LibJPEGFileBuilder.Sampling], restartInterval: Int) async throws {
        let file = try Self.makeJPEG(sampling, restartInterval: restartInterval)
        let threads = SpareThreads(count: 1)
        let expected = try Self.decode(file, spareThreads: nil), planes = try Self.decode(file, spareThreads: threads)
        #expect(planes.map(\.samples) == expected.map(\.samples))
        try await Self.waitForThread(threads)
    }

    @Test("with a changed byte, or without its end: the same image, or the same error", arguments: 0..<24)
    func damagedFilesAreEqual(seed: Int) async throws {
        var file = try Self.makeJPEG(Self.samplings[seed % Self.samplings.count], restartInterval: seed % 3 * 50)
        let place = file.count * (seed + 1) / 26
        if seed % 4 == 3 { file.removeLast(file.count - place) } else { file[place] ^= UInt8(1 << (seed % 8)) }
        let threads = SpareThreads(count: 1)
        func result(_ threads: SpareThreads?) -> Result<[ContiguousArray<UInt8>], CodecError> {
            Result { () throws(CodecError) in
                try Self.decode(file, spareThreads: threads).map(\.samples)
            }
        }
        #expect(result(threads) == result(nil))
        try await Self.waitForThread(threads)
    }

    @Test("if the decoder ends before the image does")
    func decoderEndsEarly() async throws {
        let file = try Self.makeJPEG(Self.samplings[1])
        let threads = SpareThreads(count: 1)
        let jpeg = try JPEGFile(parsing: file)
        let layout = try LibJPEGDecoder(file).layout
        do {
            guard
                var decoder = JPEGFastDecoder(
                    file: jpeg, layout: layout, instructionSet: .portable, spareThreads: threads)
            else { throw FastDecoderRejection() }
            var ringBuffer = RowRingBuffer(layout: layout, retainedRowCounts: [8, 8, 8])
            try decoder.decodeRowBatch(into: &ringBuffer)
            // The image has more blocks than are parsed ahead.
            try #require(!threads.takeIfLeft(), "the thread waits for the decoder")
            let hasConsumedAllData = decoder.finishDecoding()
            #expect(!hasConsumedAllData)
        }
        try await Self.waitForThread(threads)
    }

    @Test("if the thread becomes free in the middle of the image")
    func threadStartsLate() async throws {
        let file = try Self.makeJPEG(Self.samplings[3], size: PixelSize(width: 1100, height: 1400))
        let jpeg = try JPEGFile(parsing: file)
        let layout = try LibJPEGDecoder(file).layout
        func rows(startingThreadAtBatch start: Int?) throws -> [ContiguousArray<UInt8>] {
            let threads = SpareThreads(count: 0)
            guard
                var decoder = JPEGFastDecoder(
                    file: jpeg, layout: layout, instructionSet: .portable, spareThreads: threads)
            else { throw FastDecoderRejection() }
            var ringBuffer = RowRingBuffer(layout: layout, retainedRowCounts: [0, 0, 0])
            var batches: [ContiguousArray<UInt8>] = []
            for batch in 0..<(1400 / 16) {
                if batch == start { threads.giveBack() }
                try decoder.decodeRowBatch(into: &ringBuffer)
                batches.append(ringBuffer.bytes)
            }
            return batches
        }
        #expect(try rows(startingThreadAtBatch: 20) == rows(startingThreadAtBatch: nil))
    }

    @Test("A thread is not taken for a small or a progressive image")
    func noThreadIsTaken() throws {
        let small = try Self.makeJPEG(Self.samplings[3], size: PixelSize(width: 500, height: 400))
        let progressive = try LibJPEGFileBuilder.yCbCr420.modified { $0.isProgressive = true }
            .encodedTexture(size: Self.size)
        for file in [small, progressive] {
            let jpeg = try JPEGFile(parsing: file)
            let layout = try LibJPEGDecoder(file).layout
            let threads = SpareThreads(count: 1)
            guard
                var decoder = JPEGFastDecoder(
                    file: jpeg, layout: layout, instructionSet: .portable, spareThreads: threads)
            else { throw FastDecoderRejection() }
            var ringBuffer = RowRingBuffer(layout: layout, retainedRowCounts: [8, 8, 8])
            try decoder.decodeRowBatch(into: &ringBuffer)
            #expect(threads.takeIfLeft())
        }
    }

    @Test("As many threads are taken as are left, and each is given back")
    func spareThreadsAreCounted() {
        let threads = SpareThreads(count: 2)
        #expect(threads.takeIfLeft() && threads.takeIfLeft() && !threads.takeIfLeft())
        threads.take()
        threads.giveBack()
        #expect(!threads.takeIfLeft(), "one more was taken than were left")
        threads.giveBack()
        #expect(threads.takeIfLeft())
    }
}
