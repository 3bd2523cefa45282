internal import Imaging
internal import MediaContainers

/// The items, properties and references of a HEIF file: the content of its `meta` box.
///
/// Source: ISO/IEC 14496-12, 8.11, and ISO/IEC 23008-12, 9.
struct HEIFMetaBox {
    /// The number of the primary item; `nil` if there is none.
    private(set) var primaryItemID: Int?
    private(set) var items: [Int: HEIFItem] = [:]
    private(set) var properties: [HEIFProperty] = []
    private(set) var references: [HEIFReference] = []
    /// The content of the `idat` box.
    private(set) var itemDataRange = 0..<0

    /// The number of elements so far: items, extents, properties, associations and references.
    private var elementCount = 0
    private let maxElementCount: Int
    /// The file, while the box is read.
    private var bytes: [UInt8]

    /// Reads the content of a `meta` box.
    ///
    /// - Parameters:
    ///   - range: The range of the content.
    ///   - bytes: The file, or its beginning. The range is within it.
    ///   - limits: The limits to check: ``ImageLimits/segments`` limits the number of elements.
    /// - Throws: ``CodecError/Code/damaged`` or ``CodecError/Code/tooManySegments``.
    init(_ range: Range<Int>, in bytes: [UInt8], limits: ImageLimits) throws(CodecError) {
        self.bytes = bytes
        maxElementCount = limits.segments
        var reader = ByteReader(bytes, in: range)
        guard reader.readVersionAndFlags() != nil else { throw damaged("the 'meta' box is empty", at: range) }
        var boxes = ISOBoxReader(bytes, in: reader.position..<range.upperBound)
        var associations: [ISOBox] = []
        while let box = boxes.nextBox() {
            try count(box)
            if box.isTruncated { throw damaged("the '\(box.type)' box is larger than its container", at: range) }
            switch box.type {
            case "pitm": primaryItemID = try readPrimaryItem(box)
            case "iinf": try readItemInformation(box)
            case "iloc": try readLocations(box)
            case "iref": try readReferences(box)
            case "idat": itemDataRange = box.contentRange
            case "iprp":
                var children = ISOBoxReader(bytes, in: box.contentRange)
                while let child = children.nextBox() {
                    try count(child)
                    if child.type == "ipco" { try readProperties(child) }
                    if child.type == "ipma" { associations.append(child) }
                }
            default: break
            }
        }
        // The properties may follow their associations.
        for box in associations { try readAssociations(box) }
        // Otherwise the file would stay in memory as long as this box.
        self.bytes = []
    }

    /// The items that an item refers to with a type of reference, in order.
    func items(referredToBy id: Int, type: FourCC) -> [Int] {
        references.first { $0.type == type && $0.fromID == id }?.toIDs ?? []
    }

    /// The items that refer to an item with a type of reference.
    func items(referringTo id: Int, type: FourCC) -> [Int] {
        references.filter { $0.type == type && $0.toIDs.contains(id) }.map(\.fromID)
    }

    /// The properties of an item, in the order in which they apply.
    func properties(of id: Int) -> [HEIFProperty] {
        items[id]?.propertyIndices.compactMap { properties.indices.contains($0) ? properties[$0] : nil } ?? []
    }

    // MARK: Reading

    private func damaged(_ message: String, at range: Range<Int>) -> CodecError {
        CodecError(.damaged, stage: .probe, offset: range.lowerBound, message: message)
    }

    private func damaged(_ box: ISOBox) -> CodecError {
        damaged("the '\(box.type)' box is invalid", at: box.contentRange)
    }

    private mutating func count(_ box: ISOBox, elements: Int = 1) throws(CodecError) {
        elementCount += elements
        if elementCount > maxElementCount {
            throw CodecError(
                .tooManySegments, stage: .probe, offset: box.contentRange.lowerBound,
                message: "more than \(maxElementCount) boxes, items and properties")
        }
    }

    private func readPrimaryItem(_ box: ISOBox) throws(CodecError) -> Int {
        var reader = ByteReader(bytes, in: box.contentRange)
        guard let (version, _) = reader.readVersionAndFlags(),
            let id = reader.readInteger(byteCount: version == 0 ? 2 : 4)
        else { throw damaged(box) }
        return id
    }

    private mutating func readItemInformation(_ box: ISOBox) throws(CodecError) {
        var reader = ByteReader(bytes, in: box.contentRange)
        guard let (version, _) = reader.readVersionAndFlags(),
            reader.readInteger(byteCount: version == 0 ? 2 : 4) != nil
        else { throw damaged(box) }
        var entries = ISOBoxReader(bytes, in: reader.position..<box.contentRange.upperBound)
        while let entry = entries.nextBox() {
            try count(entry)
            var reader = ByteReader(bytes, in: entry.contentRange)
            // Versions 0 and 1 have no type of the item. They are of MPEG-7 metadata.
            guard entry.type == "infe", let (version, _) = reader.readVersionAndFlags(), version >= 2 else { continue }
            guard let id = reader.readInteger(byteCount: version == 2 ? 2 : 4), reader.readUInt16() != nil,
                let type = reader.readFourCC()
            else { throw damaged(entry) }
            items[id, default: HEIFItem()].type = type
        }
    }

