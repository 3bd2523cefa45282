internal import MediaContainers

/// An item of a HEIF file: an image, a part of one, or metadata.
struct HEIFItem {
    /// Where an item's data is: ISO/IEC 14496-12, 8.11.3.
    enum DataOrigin {
        /// Offsets are those of the file.
        case file
        /// Offsets are those in the `idat` box.
        case itemDataBox
    }

    /// The type, such as `hvc1`, `av01` or `grid`; `nil` if the file does not state it.
    var type: FourCC?
    /// Where the data is; `nil` if it is made of other items, or not in this file.
    var dataOrigin: DataOrigin?
    /// The ranges of the data, relative to its origin, in order.
    var extents: [Range<Int>] = []
    /// The indices of the properties, from 0, in the order in which they apply.
    var propertyIndices: [Int] = []
    /// Whether the item has a property that a reader must know, and that this one does not.
    var hasUnknownEssentialProperty = false
}

/// A reference from one item to others, such as from a grid to its tiles: ISO/IEC 14496-12, 8.11.12.
struct HEIFReference {
    var type: FourCC
    var fromID: Int
    var toIDs: [Int]
}
