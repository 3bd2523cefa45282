import Foundation
import Imaging
import Testing

@testable import ImageCodecs

/// Planes of files that other encoders made, against those of other decoders. `Tests/Planes/run` makes the files.
@Suite(.enabled(if: PlaneReference.directory != nil)) struct PlaneReferenceTests {
    @Test(arguments: PlaneReference.names)
    func storedSamplesEqualThoseOfOtherDecoders(name: String) throws {
        let reference = try PlaneReference(named: name)
        guard let expected = reference.stored else { return }
        let planes = try reference.decodeStoredPlanes()
        try #require(planes.map(\.count) == expected.map(\.count))
        for (plane, expectedPlane) in zip(planes, expected) { #expect(plane == expectedPlane) }
    }

    @Test(arguments: PlaneReference.names)
    func rangeAndMatrixAreWithinOneLevelOfFloatingPoint(name: String) throws {
        let reference = try PlaneReference(named: name)
        let decoded = try decodeImage(try reference.bytes())
        #expect(decoded.warnings.isEmpty)
        try #require(decoded.image.planes.count == reference.expected.count)
        for (plane, expected) in zip(decoded.image.planes, reference.expected) {
            try #require(plane.height == expected.count && plane.width == expected[0].count)
            let errors = zip(plane.visibleRows.joined(), expected.joined()).map { abs(Double($0) - $1) }
            #expect((errors.max() ?? 0) <= 1)
        }
    }

    @Test func allFilesAreCompared() throws {
        var largestErrors: [String: Double] = [:]
        for name in PlaneReference.names {
            let reference = try PlaneReference(named: name)
            for (plane, expected) in zip(try decodeImage(try reference.bytes()).image.planes, reference.expected) {
                for (sample, value) in zip(plane.visibleRows.joined(), expected.joined()) {
                    largestErrors[reference.kind, default: 0] = max(
                        largestErrors[reference.kind] ?? 0, abs(Double(sample) - value))
                }
            }
        }
        for (kind, error) in largestErrors.sorted(by: { $0.key < $1.key }) {
            print("the largest error of \(kind): \((error * 1000).rounded() / 1000) levels")
        }
        print("compared the planes of \(PlaneReference.names.count) files")
        #expect(PlaneReference.names.count >= 30)
    }
}

/// A file, with what it must decode to.
private struct PlaneReference: Decodable {
    /// The directory of the files, which the environment variable `PREP_PLANES` names.
    static let directory = ProcessInfo.processInfo.environment["PREP_PLANES"].map { URL(filePath: $0) }

    /// The names of all files, sorted.
    static let names: [String] = {
        guard let directory, let all = try? FileManager.default.contentsOfDirectory(atPath: directory.path) else {
            return []
        }
        return all.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }()

    let name: String
    /// The rows of the shown part of each stored plane; `nil` if they are not known.
    let stored: [[[UInt16]]]?
    /// The rows of each upright plane in the encoding of JPEG.
    let expected: [[[Double]]]

    init(named name: String) throws {
        let url = try #require(Self.directory).appending(path: "\(name).json")
        self = try JSONDecoder().decode(Self.self, from: try Data(contentsOf: url))
    }

    /// What the file shows, for the summary.
    var kind: String {
        let format = name.split(separator: ".").last.map(String.init) ?? ""
        let isSpecial = ["opacity", "lossless"].contains { name.hasPrefix($0) }
        return "\(format) \(isSpecial ? String(name.prefix { $0 != "-" && $0 != "." }) : bitDepth)"
    }

    private var bitDepth: String {
        ["12", "10"].first { name.contains("-\($0)-") || name.contains("-\($0).") }.map { "with \($0) bits" }
            ?? "with 8 bits"
    }

    func bytes() throws -> [UInt8] {
        Array(try Data(contentsOf: try #require(Self.directory).appending(path: name)))
    }

    /// Decodes the file to the rows that the resampler receives.
    func decodeStoredPlanes() throws -> [[[UInt16]]] {
        var parser = ImageFileParser(limits: ImageLimits())
        let options = ImageSource.DecodingOptions()
        switch try parser.parseFile(try bytes()) {
        case .heif(let file):
            var decoder = try HEIFPlaneDecoder(
                file, resampling: ResampleRequest(size: file.header.storedSize), background: .white,
                convertsToSRGB: false)
            return try Self.rows(of: &decoder)
        #if WebP
            case .webp(let file):
                var decoder = try LibWebPDecoder(file, options: options, instructionSet: .portable)
                return try Self.rows(of: &decoder)
        #endif
        default: return []
        }
    }

    private static func rows<Decoder: PlaneDecoder & ~Copyable>(of decoder: inout Decoder) throws -> [[[UInt16]]] {
        let layout = decoder.layout
        var planes = [[[UInt16]]](repeating: [], count: layout.components.count)
        func rowCount(_ index: Int) -> Int {
            (layout.storedSize.height * layout.components[index].verticalSampling)
                .dividedRoundingUp(by: layout.maxVerticalSampling)
        }
        while planes.indices.contains(where: { planes[$0].count < rowCount($0) }) {
            // A new buffer for each batch, which begins at the first row of each ring.
            var ringBuffer = RowRingBuffer(layout: layout, retainedRowCounts: layout.components.map { _ in 0 })
            try decoder.decodeRowBatch(into: &ringBuffer)
            for (index, component) in layout.components.enumerated() {
                let ring = ringBuffer.rings[index]
                for y in 0..<min(component.batchRowCount, rowCount(index) - planes[index].count) {
                    let start = ring.nextBatchOffset + y * ring.stride
                    planes[index].append(
                        (0..<component.paddedWidth).map { x in
                            layout.bytesPerSample == 1
                                ? UInt16(ringBuffer.bytes[start + x])
                                : UInt16(ringBuffer.bytes[start + 2 * x])
                                    | UInt16(ringBuffer.bytes[start + 2 * x + 1]) << 8
                        })
                }
            }
        }
        return planes
    }
}
