// `unsafe`: fills arrays within C structures, which Swift sees as tuples.

internal import CJPEGScan
internal import Imaging

/// The scans of a file in which nothing is odd, as the scan decoder wants them described.
struct SoundScans {
    /// Quantization steps above this could overflow a sum; no 8-bit table has them.
    private static let maximumStep: UInt16 = 4095

    /// Of 272 real photos the most had 15. The tables of so many take 1 MB.
    private static let maximumScans = 32

    private(set) var picture = prep_scan_picture()
    private(set) var scans: [prep_scan] = []

    /// Nil for a file of another kind, or one in which something is odd.
    ///
    /// - Parameter layout: the components as libjpeg sees them: one, or three.
    init?(_ file: JPEGFile, _ layout: PlaneLayout) {
        guard file.structure.scans.count <= Self.maximumScans, Self.areContiguous(file),
            [1, 3].contains(layout.components.count),
            layout.components.count == file.frame.components.count,
            // A lone component's MCU is one block, whatever its sampling factors; theirs are then rows of blocks to libjpeg.
            layout.components.count == 3 || layout.maxVertical * layout.maxHorizontal == 1
        else { return nil }
        var tables = JPEGTables(), progression = Progression(components: layout.components.count)
        for segment in file.structure.segments {
            guard segment.marker == Marker.startOfScan else {
                if tables.read(segment, of: file.bytes) { continue }
                return nil
            }
            if scans.isEmpty {
                guard let picture = Self.picture(file, layout, tables) else { return nil }
                self.picture = picture
            }
            guard let parameters = ScanParameters(file.bytes, segment, isProgressive: picture.is_progressive)
            else { return nil }
            let indices = file.frame.indices(of: parameters.components)
            guard let scan = Self.scan(segment, parameters, of: indices, file.frame, tables),
                progression.add(parameters, of: indices)
            else { return nil }
            scans.append(scan)
        }
        if !progression.isComplete { return nil }
    }

    /// Whether there is a single frame, of a kind that is read here, and from its first scan on nothing but scans and what they
    /// need, without a byte in between, and the end of image behind the last.
    private static func areContiguous(_ file: JPEGFile) -> Bool {
        let segments = file.structure.segments
        guard file.hasHeightInFrame, segments.count(where: { Marker.isFrame($0.marker) }) == 1,
            let first = segments.firstIndex(where: { $0.marker == Marker.startOfScan }),
            let last = segments.last?.scanData, file.structure.end == last.upperBound + 2
        else { return false }
        let fromFirst = segments[first...]
        switch file.frame.process {
        case .baseline, .extended: return fromFirst.count == 1
        case .progressive: break
        case .arithmetic, .arithmeticProgressive: return false
        }
        let allowed = [Marker.startOfScan, Marker.huffmanTables, Marker.restartInterval]
        return fromFirst.allSatisfy { allowed.contains($0.marker) }
            && zip(fromFirst, fromFirst.dropFirst()).allSatisfy {
                ($0.scanData?.upperBound ?? $0.range.upperBound) == $1.range.lowerBound
            }
    }

    /// The picture, with the quantization in force at its first scan.
    private static func picture(
        _ file: JPEGFile, _ layout: PlaneLayout, _ tables: JPEGTables
    ) -> prep_scan_picture? {
        var picture = prep_scan_picture()
        picture.component_count = Int32(layout.components.count)
        picture.mcus_across = Int32(layout.size.width.dividedRoundingUp(by: 8 * layout.maxHorizontal))
        picture.is_progressive = file.frame.process.isProgressive
        var components: [prep_scan_component] = []
        for (stated, component) in zip(file.frame.components, layout.components) {
            guard let quantization = tables.quantization[stated.quantizationTable],
                quantization.allSatisfy({ $0 <= maximumStep })
            else { return nil }
            var described = prep_scan_component()
            described.horizontal = Int32(component.horizontal)
            described.vertical = Int32(component.vertical)
            described.blocks_across = Int32(component.storedWidth / 8)
            described.blocks_down = Int32(
                (layout.size.height * component.vertical).dividedRoundingUp(by: 8 * layout.maxVertical))
            fill(&described.quantization, from: quantization)
            components.append(described)
        }
        fill(&picture.components, from: components)
        return picture
    }

    private static func scan(
        _ segment: JPEGStructure.Segment, _ parameters: ScanParameters, of indices: [Int], _ frame: JPEGFrame,
        _ tables: JPEGTables
    ) -> prep_scan? {
        // A coefficient has 10 bits besides its sign, the first one 11. libjpeg allows 13 to be left out.
        guard parameters.lowBits <= 10, indices.count == parameters.components.count, indices == indices.sorted(),
            !indices.isEmpty,
            let data = segment.scanData
        else { return nil }
        let isAllowed =
            frame.process.isProgressive
            ? parameters.spectrum == 0...0 || (parameters.spectrum.lowerBound > 0 && indices.count == 1)
            : parameters.isSequential && indices.count == frame.components.count
        if !isAllowed { return nil }
        var scan = prep_scan()
        scan.component_count = Int32(indices.count)
        fill(&scan.components, from: indices.map(Int32.init))
        scan.first = Int32(parameters.spectrum.lowerBound)
        scan.last = Int32(parameters.spectrum.upperBound)
        scan.refines = parameters.highBits > 0
        scan.low_bits = Int32(parameters.lowBits)
        scan.restart_interval = UInt32(tables.restartInterval)
        scan.start = data.lowerBound
        scan.end = data.upperBound
        if scan.first == 0 && !scan.refines {
            let stated = parameters.tables.compactMap { tables.dc[$0.dc] }
            if stated.count < indices.count { return nil }
            fill(&scan.dc, from: stated.map(prep_scan_huffman.init))
        }
        if scan.last > 0 {
            let stated = parameters.tables.compactMap { tables.ac[$0.ac] }
            if stated.count < indices.count { return nil }
            fill(&scan.ac, from: stated.map(prep_scan_huffman.init))
        }
        return scan
    }
}

extension prep_scan_huffman {
    fileprivate init(_ table: JPEGTables.Huffman) {
        self.init()
        fill(&counts, from: table.counts)
        fill(&symbols, from: table.symbols)
    }
}

/// Copies an array's elements into a C array, which must be at least as long.
private func fill<CArray, Element: BitwiseCopyable>(_ target: inout CArray, from elements: [Element]) {
    unsafe withUnsafeMutableBytes(of: &target) { target in
        unsafe elements.withUnsafeBytes { elements in
            // In release the copy itself doesn't look.
            precondition(elements.count <= target.count)
            unsafe target.copyMemory(from: elements)
        }
    }
}
