// `unsafe`: fills arrays within C structures, which Swift imports as tuples.

internal import CJPEGFastDecoder
internal import Imaging

/// The description of a JPEG without anomalies, in the structures of the fast decoder.
struct FastPathScans {
    /// The maximum quantization step. A larger one could overflow a sum, and 8-bit tables have none.
    private static let maxQuantizationStep = UInt16(PREP_JPEG_FAST_MAX_QUANTIZATION_STEP)

    /// The maximum number of scans. Their tables take 1 MB. The maximum among 272 photos was 15.
    private static let maxScanCount = 32

    private(set) var imageDescription = prep_jpeg_fast_image()
    private(set) var scanDescriptions: [prep_jpeg_fast_scan] = []

    /// Describes the scans of `file`, or returns `nil` if the file is of another kind or has an anomaly.
    ///
    /// - Parameters:
    ///   - file: The parsed file.
    ///   - layout: The components as libjpeg interprets them, one or three.
    init?(file: JPEGFile, layout: PlaneLayout) {
        let coverage = file.structure.coverage
        guard file.structure.scanHeaders.count <= Self.maxScanCount, coverage.isInOrder, coverage.isComplete,
            Self.hasContiguousScans(file),
            [1, 3].contains(layout.components.count),
            layout.components.count == file.frameHeader.components.count,
            // The MCU of a single component is one block, whatever its sampling factors. libjpeg takes the vertical
            // factor as a number of block rows.
            layout.components.count == 3 || layout.maxVerticalSampling * layout.maxHorizontalSampling == 1
        else { return nil }
        var tables = JPEGDecodingTables()
        for segment in file.structure.segments {
            guard segment.marker == JPEGMarker.startOfScan else {
                if tables.readTables(in: segment, of: file.bytes) { continue }
                return nil
            }
            if scanDescriptions.isEmpty {
                guard let description = Self.makeImageDescription(file: file, layout: layout, tables: tables) else {
                    return nil
                }
                self.imageDescription = description
            }
            guard let scanHeader = file.structure.scanHeaders[scanDescriptions.count],
                let scan = Self.makeScanDescription(
                    segment: segment, scanHeader: scanHeader, frameHeader: file.frameHeader, tables: tables)
            else { return nil }
            scanDescriptions.append(scan)
        }
    }

    /// Whether the file has a single frame of a supported process, and only scans and their tables from the first scan
    /// on, without bytes between them, and the end-of-image marker directly after the last scan.
    private static func hasContiguousScans(_ file: JPEGFile) -> Bool {
        let segments = file.structure.segments
        guard file.frameHeader.hasHeight, segments.count(where: { JPEGMarker.isFrameHeader($0.marker) }) == 1,
            let first = segments.firstIndex(where: { $0.marker == JPEGMarker.startOfScan }),
            let last = segments.last?.scanDataRange, file.structure.endOffset == last.upperBound + 2
        else { return false }
        let fromFirst = segments[first...]
        switch file.frameHeader.codingProcess {
        case .baseline, .extended: return fromFirst.count == 1
        case .progressive: break
        case .arithmetic, .arithmeticProgressive: return false
        }
        let allowed = [JPEGMarker.startOfScan, JPEGMarker.huffmanTables, JPEGMarker.restartInterval]
        return fromFirst.allSatisfy { allowed.contains($0.marker) }
            && zip(fromFirst, fromFirst.dropFirst()).allSatisfy {
                $0.endOffset == $1.range.lowerBound
            }
    }

