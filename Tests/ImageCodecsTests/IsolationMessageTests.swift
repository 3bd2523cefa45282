import Imaging
import TestSupport
import Testing

@testable import ImageCodecs

@Suite("Requests to a worker and its answers are numbers, and are checked")
struct IsolationMessageTests {
    @Test("A request is what was sent, with every limit")
    func requestIsUnchanged() throws {
        #expect(Mirror(reflecting: ImageLimits()).children.count == DecodeRequest.limitKeyPaths.count)
        var options = ImageSource.DecodingOptions()
        options.background = RGBColor(red: 1, green: 2, blue: 255)
        for (index, keyPath) in DecodeRequest.limitKeyPaths.enumerated() {
            options.limits[keyPath: keyPath] = 1000 + index
        }
        for (orientation, filter) in zip(Orientation.allCases, ResampleFilter.allCases) {
            var resampling = ResampleRequest(
                size: PixelSize(width: 1600, height: 900), orientation: orientation,
                minChromaSubsampling: ChromaSubsampling(horizontalFactor: 2, verticalFactor: 1), filter: filter,
                instructionSet: .portable)
            resampling.isMeasured = orientation == .up
            let numbers = DecodeRequest(
                fileByteCount: 12345, resampling: resampling, options: options, convertsToSRGB: filter == .lanczos3
            ).numbers
            let request = try #require(DecodeRequest(numbers: numbers))
            #expect(request.numbers == numbers)
            #expect(request.fileByteCount == 12345 && request.convertsToSRGB == (filter == .lanczos3))
            #expect(request.limits == options.limits && request.background == options.background)
            #expect(request.resampling.orientation == orientation && request.resampling.filter == filter)
            #expect(request.resampling.size == resampling.size && request.resampling.instructionSet == .portable)
            #expect(request.resampling.isMeasured == resampling.isMeasured)
            #expect(request.resampling.minChromaSubsampling == resampling.minChromaSubsampling)
        }
    }

    @Test("An answer is what was sent")
    func answerIsUnchanged() throws {
        let colors = HEIFColors(primaries: 12, transfer: 13, matrix: 6, isFullRange: true)
        let image = DecodeAnswer.image(
            chromaSubsampling: ChromaSubsampling(horizontalFactor: 2, verticalFactor: 1), planeCount: 3,
            hasOverview: true, colors: colors)
        let numbers = image.numbers(cpuMilliseconds: 77)
        #expect(numbers[0] == 77 && numbers.count == DecodeAnswer.numberCount)
        #expect(DecodeAnswer(numbers: numbers)?.numbers(cpuMilliseconds: 77) == numbers)
        for offset in [nil, 0, 1 << 40] {
            let error = DecodeAnswer(CodecError(.damaged, stage: .decode, offset: offset, message: "a message"))
            let numbers = error.numbers(cpuMilliseconds: 0)
            guard case .error(7, 9, .decode, let received) = DecodeAnswer(numbers: numbers) else {
                Issue.record("another answer: \(numbers)")
                return
            }
            #expect(received == offset)
        }
    }

    @Test(
        "Answers that no image has are invalid",
        arguments: [
            [], [0], [0, 0, 1, 1, 3, 0, 1, 1, 1],
            [0, 2, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 3, 0, 1, 1, 1, 0], [0, 0, 5, 1, 3, 0, 1, 1, 1, 0],
            [0, 0, 1, 5, 3, 0, 1, 1, 1, 0], [0, 0, 4, 4, 3, 0, 1, 1, 1, 0], [0, 0, 1, 1, 2, 0, 1, 1, 1, 0],
            [0, 0, 1, 1, 3, 2, 1, 1, 1, 0],
            [0, 0, 1, 1, 3, 0, -1, 1, 1, 0], [0, 0, 1, 1, 3, 0, 1, 1 << 40, 1, 0], [0, 0, 1, 1, 3, 1, 1, 1, -1, 0],
            [0, 1, 0, 1, 0, 0, 0, 0, 0, 0], [0, 1, 1, 1 << 40, 0, 0, 0, 0, 0, 0], [0, 1, 1, 1, 9, 0, 0, 0, 0, 0],
            [0, .min, .max, .min, .max, .min, .max, .min, .max, .min],
        ] as [[Int64]])
    func invalidAnswers(_ numbers: [Int64]) { #expect(DecodeAnswer(numbers: numbers) == nil) }

    @Test("No code that means something else to a pipeline can be sent")
    func foreignErrorCodes() {
        #expect(!DecodeAnswer.errorCodes.map(\.rawValue).contains("cancelled"))
        #expect(DecodeAnswer.errorCodes.allSatisfy { $0.rawValue.utf8.count < 4096 })
    }

    @Test("Every error of a truncated or damaged file can be sent", .enabled(if: isHEIFBuilt))
    func errorCodesOfDecoding() throws {
        var codes: Set<CodecError.Code> = []
        var random = SplitMix64(seed: 0xC0DE)
        for name in ["small-grid.heic", "small-opacity.avif", "small-hdr.avif"] {
            let bytes = try HEIFSample.bytes(name)
            #expect(decodingError(for: bytes)?.code == (name == "small-hdr.avif" ? .unsupportedColor : nil))
            // The host detects the format, which is known after 12 bytes.
            for count in 12..<bytes.count {
                if let error = decodingError(for: Array(bytes.prefix(count))) { codes.insert(error.code) }
            }
            for _ in 0..<randomizedRounds(2000) {
                var changed = bytes
                changed[random.number(in: 12...(bytes.count - 1))] ^= UInt8(random.number(in: 1...255))
                if let error = decodingError(for: changed) { codes.insert(error.code) }
            }
        }
        #expect(codes.isSuperset(of: [.truncated, .damaged, .unsupportedColor]))
        #expect(codes.subtracting(DecodeAnswer.errorCodes) == [])
    }
}
