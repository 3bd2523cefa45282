// `unsafe`: calls the C decoder as Swift code never does.

import CJPEGFastDecoder
import CPNGFastDecoder
import Testing

/// The C decoders check their parameters themselves. Swift's checks come first, so only a direct call reaches these.
@Suite("The fast JPEG decoder rejects invalid parameters", .enabled(if: prep_jpeg_fast_decoder_is_available()))
struct FastDecoderPreconditionTests {
    @Test("A gray image and an image of three components are accepted")
    func validParametersAreAccepted() {
        #expect(Self.accepts(.init()))
        #expect(Self.accepts(.init(componentCount: 3)))
        #expect(Self.accepts(.init(componentCount: 3, isProgressive: true)))
        var parameters = Parameters(componentCount: 3)
        parameters.image.components.0.block_size = 4
        #expect(Self.accepts(parameters))
    }

    @Test("A count, size, index or sampling factor outside its range is rejected", arguments: Defect.allCases)
    func invalidParametersAreRejected(defect: Defect) {
        var parameters = Parameters(componentCount: defect.componentCount, isProgressive: defect.isProgressive)
        #expect(Self.accepts(parameters))
        defect.apply(to: &parameters)
        #expect(!Self.accepts(parameters))
    }

    private static func accepts(_ parameters: Parameters) -> Bool {
        let scans = [prep_jpeg_fast_scan](repeating: parameters.scan, count: max(parameters.scanCount, 1))
        let decoder = unsafe withUnsafePointer(to: parameters.image) { image in
            unsafe scans.withUnsafeBufferPointer { scans in
                unsafe scans.baseAddress.flatMap { base in
                    unsafe prep_jpeg_fast_decoder_create(
                        image, base, Int32(parameters.scanCount), parameters.instructionSet)
                }
            }
        }
        guard let decoder = unsafe decoder else { return false }
        unsafe prep_jpeg_fast_decoder_destroy(decoder)
        return true
    }
}

/// An image of 16 by 16 pixels and one scan.
struct Parameters {
    var image = prep_jpeg_fast_image()
    var scan = prep_jpeg_fast_scan()
    var scanCount = 1
    var instructionSet = PREP_JPEG_FAST_PORTABLE

    init(componentCount: Int = 1, isProgressive: Bool = false) {
        var component = prep_jpeg_fast_component()
        (component.horizontal_sampling, component.vertical_sampling) = (1, 1)
        (component.blocks_per_row, component.block_row_count, component.block_size) = (2, 2, 8)
        image.component_count = Int32(componentCount)
        image.components = (component, component, component)
        image.mcus_per_row = 2
        image.is_progressive = isProgressive
        // One code of one bit: the symbol 0.
        var table = prep_jpeg_fast_huffman_table()
        table.code_counts.0 = 1
        scan.component_count = Int32(componentCount)
        scan.component_indices = (0, 1, 2)
        scan.spectral_end = isProgressive ? 0 : 63
        scan.dc_tables = (table, table, table)
        scan.ac_tables = (table, table, table)
    }
}

enum Defect: CaseIterable {
    case noComponent, fourComponents, noMCU, tooManyMCUs, noScan, secondSequentialScan
    case loneComponentWithSampling, samplingOfZero, samplingOfFive, noBlocks, moreBlocksThanMCUs, noBlockRows
    case blockSizeOfZero, blockSizeOfTwo
    case scanWithoutComponent, scanWithTooManyComponents, partialSequentialScan
    case negativeIndex, indexBeyondComponents, descendingIndices
    case negativeSpectralStart, spectralEndBeyondBlock, spectralEndBeforeStart
    case negativeApproximation, approximationBeyondTables, dataEndBeforeStart, missingInstructionSet
    case tooLargeQuantizationStep, interleavedACScan, progressiveScanOfDCAndAC
    case sequentialScanFromACs, sequentialScanOfDC, sequentialRefinement, sequentialApproximation

    var componentCount: Int {
        switch self {
        case .partialSequentialScan, .descendingIndices, .samplingOfFive, .interleavedACScan: 3
        default: 1
        }
    }

    var isProgressive: Bool { [.descendingIndices, .interleavedACScan, .progressiveScanOfDCAndAC].contains(self) }

