// `unsafe`: owns a C handle, and hands it the addresses of arrays for the length of a call.

internal import CJPEGScan
internal import Imaging

/// Reads a baseline JPEG of one scan in which nothing is odd, a third faster than libjpeg and with the same samples. At the
/// first oddity it gives up: what to make of that, libjpeg decides.
@safe struct BaselineScanDecoder: ~Copyable, PlaneDecoder {
    /// It met something odd.
    struct Oddity: Error {}

    /// Quantization steps above this could overflow a sum; no 8-bit table has them.
    private static let maximumStep: UInt16 = 4095

    let layout: PlaneLayout
    private let bytes: [UInt8]
    private let handle: OpaquePointer

    /// Nil for a file of another kind, or one in which something is odd already, or on a CPU without the instructions.
    ///
    /// - Parameter layout: the components as libjpeg sees them: one, or three.
    init?(_ file: JPEGFile, _ layout: PlaneLayout) {
        guard prep_scan_is_available(), let scan = Self.loneScan(of: file),
            let tables = JPEGTables(file.structure, of: file.bytes),
            var description = Self.describe(file, scan, tables, layout),
            let handle = unsafe prep_scan_create(&description)
        else { return nil }
        unsafe self.handle = handle
        self.layout = layout
        bytes = file.bytes
    }

    deinit { unsafe prep_scan_destroy(handle) }

    /// Whether the data ended just where the picture did.
    var isAtEnd: Bool { unsafe prep_scan_is_at_end(handle) }

    mutating func readBatch(into window: inout RowWindow) throws(Oddity) {
        let (offsets, strides) = window.nextBatches(of: layout)
        let isRead = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe window.bytes.withUnsafeMutableBufferPointer { rows in
                guard let base = input.baseAddress, let rows = rows.baseAddress else { return false }
                return unsafe prep_scan_read_row(handle, base, rows, offsets, strides)
            }
        }
        if !isRead { throw Oddity() }
    }

    /// The file's only scan, if it is baseline, holds all components, and is followed by nothing but the end of image.
    private static func loneScan(of file: JPEGFile) -> JPEGStructure.Segment? {
        let segments = file.structure.segments
        guard file.frame.process == .baseline || file.frame.process == .extended, file.hasHeightInFrame,
            segments.count(where: { Marker.isFrame($0.marker) }) == 1, let scan = segments.last,
            segments.firstIndex(where: { $0.marker == Marker.startOfScan }) == segments.count - 1,
            let data = scan.scanData, file.structure.end == data.upperBound + 2
        else { return nil }
        return scan
    }

    private static func describe(
        _ file: JPEGFile, _ scan: JPEGStructure.Segment, _ tables: JPEGTables, _ layout: PlaneLayout
    ) -> prep_scan_layout? {
        guard let parameters = ScanParameters(file.bytes, scan, isProgressive: false), parameters.isSequential,
            let data = scan.scanData,
            parameters.components == file.frame.components.map(\.identifier), [1, 3].contains(layout.components.count),
            layout.components.count == file.frame.components.count
        else { return nil }
        // The standard's limit, which libjpeg enforces only when it starts to decode.
        let blocks = layout.components.reduce(0) { $0 + $1.horizontal * $1.vertical }
        if layout.components.count > 1 && blocks > 10 { return nil }
        // A lone component's MCU is one block, whatever its sampling factors; theirs are then rows of blocks to libjpeg.
        if layout.components.count == 1 && layout.maxVertical * layout.maxHorizontal > 1 { return nil }
        var description = prep_scan_layout()
        description.component_count = Int32(layout.components.count)
        description.mcus_across = Int32(layout.size.width.dividedRoundingUp(by: 8 * layout.maxHorizontal))
        description.restart_interval = UInt32(tables.restartInterval)
        description.start = data.lowerBound
        description.end = data.upperBound
        var components: [prep_scan_component] = []
        for (index, component) in file.frame.components.enumerated() {
            guard let quantization = tables.quantization[component.quantizationTable],
                quantization.allSatisfy({ $0 <= maximumStep }),
                let dc = tables.dc[parameters.tables[index].dc], let ac = tables.ac[parameters.tables[index].ac]
            else { return nil }
            components.append(
                prep_scan_component(layout.components[index], quantization, dc, ac))
        }
        unsafe withUnsafeMutableBytes(of: &description.components) { target in
            unsafe components.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
        }
        return description
    }
}

extension prep_scan_component {
    fileprivate init(
        _ component: PlaneLayout.Component, _ quantization: [UInt16], _ dc: JPEGTables.Huffman, _ ac: JPEGTables.Huffman
    ) {
        self.init()
        horizontal = Int32(component.horizontal)
        vertical = Int32(component.vertical)
        blocks_across = Int32(component.storedWidth / 8)
        unsafe withUnsafeMutableBytes(of: &self.quantization) { target in
            unsafe quantization.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
        }
        self.dc = prep_scan_huffman(dc)
        self.ac = prep_scan_huffman(ac)
    }
}

extension prep_scan_huffman {
    fileprivate init(_ table: JPEGTables.Huffman) {
        self.init()
        unsafe withUnsafeMutableBytes(of: &counts) { unsafe $0.copyBytes(from: table.counts) }
        unsafe withUnsafeMutableBytes(of: &symbols) { unsafe $0.copyBytes(from: table.symbols) }
    }
}
