internal import MediaContainers

/// Finds the video that a phone appends to the image of a motion photo.
///
/// Google appends an MP4 file, after the gain map if there is one. Samsung appends blocks of its own, one of which
/// holds the MP4 file.
enum AppendedVideo {
    /// Returns the offset of an MP4 or QuickTime file in `bytes`, or `nil` if none starts at `start` or after it.
    ///
    /// - Complexity: Linear in the number of bytes. A quarter of them are looked at.
    static func offset(in bytes: [UInt8], from start: Int) -> Int? {
        // The position of the last letter of "ftyp", whose letters all differ.
        var position = start + 7
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "p"):
                if isFileTypeBox(in: bytes, at: position - 7) { return position - 7 }
                position += 4
            case UInt8(ascii: "y"): position += 1
            case UInt8(ascii: "t"): position += 2
            case UInt8(ascii: "f"): position += 3
            default: position += 4
            }
        }
        return nil
    }

    /// Returns whether a file type box starts at `offset`: its size, `ftyp`, the brand, a version, and further brands
    /// of four bytes each.
    private static func isFileTypeBox(in bytes: [UInt8], at offset: Int) -> Bool {
        var boxes = ISOBoxReader(bytes, in: offset..<bytes.count)
        guard let box = boxes.nextBox(), box.type == "ftyp", !box.isTruncated else { return false }
        let content = box.contentRange
        return (8...1024).contains(content.count) && content.count % 4 == 0
            && bytes[content].prefix(4).allSatisfy { (0x20...0x7E).contains($0) }
    }
}