    /// Returns the description of the image, with the quantization tables defined before its first scan.
    private static func makeImageDescription(
        file: JPEGFile, layout: PlaneLayout, tables: JPEGDecodingTables
    ) -> prep_jpeg_fast_image? {
        var description = prep_jpeg_fast_image()
        description.component_count = Int32(layout.components.count)
        description.mcus_per_row = Int32(
            layout.storedSize.width.dividedRoundingUp(by: 8 * layout.maxHorizontalSampling))
        description.is_progressive = file.frameHeader.codingProcess.isProgressive
        var components: [prep_jpeg_fast_component] = []
        for (frameComponent, component) in zip(file.frameHeader.components, layout.components) {
            guard let quantization = tables.quantizationTables[frameComponent.quantizationTableIndex],
                quantization.allSatisfy({ $0 <= maxQuantizationStep })
            else { return nil }
            var componentDescription = prep_jpeg_fast_component()
            componentDescription.horizontal_sampling = Int32(component.horizontalSampling)
            componentDescription.vertical_sampling = Int32(component.verticalSampling)
            let blockSize = 8 / component.shrinkFactor
            componentDescription.block_size = Int32(blockSize)
            componentDescription.blocks_per_row = Int32(component.paddedWidth / blockSize)
            componentDescription.block_row_count = Int32(
                (layout.storedSize.height * component.verticalSampling).dividedRoundingUp(
                    by: 8 * layout.maxVerticalSampling))
            copyIntoCArray(&componentDescription.quantization_table, from: quantization)
            components.append(componentDescription)
        }
        copyIntoCArray(&description.components, from: components)
        return description
    }

    private static func makeScanDescription(
        segment: JPEGStructure.MarkerSegment, scanHeader parameters: JPEGScanHeader, frameHeader frame: JPEGFrameHeader,
        tables: JPEGDecodingTables
    ) -> prep_jpeg_fast_scan? {
        let indices = frame.componentIndices(forIdentifiers: parameters.componentIdentifiers)
        // An AC coefficient has 10 bits besides its sign, and a DC coefficient 11. libjpeg allows a shift of up to 13.
        guard parameters.approximationLow <= 10, indices.count == parameters.componentIdentifiers.count,
            indices == indices.sorted(),
            !indices.isEmpty,
            let data = segment.scanDataRange
        else { return nil }
        let isAllowed =
            frame.codingProcess.isProgressive
            ? parameters.spectralSelection == 0...0
                || (parameters.spectralSelection.lowerBound > 0 && indices.count == 1)
            : parameters.coversAllCoefficientBits && indices.count == frame.components.count
        if !isAllowed { return nil }
        var scan = prep_jpeg_fast_scan()
        scan.component_count = Int32(indices.count)
        copyIntoCArray(&scan.component_indices, from: indices.map(Int32.init))
        scan.spectral_start = Int32(parameters.spectralSelection.lowerBound)
        scan.spectral_end = Int32(parameters.spectralSelection.upperBound)
        scan.is_refinement = parameters.approximationHigh > 0
        scan.approximation_low = Int32(parameters.approximationLow)
        scan.restart_interval = UInt32(tables.restartInterval)
        scan.data_start = data.lowerBound
        scan.data_end = data.upperBound
        if scan.spectral_start == 0 && !scan.is_refinement {
            let huffmanTables = parameters.huffmanTableIndices.compactMap { tables.dcTables[$0.dc] }
            if huffmanTables.count < indices.count { return nil }
            copyIntoCArray(&scan.dc_tables, from: huffmanTables.map(prep_jpeg_fast_huffman_table.init))
        }
        if scan.spectral_end > 0 {
            let huffmanTables = parameters.huffmanTableIndices.compactMap { tables.acTables[$0.ac] }
            if huffmanTables.count < indices.count { return nil }
            copyIntoCArray(&scan.ac_tables, from: huffmanTables.map(prep_jpeg_fast_huffman_table.init))
        }
        return scan
    }
}

extension prep_jpeg_fast_huffman_table {
    fileprivate init(_ table: JPEGDecodingTables.HuffmanTable) {
        self.init()
        copyIntoCArray(&code_counts, from: table.codeCounts)
        copyIntoCArray(&symbols, from: table.symbols)
    }
}

/// Copies an array's elements into a C array, which must be at least as long.
private func copyIntoCArray<CArray, Element: BitwiseCopyable>(_ target: inout CArray, from elements: [Element]) {
    unsafe withUnsafeMutableBytes(of: &target) { target in
        unsafe elements.withUnsafeBytes { elements in
            // copyMemory checks the size only in debug builds.
            precondition(elements.count <= target.count)
            unsafe target.copyMemory(from: elements)
        }
    }
}