    func apply(to parameters: inout Parameters) {
        switch self {
        case .noComponent: parameters.image.component_count = 0
        case .fourComponents: parameters.image.component_count = 4
        case .noMCU: parameters.image.mcus_per_row = 0
        case .tooManyMCUs: parameters.image.mcus_per_row = 8193
        case .noScan: parameters.scanCount = 0
        case .secondSequentialScan: parameters.scanCount = 2
        case .loneComponentWithSampling: parameters.image.components.0.horizontal_sampling = 2
        case .samplingOfZero: parameters.image.components.0.vertical_sampling = 0
        case .samplingOfFive: parameters.image.components.1.vertical_sampling = 5
        case .noBlocks: parameters.image.components.0.blocks_per_row = 0
        case .moreBlocksThanMCUs: parameters.image.components.0.blocks_per_row = 3
        case .noBlockRows: parameters.image.components.0.block_row_count = 0
        case .blockSizeOfZero: parameters.image.components.0.block_size = 0
        case .blockSizeOfTwo: parameters.image.components.0.block_size = 2
        case .scanWithoutComponent: parameters.scan.component_count = 0
        case .scanWithTooManyComponents: parameters.scan.component_count = 2
        case .partialSequentialScan: parameters.scan.component_count = 2
        case .negativeIndex: parameters.scan.component_indices.0 = -1
        case .indexBeyondComponents: parameters.scan.component_indices.0 = 1
        case .descendingIndices: parameters.scan.component_indices = (1, 0, 2)
        case .negativeSpectralStart: parameters.scan.spectral_start = -1
        case .spectralEndBeyondBlock: parameters.scan.spectral_end = 64
        case .spectralEndBeforeStart: (parameters.scan.spectral_start, parameters.scan.spectral_end) = (5, 4)
        case .negativeApproximation: parameters.scan.approximation_low = -1
        case .approximationBeyondTables: parameters.scan.approximation_low = 11
        case .dataEndBeforeStart: (parameters.scan.data_start, parameters.scan.data_end) = (1, 0)
        case .tooLargeQuantizationStep:
            parameters.image.components.0.quantization_table.63 = UInt16(PREP_JPEG_FAST_MAX_QUANTIZATION_STEP) + 1
        case .interleavedACScan: (parameters.scan.spectral_start, parameters.scan.spectral_end) = (1, 5)
        case .progressiveScanOfDCAndAC: parameters.scan.spectral_end = 5
        case .sequentialScanFromACs: parameters.scan.spectral_start = 1
        case .sequentialScanOfDC: parameters.scan.spectral_end = 0
        case .sequentialRefinement: parameters.scan.is_refinement = true
        case .sequentialApproximation: parameters.scan.approximation_low = 1
        case .missingInstructionSet:
            #if arch(arm64)
                parameters.instructionSet = PREP_JPEG_FAST_AVX2
            #else
                parameters.instructionSet = PREP_JPEG_FAST_NEON
            #endif
        }
    }
}

@Suite("The fast PNG decoder rejects invalid parameters", .enabled(if: prep_png_fast_decoder_is_available()))
struct PNGFastDecoderPreconditionTests {
    /// Rows of 2 pixels.
    private static let image = prep_png_fast_image(
        bytes_per_row: 6, bytes_per_pixel: 3, max_row_count: 16, chunks_start: 33, chunks_end: 33)

    private static let defects: [(name: String, apply: @Sendable (inout prep_png_fast_image) -> Void)] = [
        ("no bytes in a row", { $0.bytes_per_row = 0 }),
        ("a part of a pixel", { $0.bytes_per_row = 7 }),
        ("a row of 4 GiB", { $0.bytes_per_row = 3 << 32 }),
        ("two bytes a pixel", { $0.bytes_per_pixel = 2 }),
        ("six bytes a pixel", { $0.bytes_per_pixel = 6 }),
        ("a negative pixel", { $0.bytes_per_pixel = -3 }),
        ("no rows", { $0.max_row_count = 0 }),
        ("rows of 4 GiB", { $0.max_row_count = 1 << 30 }),
        ("more rows than a product of 64 bits", { $0.max_row_count = .max }),
        ("an end before the start", { $0.chunks_end = 32 }),
    ]

    @Test("of sizes and offsets", arguments: defects.indices)
    func invalidParametersAreRejected(index: Int) {
        var image = Self.image
        #expect(Self.accepts(image))
        Self.defects[index].apply(&image)
        #expect(!Self.accepts(image), "\(Self.defects[index].name)")
    }

    @Test("of an instruction set that this processor does not have")
    func missingInstructionSetIsRejected() {
        #if arch(arm64)
            #expect(!Self.accepts(Self.image, PREP_PNG_FAST_AVX2))
        #else
            #expect(!Self.accepts(Self.image, PREP_PNG_FAST_NEON))
        #endif
    }

    private static func accepts(
        _ image: prep_png_fast_image, _ set: prep_png_fast_instruction_set = PREP_PNG_FAST_PORTABLE
    ) -> Bool {
        guard let decoder = unsafe withUnsafePointer(to: image, { unsafe prep_png_fast_decoder_create($0, set) })
        else { return false }
        unsafe prep_png_fast_decoder_destroy(decoder)
        return true
    }
}
