// `unsafe`: bytes for the floors, which are C.

internal import CFloors
internal import ImageCodecs
internal import Imaging
internal import MediaPrep

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Prepares an image from bytes to bytes on this thread, as an application that imports the library.
struct ImagePreparationWorkload: Workload {
    private let input: Data
    private let preparer: ImagePreparer
    private var output = Data()

    init(_ path: String, _ options: [String: String]) throws {
        input = try Data(contentsOf: URL(filePath: path))
        var imageOptions = ImageOptions(
            maxDimension: try options.number("max-dimension"), quality: try options.number("quality"))
        if let name = options["encoder"] {
            guard let encoder = EncoderPreference(rawValue: name) else { throw UsageError("no encoder \(name)") }
            imageOptions.encoder = encoder
        }
        preparer = ImagePreparer(imageOptions)
    }

    mutating func runOnce() throws -> Int {
        output = try preparer.prepare(input).data
        return output.count
    }

    func lastOutput() -> Data { output }
}

/// The least work of a decoder: a JPEG's entropy decode, or a PNG's inflate.
struct DecodeFloorWorkload: Workload {
    private let input: [UInt8]

    init(_ path: String) throws { input = [UInt8](try Data(contentsOf: URL(filePath: path))) }

    mutating func runOnce() throws -> Int {
        let isPNG = input.starts(with: [0x89, 0x50, 0x4E, 0x47])
        let made = unsafe input.withUnsafeBufferPointer { bytes in
            unsafe isPNG
                ? floor_inflate_png(bytes.baseAddress, bytes.count)
                : floor_read_coefficients(bytes.baseAddress, bytes.count)
        }
        guard made >= 0 else { throw UsageError("the floor cannot read the file") }
        return 0
    }

    func lastOutput() -> Data { Data() }
}

/// The resampler alone, on the planes of a 4:2:0 image that is in memory. `PREP_SIMD` selects the instruction set.
struct ResamplingWorkload: Workload {
    private let source: PixelSize
    private let request: ResampleRequest

    init(_ size: String, _ options: [String: String]) throws {
        let sides = size.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2 else { throw UsageError("\(size) is not WIDTHxHEIGHT") }
        source = PixelSize(width: sides[0], height: sides[1])
        let requested = ProcessInfo.processInfo.environment["PREP_SIMD"].flatMap { $0.isEmpty ? nil : $0 }
        guard let set = requested.map(InstructionSet.init(rawValue:)) ?? .bestAvailable, set.isAvailable else {
            throw UsageError("this machine does not support \(requested ?? "")")
        }
        request = ResampleRequest(
            size: source.scaledDown(toLongerSide: try options.number("max-dimension")), instructionSet: set)
    }

    mutating func runOnce() throws -> Int {
        var planes = PlanesInMemory(source)
        _ = request.resampleImage(from: &planes)
        return 0
    }

    func lastOutput() -> Data { Data() }
}

/// A decoder whose rows are in memory and cost nothing. Their content does not matter: the arithmetic is the same.
private struct PlanesInMemory: PlaneDecoder {
    let layout: PlaneLayout

    init(_ size: PixelSize) {
        let (luma, chroma) = ((size.width + 15) / 16 * 16, (size.width + 15) / 16 * 8)
        layout = PlaneLayout(
            storedSize: size,
            components: [
                PlaneLayout.ComponentSampling(
                    horizontalSampling: 2, verticalSampling: 2, paddedWidth: luma, batchRowCount: 16),
                PlaneLayout.ComponentSampling(
                    horizontalSampling: 1, verticalSampling: 1, paddedWidth: chroma, batchRowCount: 8),
                PlaneLayout.ComponentSampling(
                    horizontalSampling: 1, verticalSampling: 1, paddedWidth: chroma, batchRowCount: 8),
            ])
    }

    mutating func decodeRowBatch(into buffer: inout RowRingBuffer) throws(Never) {}
}