    private mutating func readLocations(_ box: ISOBox) throws(CodecError) {
        var reader = ByteReader(bytes, in: box.contentRange)
        guard let (version, _) = reader.readVersionAndFlags(), version <= 2, let sizes = reader.readUInt16(),
            let itemCount = reader.readInteger(byteCount: version < 2 ? 2 : 4)
        else { throw damaged(box) }
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version > 0 ? sizes & 15 : 0)
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) }) else {
            throw damaged(box)
        }
        for _ in 0..<itemCount {
            guard let id = reader.readInteger(byteCount: version < 2 ? 2 : 4),
                let method = version > 0 ? reader.readUInt16() : 0, let dataReference = reader.readUInt16(),
                let base = reader.readLength(byteCount: baseSize), let extentCount = reader.readUInt16()
            else { throw damaged(box) }
            try count(box, elements: 1 + extentCount)
            var extents: [Range<Int>] = []
            for _ in 0..<extentCount {
                guard reader.readLength(byteCount: indexSize) != nil,
                    let offset = reader.readLength(byteCount: offsetSize),
                    let length = reader.readLength(byteCount: lengthSize)
                else { throw damaged(box) }
                extents.append((base + offset)..<(base + offset + length))
            }
            items[id, default: HEIFItem()].extents = extents
            let isInThisFile = dataReference == 0 && (method & 15) < 2
            items[id]?.dataOrigin = isInThisFile ? (method & 15 == 0 ? .file : .itemDataBox) : nil
        }
    }

    private mutating func readReferences(_ box: ISOBox) throws(CodecError) {
        var reader = ByteReader(bytes, in: box.contentRange)
        guard let (version, _) = reader.readVersionAndFlags() else { throw damaged(box) }
        let idSize = version == 0 ? 2 : 4
        var children = ISOBoxReader(bytes, in: reader.position..<box.contentRange.upperBound)
        while let child = children.nextBox() {
            var reader = ByteReader(bytes, in: child.contentRange)
            guard let fromID = reader.readInteger(byteCount: idSize), let toCount = reader.readUInt16(),
                toCount * idSize <= reader.remainingByteCount
            else { throw damaged(child) }
            try count(child, elements: 1 + toCount)
            let toIDs = (0..<toCount).compactMap { _ in reader.readInteger(byteCount: idSize) }
            references.append(HEIFReference(type: child.type, fromID: fromID, toIDs: toIDs))
        }
    }

    private mutating func readProperties(_ box: ISOBox) throws(CodecError) {
        var children = ISOBoxReader(bytes, in: box.contentRange)
        while let child = children.nextBox() {
            try count(child)
            guard let property = HEIFProperty(child, in: bytes) else { throw damaged(child) }
            properties.append(property)
        }
    }

    private mutating func readAssociations(_ box: ISOBox) throws(CodecError) {
        var reader = ByteReader(bytes, in: box.contentRange)
        guard let (version, flags) = reader.readVersionAndFlags(), let entryCount = reader.readUInt32() else {
            throw damaged(box)
        }
        for _ in 0..<entryCount {
            guard let id = reader.readInteger(byteCount: version < 1 ? 2 : 4),
                let associationCount = reader.readUInt8()
            else { throw damaged(box) }
            try count(box, elements: 1 + associationCount)
            for _ in 0..<associationCount {
                guard let value = reader.readInteger(byteCount: flags & 1 == 1 ? 2 : 1) else { throw damaged(box) }
                let essentialBit = flags & 1 == 1 ? 0x8000 : 0x80
                // The index is from 1, and 0 means no property.
                let index = (value & (essentialBit - 1)) - 1
                guard index >= 0 else { continue }
                items[id, default: HEIFItem()].propertyIndices.append(index)
                let property = properties.indices.contains(index) ? properties[index] : .unknown
                if value & essentialBit != 0, case .unknown = property {
                    items[id]?.hasUnknownEssentialProperty = true
                }
            }
        }
    }
}

extension ByteReader {
    /// Reads an offset or a length of 0, 4 or 8 bytes. Returns `nil` if it is larger than any file, too.
    fileprivate mutating func readLength(byteCount count: Int) -> Int? {
        guard count == 8 else { return readInteger(byteCount: count) }
        guard let high = readUInt32(), let low = readUInt32(), high < 1 << 16 else { return nil }
        return high << 32 | low
    }
}
