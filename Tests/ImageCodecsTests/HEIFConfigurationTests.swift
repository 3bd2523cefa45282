import TestSupport
import Testing

@testable import ImageCodecs

@Suite("A picture of HEVC has a limited number of NAL units and of parameter sets, and empty ones are skipped")
struct HEIFConfigurationTests {
    /// A configuration with lengths of one byte.
    private func makeConfiguration(parameterSets: [[UInt8]] = [[0x42, 1]]) -> HEIFConfiguration? {
        // The size of the lengths is the last byte before the arrays of parameter sets.
        var content = Array(HEIFFileBuilder.hevcConfiguration.dropFirst(8).prefix(22))
        content[21] = 0x0C
        content += [1, 0x21, UInt8(parameterSets.count >> 8), UInt8(parameterSets.count & 0xFF)]
        for set in parameterSets { content += [UInt8(set.count >> 8), UInt8(set.count & 0xFF)] + set }
        return HEIFConfiguration(codec: .hevc, range: 0..<content.count, in: content)
    }

    private func unitRanges(_ data: [UInt8]) throws -> [Range<Int>]? {
        let configuration = try #require(makeConfiguration())
        #expect(configuration.lengthByteCount == 1)
        return configuration.unitRanges(in: 0..<data.count, of: data)
    }

    @Test func emptyUnitsAreSkipped() throws {
        #expect(try unitRanges([UInt8](repeating: 0, count: 100_000)) == [])
        #expect(try unitRanges([0, 2, 5, 6, 0, 0, 1, 7, 0]) == [2..<4, 7..<8])
        #expect(try unitRanges([0, 2, 5]) == nil)
    }

    @Test func numberOfUnitsIsLimited() throws {
        let data = [[UInt8]](repeating: [0, 1, 7], count: 4096).flatMap { $0 }
        #expect(try unitRanges(data)?.count == 4096)
        #expect(try unitRanges(data + [0])?.count == 4096)
        #expect(try unitRanges(data + [1, 7]) == nil)
    }

    @Test func numberOfParameterSetsIsLimited() {
        #expect(makeConfiguration(parameterSets: [[], [0x42, 1], []])?.parameterSets.count == 1)
        #expect(makeConfiguration(parameterSets: [[], []]) == nil)
        let sets = [[UInt8]](repeating: [7], count: 4096)
        #expect(makeConfiguration(parameterSets: sets)?.parameterSets.count == 4096)
        #expect(makeConfiguration(parameterSets: sets + [[7]]) == nil)
    }
}
