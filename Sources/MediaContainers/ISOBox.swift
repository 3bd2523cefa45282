/// A box of an ISO base media file, called atom in QuickTime: a size, a type and a content.
///
/// Source: ISO/IEC 14496-12, 4.2.
package struct ISOBox: Sendable {
    package let type: FourCC
    /// The existing bytes of the box, including its header.
    package let range: Range<Int>
    /// The existing bytes after the header.
    package let contentRange: Range<Int>
    /// Whether the stated size exceeds the enclosing box or the file.
    package let isTruncated: Bool
    /// The stated size in bytes, including the header, or `nil` if the box extends to the end of the file.
    package let declaredSize: UInt64?

    /// Creates a box from the fields of its header. Returns `nil` if they cannot be those of a box.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - size: The 32-bit size. 1 means that a 64-bit size follows the type.
    ///   - largeSize: The 64-bit size, or `nil` if `size` is not 1 or the bytes end before it.
    ///   - availableRange: The bytes from the start of the box to the end of the enclosing box or of the file.
    ///   - isTopLevel: Whether the box may extend to the end of the file, which a size of 0 means.
    package init?(type: FourCC, size: Int, largeSize: UInt64?, availableRange: Range<Int>, isTopLevel: Bool) {
        var declaredSize: UInt64? = UInt64(size), headerLength = 8
        if size == 1 {
            guard let largeSize else { return nil }
            (declaredSize, headerLength) = (largeSize, 16)
        } else if size == 0, isTopLevel {
            declaredSize = nil
        }
        let availableSize = UInt64(availableRange.count), wantedSize = declaredSize ?? availableSize
        guard min(wantedSize, availableSize) >= headerLength else { return nil }
        self.type = type
        self.declaredSize = declaredSize
        isTruncated = wantedSize > availableSize
        range = availableRange.prefix(Int(min(wantedSize, availableSize)))
        contentRange = range.dropFirst(headerLength)
    }
}
