import Foundation
import TestSupport
import Testing

@testable import Imaging

@Suite("Instruction sets")
struct InstructionSetTests {
    @Test("The best set is that of the CPU, whatever PREP_SIMD is")
    func bestSetIgnoresRequest() throws {
        #if arch(arm64)
            #expect(InstructionSet.bestAvailable == .neon)
        #elseif arch(x86_64)
            let expected = [InstructionSet.avx512, .avx2].first { $0.isAvailable } ?? .portable
            #expect(InstructionSet.bestAvailable == expected)
            #if os(Linux)
                // The system's own account of the CPU.
                let processor = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
                let flags = processor.split(separator: "\n").first { $0.hasPrefix("flags") }?.split(separator: " ")
                #expect(InstructionSet.avx2.isAvailable == flags?.contains("avx2"))
                let wide = ["avx2", "avx512f", "avx512bw"].allSatisfy { flags?.contains($0[...]) == true }
                #expect(InstructionSet.avx512.isAvailable == wide)
            #endif
        #else
            #expect(InstructionSet.bestAvailable == .portable)
        #endif
    }

    @Test("The selected set is always available")
    func selectedSetIsAvailable() {
        #expect(InstructionSet.selected.isAvailable)
        #expect(
            InstructionSet.selected.rawValue == RequestedInstructionSet.name ?? InstructionSet.bestAvailable.rawValue)
    }

    @Test("A set in use stays in use")
    func selectionAfterUseFails() {
        let set = InstructionSet.selected
        #expect(InstructionSet.select(set))
        for other in InstructionSet.allCases where other.isAvailable && other != set {
            #expect(!InstructionSet.select(other))
        }
        #expect(InstructionSet.selected == set)
    }

    @Test("A name that is not that of an available set is rejected", arguments: ["nonsense", "AVX2", "0"])
    func unknownNameIsUnavailable(name: String) {
        let error = #expect(throws: InstructionSet.SelectionError.self) {
            try InstructionSet.selectForProcess(named: name)
        }
        #expect(error == .unavailable)
    }

    @Test("By name, the set in use can be selected again, and no other")
    func selectionByNameAfterUseFails() throws {
        let set = InstructionSet.selected
        for name in [nil, "", set.rawValue] { try InstructionSet.selectForProcess(named: name) }
        for other in InstructionSet.allCases where other.isAvailable && other != set {
            let error = #expect(throws: InstructionSet.SelectionError.self) {
                try InstructionSet.selectForProcess(named: other.rawValue)
            }
            #expect(error == .tooLate)
        }
    }

    @Test("A default can be set until it is used")
    func processDefaultIsFixedByItsFirstUse() {
        let number = ProcessDefault(1)
        let beforeUse = [number.set(2), number.set(3)]
        let used = number.value
        let afterUse = [number.set(3), number.set(4)]
        let last = number.value
        #expect(beforeUse == [true, true])
        #expect(afterUse == [true, false])
        #expect(used == 3)
        #expect(last == 3)
    }

    @Test("A set that can't run here counts as the portable one")
    func unavailableSetFallsBackToPortable() {
        for set in InstructionSet.allCases {
            #expect(PixelKernels(instructionSet: set).instructionSet == (set.isAvailable ? set : .portable))
        }
    }

    @Test(
        "Images of 1 to 67 pixels are equal, bit for bit, with every set and filter", arguments: 1...67)
    func everySetGivesIdenticalImages(width: Int) {
        var random = SplitMix64(seed: UInt64(width))
        let size = PixelSize(width: width, height: random.number(in: 1...67))
        let sampling = Sampling.common[width % Sampling.common.count]
        let content = Content.allCases[width % Content.allCases.count]
        let planes = sampling.factors.indices.map { c in
            let plane = sampling.planeSize(ofComponent: c, imageSize: size)
            return Plane(width: plane.width, height: plane.height) { x, y in
                content.sampleValue(x: x, y: y, random: &random)
            }
        }
        for filter in ResampleFilter.allCases {
            let target = PixelSize(width: random.number(in: 1...width), height: random.number(in: 1...size.height))
            let stored = StoredImageDecoder(size: size, planes: planes, sampling: sampling)
            let portable = resampledBytes(stored, target, filter, .portable)
            for set in KernelTests.availableSets where set != .portable {
                #expect(
                    resampledBytes(stored, target, filter, set) == portable, "\(set), \(filter), \(size) to \(target)")
            }
        }
    }

    /// All bytes of the result, those that pad its rows included.
    private func resampledBytes(
        _ stored: StoredImageDecoder, _ target: PixelSize, _ filter: ResampleFilter, _ set: InstructionSet
    ) -> [ContiguousArray<UInt8>] {
        var decoder = stored
        let resampling = ResampleRequest(size: target, filter: filter, instructionSet: set)
        return resampling.resampleImage(from: &decoder).planes.map(\.samples)
    }
}

/// What small pictures show.
private enum Content: CaseIterable {
    case noise, blackAndWhiteNoise, checkerboard, white

    func sampleValue(x: Int, y: Int, random: inout SplitMix64) -> UInt8 {
        switch self {
        case .noise: UInt8(truncatingIfNeeded: random.next())
        case .blackAndWhiteNoise: random.next() % 2 == 0 ? 0 : 255
        case .checkerboard: (x + y) % 2 == 0 ? 0 : 255
        case .white: 255
        }
    }
}
